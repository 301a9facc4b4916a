// Compiles the JSON Schemas into validators, so that nothing is compiled when the program runs.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "src/schema/generated");

/** A schema per line; further versions of the pack go here. */
const schemas = [
  { file: "schema/promptpack-v1.4.schema.json", output: "validate-pack-v1.4", exportName: "validatePackV14" },
  {
    file: "schema/agentic-event.schema.json",
    output: "validate-agentic-event",
    exportName: "validateAgenticEvent",
  },
  {
    file: "schema/agentic-state.schema.json",
    output: "validate-agentic-state",
    exportName: "validateAgenticState",
  },
  { file: "schema/run-record.schema.json", output: "validate-run-record", exportName: "validateRunRecord" },
  {
    file: "schema/workflow-context.schema.json",
    output: "validate-workflow-context",
    exportName: "validateWorkflowContext",
  },
  { file: "schema/routes.schema.json", output: "validate-routes", exportName: "validateRoutes" },
];

export function generateValidators() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, output, exportName } of schemas) {
    const ajv = newAjv();
    const schema = withoutProse(JSON.parse(readFileSync(join(root, file), "utf8")));
    ajv.addSchema(schema, "whole");
    const names = alternatives(schema);
    const exported = Object.fromEntries(
      names.map((name) => [`${exportName}${name}`, `whole#/$defs/${name}`]),
    );
    const code = standalone.default(ajv, { [exportName]: "whole", ...exported });
    const branches = names.map(
      (name) =>
        `{ ref: "#/$defs/${name}", validate: ${exportName}${name}, schema: ${JSON.stringify(schema.$defs[name])} }`,
    );
    write(output, exportName, `${code}\nexport const branches = [${branches.join(",")}];`);
  }
}

function newAjv() {
  const ajv = new Ajv2020.default({
    allErrors: true,
    verbose: true,
    messages: false,
    inlineRefs: false,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, esm: true },
  });
  // Words for editors and for our messages; they decide nothing.
  ajv.addVocabulary(["patternErrorMessage"]);
  return addFormats.default(ajv);
}

/** `verbose` puts the schema into the validator; the prose in it would only make it slow to load. */
function withoutProse(schema) {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const bare = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (["description", "examples", "default"].includes(keyword)) continue;
    if (keyword === "properties" || keyword === "$defs") {
      bare[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, withoutProse(part)]),
      );
    } else {
      bare[keyword] = keyword === "oneOf" ? value.map(withoutProse) : withoutProse(value);
    }
  }
  return bare;
}

/** The definitions a `oneOf` chooses from. Each gets a validator of its own, to ask what is wrong with the one meant. */
function alternatives(schema) {
  const names = new Set();
  JSON.stringify(schema, (keyword, value) => {
    if (keyword === "oneOf") for (const { $ref } of value) if ($ref) names.add($ref.replace("#/$defs/", ""));
    return value;
  });
  return [...names];
}

function write(output, exportName, code) {
  writeFileSync(join(folder, `${output}.js`), withImports(withAppending(code)));
  writeFileSync(
    join(folder, `${output}.d.ts`),
    [
      `import type { Branch, Validator } from "../validator.js";`,
      `export declare const ${exportName}: Validator;`,
      "export declare const branches: readonly Branch[];",
      "",
    ].join("\n"),
  );
}

/** ajv copies all errors so far at each failing `$ref`, which takes minutes for 100,000 of them. */
function withAppending(code) {
  const copying = /vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\)/g;
  const appending = code.replace(copying, "appendErrors(vErrors, $1.errors)");
  if (appending.includes(".concat(")) throw new Error("ajv joins errors in a way this script does not know");
  return `${appending}
function appendErrors(errors, more) {
  if (errors === null) return more;
  for (const error of more) errors.push(error);
  return errors;
}`;
}

/** ajv's output asks for parts of ajv and ajv-formats with `require`, in an ES module too. */
function withImports(code) {
  const modules = [];
  const body = code.replace(/require\("([^"]+)"\)(\.default)?/g, (_, module, isDefault) => {
    if (!modules.includes(module)) modules.push(module);
    const name = `module${modules.indexOf(module)}`;
    // Loaders disagree about what the default export of such a module is.
    return isDefault ? `(${name}.default ?? ${name})` : name;
  });
  const imports = modules.map((module, index) => `import module${index} from "${module}.js";`);
  return [...imports, body, ""].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generateValidators();
