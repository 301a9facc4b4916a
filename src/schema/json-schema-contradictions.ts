import type { Finding } from "../diagnostic.js";
import {
  childrenOf,
  isDuplicated,
  isNull,
  itemsOf,
  Key,
  LocatedBoolean,
  locatedStringsOf,
  type MappingNode,
  type Node,
  numberOf,
  placeOf,
  stringOf,
} from "../document/node.js";
import { codePoints } from "../document/scan-text.js";
import { firstByKey } from "../text/collections.js";
import { capitalize, joinWords } from "../text/wording.js";
import { describeFound, describeValue, quoteValue, type Suggestion } from "./describe-node.js";
import { itemsOrSelf, keywordUses, knownKeywords, shapeOf } from "./json-schema-keywords.js";
import { hasType, types } from "./validator.js";
import { typeName } from "./value-messages.js";

interface Options {
  readonly source: string;
  readonly isOn: (rule: string) => boolean;
  /** Suggests the keyword that a name is near to. */
  readonly correct: (name: string) => Suggestion;
}

type Get = (keyword: string) => Node | undefined;
type Limit = Pick<ReturnType<typeof readBound>, "value" | "isExclusive">;

/** Contradictions and misspelt keywords in a tool's parameters, except inside alternatives. */
export function* contradictions(root: MappingNode, options: Options): Iterable<Finding> {
  const dialect = stringOf(root.get("$schema")) ?? "";
  const fits = (keyword: string, value: Node) => shapeOf(keyword, dialect)?.fits(value) !== false;
  const judge = function* (schema: MappingNode, isRequired: boolean): Iterable<Finding> {
    const get: Get = (keyword) => {
      const value = schema.get(keyword);
      return value === undefined || isDuplicated(value) || !fits(keyword, value) ? undefined : value;
    };
    yield* judgeValues(schema, get, isRequired, options.source);
    for (const { key, value } of schema.entries) {
      if (knownKeywords.has(key.text) || key.text.startsWith("x-") || key.isDuplicate) continue;
      const { replacement: near, ...advice } = options.correct(key.text);
      // With a value of another kind it may be an extension: a "note" with text is not a misspelt "not".
      if (near === undefined || !fits(near, value)) continue;
      const reporter = schema.get(near) === undefined ? reporterOf(near, schema, root) : undefined;
      if (reporter !== undefined && options.isOn(reporter)) continue;
      const message = `${quoteValue(key.text)} in ${describeValue(schema)} is not a keyword of JSON Schema.`;
      yield { at: key, message, replacement: near, ...advice };
    }
  };
  yield* judge(root, false);
  for (const { schema, keyword, schemas } of keywordUses(root, mustFit)) {
    const names = keyword === "properties" ? locatedStringsOf(schema.get("required")) : [];
    const required = firstByKey(names, ({ text }) => text);
    for (const inner of schemas) {
      if (!mustFit(inner, keyword)) continue;
      const name = inner.key instanceof Key ? required.get(inner.key.text) : undefined;
      if (inner.kind === "mapping") yield* judge(inner, name !== undefined);
      // Among the parameters themselves, false breaks the schema of packs.
      if (schema === root || name === undefined || LocatedBoolean.of(inner)?.value !== false) continue;
      const message = `${describeValue(inner)} is required, but its schema is false, which no value fits.`;
      yield { at: placeOf(inner), message, related: [{ at: name, message: "required here" }] };
    }
  }
}

const alternatives: ReadonlySet<string> = new Set(["not", "anyOf", "oneOf", "if"]);

function mustFit(inner: Node, keyword: string): boolean {
  return !alternatives.has(keyword) && !isDuplicated(inner) && !isDuplicated(inner.parent ?? undefined);
}

/** The rule that reports what follows from the lack of a keyword. */
function reporterOf(keyword: string, schema: MappingNode, root: MappingNode): string | undefined {
  if (schema === root && ["type", "properties"].includes(keyword)) return "schema";
  const isNeeded = keyword === "properties" && itemsOf(schema.get("required")).length > 0;
  return isNeeded || ["$defs", "definitions"].includes(keyword) ? "tool-parameters" : undefined;
}

