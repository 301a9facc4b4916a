// Compiles the JSON Schemas into validators, so that nothing is compiled when the program runs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "src/schema/generated");

/** A schema per line; further versions of the pack go here. */
const schemas = [
  { file: "schema/promptpack.schema.json", name: "pack", accepts: true },
  { file: "schema/agentic-event.schema.json", name: "agentic-event" },
  { file: "schema/agentic-state.schema.json", name: "agentic-state" },
  { file: "schema/run-record.schema.json", name: "run-record" },
  { file: "schema/workflow-context.schema.json", name: "workflow-context" },
  { file: "schema/routes.schema.json", name: "routes" },
];

const generated = new Set();

export function generateValidators() {
  mkdirSync(folder, { recursive: true });
  for (const { file, name, accepts } of schemas) {
    const annotated = JSON.parse(readFileSync(join(root, file), "utf8"));
    const schema = withoutProse(annotated);
    explainer(accepts === true ? withPlainStates(schema) : schema, `explain-${name}`);
    if (accepts !== true) continue;
    acceptor(withoutProse(withoutRareParts(annotated)), `accept-${name}`);
    describePlaces(annotated);
  }
  for (const name of readdirSync(folder)) if (!generated.has(name)) rmSync(join(folder, name));
}

/** Errors of a condition would name a part of the state; `spec-version.ts` corrects them for states with a composition. */
function withPlainStates(schema) {
  const state = { ...schema.$defs.State, required: schema.$defs.State.else.required };
  for (const keyword of ["if", "then", "else"]) delete state[keyword];
  return { ...schema, $defs: { ...schema.$defs, State: state } };
}

/** Packs with rare parts are left to the explainer, so that no other pack has to load the code for them. */
function withoutRareParts(part) {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  if (part["x-rare"] === true) return false;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withoutRareParts(value)]));
}

/** Finds every error. It is large, and is made only when somebody asks: most packs have none. */
function explainer(schema, output) {
  const ajv = newAjv({ allErrors: true, verbose: true });
  ajv.addSchema(schema, "whole");
  const names = alternatives(schema);
  const exported = Object.fromEntries(names.map((name) => [`validate${name}`, `whole#/$defs/${name}`]));
  const code = standalone.default(ajv, { validateWhole: "whole", ...exported });
  const whole = constantOf(schema, code);
  const branches = names.map(
    (name) => `{ ref: "#/$defs/${name}", validate: validate${name}, schema: ${whole}.$defs.${name} }`,
  );
  const { imports, body } = withImports(withAppending(code));
  const script = `${imports}
let made;
export function explainer() {
  return (made ??= make());
}
function make() {
${body.replace(/^"use strict";/, "").replaceAll("export const", "const")}
return { validate: validateWhole, schema: ${whole}, branches: [${branches.join(",")}] };
}
`;
  write(output, script, ["Explainer"], "export declare function explainer(): Explainer;");
}

/** What ajv calls the schema in its code. */
function constantOf(schema, code) {
  const before = code.slice(0, Math.max(0, code.indexOf(` = ${JSON.stringify(schema)};`)));
  const name = /\bconst (\w+)$/.exec(before)?.[1];
  if (name === undefined) throw new Error("ajv keeps the schema in a way this script does not know");
  return name;
}

/** Only says yes or no, in a third of the code. */
function acceptor(schema, output) {
  const ajv = newAjv({ allErrors: false, verbose: false });
  ajv.addSchema(schema, "whole");
  const { imports, body } = withImports(withoutErrors(standalone.default(ajv, { accepts: "whole" })));
  const script = `${imports}\n${body}\n`;
  write(output, script, [], "export declare function accepts(value: unknown): boolean;");
}

/** Takes out the errors and the places, which nobody will see: every object that begins with an `instancePath`. */
function withoutErrors(code) {
  let bare = "";
  let at = 0;
  for (;;) {
    const start = code.indexOf("{instancePath", at);
    if (start === -1) break;
    const end = endOfObject(code, start);
    const isArgument = /, ?$/.test(code.slice(at, start));
    bare += isArgument ? code.slice(at, start).replace(/, ?$/, "") : `${code.slice(at, start)}0`;
    at = code.startsWith("={}", end) ? end + 3 : end;
  }
  bare += code.slice(at);
  if (/instancePath|parentData|rootData|dynamicAnchors/.test(bare))
    throw new Error("ajv tells errors or places in a way this script does not know");
  return bare;
}

function endOfObject(code, start) {
  let depth = 0;
  for (const { 0: part, index } of code.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (part === "{") depth++;
    if (part === "}" && --depth === 0) return start + index + 1;
  }
  throw new Error("ajv's code ends within an object");
}

