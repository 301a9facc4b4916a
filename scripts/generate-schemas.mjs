// Writes what the program needs of the JSON Schemas, so that it has to read none of them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "src/schema/generated");

const schemas = {
  packSchema: "promptpack",
  eventSchema: "agentic-event",
  stateSchema: "agentic-state",
  protocolSchema: "step-protocol",
  recordSchema: "run-record",
  contextSchema: "workflow-context",
  routesSchema: "routes",
  sourcesSchema: "sources",
};

export function generateSchemas() {
  mkdirSync(folder, { recursive: true });
  const read = (file) => JSON.parse(readFileSync(join(root, `schema/${file}.schema.json`), "utf8"));
  const names = Object.keys(schemas);
  const places = JSON.stringify(placesIn(read(schemas.packSchema)));
  const files = {
    "schemas.js": [
      ...names.map((name) => `export const ${name} = () => (${parsing(withoutProse(read(schemas[name])))});`),
      "function parseOnce(definitions, name, text) {",
      "  const value = JSON.parse(text);",
      "  Object.defineProperty(definitions, name, { value });",
      "  return value;",
      "}",
    ],
    "schemas.d.ts": [
      'import type { SchemaPart } from "../validator.js";',
      ...names.map((name) => `export declare const ${name}: () => SchemaPart;`),
    ],
    "pack-places.js": [`export const places = ${places};`],
    "pack-places.d.ts": [
      'import type { PackPlace } from "../pack-places.js";',
      "export declare const places: readonly PackPlace[];",
    ],
  };
  for (const [name, lines] of Object.entries(files)) writeIfNew(name, `${lines.join("\n")}\n`);
  for (const name of readdirSync(folder)) if (!Object.hasOwn(files, name)) rmSync(join(folder, name));
}

/** Code that parses each definition when it is first needed: no pack has all that the schema has. */
function parsing({ $defs, ...whole }) {
  const text = (value) => JSON.stringify(JSON.stringify(value));
  const definitions = Object.entries($defs).map(
    ([name, part]) => `get ${name}() { return parseOnce(this, "${name}", ${text(part)}); }`,
  );
  return `{ ...JSON.parse(${text(whole)}), $defs: { ${definitions.join(", ")} } }`;
}

/** What is written again looks new, and the build would make the declarations again. */
function writeIfNew(name, text) {
  const path = join(folder, name);
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}

/** What authors and editors read is left out, and all schemas in places for schemas are objects. */
function withoutProse(schema) {
  if (typeof schema === "boolean") return schema ? {} : { enum: [] };
  const bare = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (["properties", "$defs"].includes(keyword))
      bare[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, withoutProse(part)]),
      );
    else if (["oneOf", "allOf"].includes(keyword)) bare[keyword] = value.map(withoutProse);
    else if (["items", "if", "then", "else"].includes(keyword) || isSchema(keyword, value))
      bare[keyword] = withoutProse(value);
    else if (!prose.test(keyword)) bare[keyword] = value;
  }
  return bare;
}

const isSchema = (keyword, value) => keyword === "additionalProperties" && typeof value === "object";
const prose =
  /^(?:\$schema|description|examples|default|deprecated|x-(?!since$|open$|before$|dotted-since$).*)$/;

/**
 * Every place of a pack: its path, what messages call it, and its properties with their kinds. The words for places,
 * the hints about misplaced properties and the versions of fields all come from this list.
 */
function placesIn(schema) {
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
  const isKept = ({ path, properties, noun, since, dottedSince }) =>
    noun !== undefined ||
    since !== undefined ||
    dottedSince !== undefined ||
    Object.keys(properties).length > 0 ||
    open.has(path.slice(0, -1).join("/"));
  return places.filter(isKept);
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

if (process.argv[1] === fileURLToPath(import.meta.url)) generateSchemas();