function* judgeValues(schema: MappingNode, get: Get, isRequired: boolean, source: string): Iterable<Finding> {
  const nameOf = (keyword: string) => `the ${quoteValue(keyword)} of ${describeValue(schema)}`;
  const wrong = (keyword: string, value: Node, fault: string): Finding => {
    const verb = keyword === "enum" || keyword === "examples" ? "lists" : "is";
    const message = `${nameOf(keyword)} ${verb} ${describeFound(value, source)}, ${fault}.`;
    return { at: placeOf(value), wants: fault, message };
  };
  const { list, misfits, empty, fitsType, typeFault, faultOf } = readLimits(get);
  for (const [low, high] of empty) {
    const message = `no value fits both ${nameOf(low.keyword)}, which is ${low.value}, and its ${quoteValue(high.keyword)} of ${high.value}.`;
    yield { at: placeOf(low.node ?? schema), message };
  }
  if (list !== undefined && itemsOf(list).length === 0)
    yield { at: placeOf(list), message: `${nameOf("enum")} is an empty list, which no value fits.` };
  const group = { name: list?.pointer ?? "", also: "nor does this one fit" };
  for (const value of misfits) yield { ...wrong("enum", value, typeFault), group };
  const constant = get("const");
  if (constant !== undefined && !fitsType(constant)) yield wrong("const", constant, typeFault);
  for (const keyword of ["default", "example", "examples"])
    for (const value of keyword === "examples" ? itemsOf(get(keyword)) : [get(keyword)]) {
      const fault = value === undefined || (isNull(value) && !isRequired) ? undefined : faultOf(value);
      if (value !== undefined && fault !== undefined) yield wrong(keyword, value, fault);
    }
}

function readLimits(get: Get) {
  const type = get("type");
  const named = type === undefined ? [] : itemsOrSelf(type).map(stringOf);
  const isNullable = isTrue(get("nullable"));
  const allowed = types.filter((each) => named.includes(each) || (isNullable && each === "null"));
  const fitsType = (value: Node): boolean => named.length === 0 || hasType(value, allowed);
  const typeFault = `but its type requires ${joinWords(allowed.map(typeName), "or")}`;
  const list = get("enum");
  const misfits = itemsOf(list).filter((item) => !fitsType(item));
  const listed = new Set(itemsOf(list).map(identify));
  const bounds = ranges.map(([low, high]) => [readBound(get, low), readBound(get, high)] as const);
  const empty = bounds.filter(([low, high]) => isAbove(low, high));
  /** Undefined also for what follows from another mistake. */
  const faultOf = (value: Node): string | undefined => {
    const isListed = listed.has(identify(value));
    if (!fitsType(value)) return isListed ? undefined : typeFault;
    if (!isListed && listed.size > 0 && misfits.length === 0) return 'which its "enum" does not list';
    const broken = bounds.flatMap(([low, high]) => {
      const size = { value: sizeOf(value, low.keyword), isExclusive: false };
      return isAbove(low, size) ? low : isAbove(size, high) ? high : [];
    })[0];
    if (broken === undefined || empty.length > 0) return undefined;
    return `but its ${quoteValue(broken.keyword)} is ${broken.value}`;
  };
  return { list, misfits, empty, fitsType, typeFault, faultOf };
}

/** Lists and objects are not compared: one in the enum may be any of its kind. */
const identify = (node: Node) => (node.kind === "scalar" ? JSON.stringify(node.value) : node.kind);

const ranges = [
  ["minimum", "maximum"],
  ["exclusiveMinimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

/** Nothing is above or below a missing bound, which is not a number. */
function readBound(get: Get, keyword: string) {
  const node = get(keyword);
  // Before draft 6, a boolean made the bound beside it exclusive.
  const isExclusive = keyword.startsWith("exclusive") || isTrue(get(`exclusive${capitalize(keyword)}`));
  return { keyword, node, value: numberOf(node) ?? NaN, isExclusive };
}

function isAbove(low: Limit, high: Limit): boolean {
  return low.value > high.value || ((low.isExclusive || high.isExclusive) && low.value === high.value);
}

/** The size of a value that the bound limits; NaN if the bound does not apply to values of its type. */
function sizeOf(value: Node, bound: string): number {
  const kind = bound === "minItems" ? "sequence" : bound === "minProperties" ? "mapping" : "scalar";
  if (value.kind !== kind) return NaN;
  if (value.kind !== "scalar") return childrenOf(value).length;
  if (bound !== "minLength") return numberOf(value) ?? NaN;
  return typeof value.value === "string" ? codePoints(value.value) : NaN;
}

const isTrue = (node: Node | undefined): boolean => LocatedBoolean.of(node)?.value === true;