function newAjv(options) {
  const ajv = new Ajv2020.default({
    ...options,
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
    if (["description", "examples", "default"].includes(keyword) || keyword.startsWith("x-")) continue;
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

function write(output, script, types, declaration, module = "validator") {
  const imported = types.length === 0 ? [] : [`import type { ${types.join(", ")} } from "../${module}.js";`];
  writeIfNew(`${output}.js`, script);
  writeIfNew(`${output}.d.ts`, [...imported, declaration, ""].join("\n"));
}

/** What is written again looks new, and the build would make the declarations again. */
function writeIfNew(name, text) {
  const path = join(folder, name);
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  generated.add(name);
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

/** ajv's output asks for parts of ajv and ajv-formats with `require`, in an ES module too. Its count of characters is slow. */
function withImports(code) {
  const modules = [];
  const counting = code.replaceAll('require("ajv/dist/runtime/ucs2length").default', "codePoints");
  const body = counting.replace(/require\("([^"]+)"\)(\.default)?/g, (_, module, isDefault) => {
    if (!modules.includes(module)) modules.push(module);
    const name = `module${modules.indexOf(module)}`;
    // Loaders disagree about what the default export of such a module is.
    return isDefault ? `(${name}.default ?? ${name})` : name;
  });
  const imports = modules.map((module, index) => `import module${index} from "${module}.js";`);
  if (counting !== code) imports.push('import { codePoints } from "../../document/scan-text.js";');
  return { imports: imports.join("\n"), body };
}

/**
 * Lists every place of a pack: its path, what messages call it, and its properties with their kinds. The words for places,
 * the hints about misplaced properties and the versions of fields all come from this list.
 */
function describePlaces(schema) {
  const places = [];
  const resolve = (part) =>
    part.$ref === undefined ? part : schema.$defs[part.$ref.replace("#/$defs/", "")];
  const visit = (part, path, holder, around = []) => {
    const { $ref, ...own } = part;
    // Steps hold steps, and predicates predicates.
    if (
      $ref !== undefined &&
      around.filter((other) => other === $ref).length > ($ref === "#/$defs/Step" ? 1 : 0)
    )
      return;
    const within = $ref === undefined ? around : [...around, $ref];
    const target = $ref === undefined ? {} : resolve(part);
    const { oneOf = own.oneOf ?? [], allOf = [] } = target;
    const forms = [...oneOf, ...allOf.flatMap(({ then }) => then ?? [])].map(resolve);
    const whole = { ...target, ...own };
    const properties = Object.assign({}, whole.properties, ...forms.map((form) => form.properties));
    const noun = whole["x-noun"];
    const kinds = Object.fromEntries(allOf.flatMap((rule) => fieldsOfKind(rule, resolve)));
    places.push({
      path,
      ...(noun !== undefined && { noun }),
      ...(noun !== undefined && holder === "mapping" && { named: "key" }),
      ...(noun !== undefined && holder === "sequence" && { named: whole["x-name"] ?? [] }),
      ...(own["x-since"] !== undefined && { since: own["x-since"] }),
      ...(own["x-open"] === true && { wasOpen: true }),
      ...(own["x-dotted-since"] !== undefined && { dottedSince: own["x-dotted-since"] }),
      ...(whole["x-advice"] !== undefined && { advice: whole["x-advice"] }),
      ...(allOf.length > 0 && { kinds }),
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, kindOf(value, schema)]),
      ),
    });
    for (const [name, value] of Object.entries(properties)) visit(value, [...path, name], undefined, within);
    const { additionalProperties: others, items } = whole;
    if (others === true) places.push({ path: [...path, "*"], properties: {} });
    else if (typeof others === "object") visit(others, [...path, "*"], "mapping", within);
    if (items !== undefined) visit(items, [...path, "*"], "sequence", within);
  };
  visit(schema, []);
  const open = new Set(
    places.flatMap(({ path }) => (path.at(-1) === "*" ? path.slice(0, -1).join("/") : [])),
  );
  const isTelling = ({ path, properties, noun, since, dottedSince }) =>
    noun !== undefined ||
    since !== undefined ||
    dottedSince !== undefined ||
    Object.keys(properties).length > 0 ||
    open.has(path.slice(0, -1).join("/"));
  const script = `export const places = ${JSON.stringify(places.filter(isTelling))};\n`;
  write(
    "pack-places",
    script,
    ["PackPlace"],
    "export declare const places: readonly PackPlace[];",
    "pack-places",
  );
}

/** The properties that objects of one `kind` have, of a rule that holds for it. */
function fieldsOfKind({ if: condition, then }, resolve) {
  const kind = condition?.properties.kind?.const;
  return kind === undefined ? [] : [[kind, Object.keys(resolve(then).properties)]];
}

/** The kind of node that a property takes; nothing where it takes several. */
function kindOf({ $ref, type }, schema) {
  const wanted = $ref === undefined ? type : schema.$defs[$ref.replace("#/$defs/", "")].type;
  if (typeof wanted !== "string") return "";
  return wanted === "object" ? "mapping" : wanted === "array" ? "sequence" : "scalar";
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generateValidators();
