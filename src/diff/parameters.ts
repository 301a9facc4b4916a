import type { Place } from "../diagnostic.js";
import {
  asMapping,
  LocatedBoolean,
  locatedStringsOf,
  type MappingNode,
  type Node,
  numberOf,
  placeOf,
  stringOf,
} from "../document/node.js";
import type { Prompt, Tool } from "../pack/prompt.js";
import { shapeOf } from "../schema/json-schema-keywords.js";
import { type Change, type ChangeLevel, compareMembers, createChange, createJointChange } from "./change.js";
import type { Comparison } from "./comparison.js";
import { keyOf, keysOf, type ValueDifference, type Values } from "./values.js";

/** How a rule for values changed; it may accept both more and less than before. */
interface ConstraintChange extends ValueDifference {
  readonly isNarrower: boolean;
  readonly isWider: boolean;
}

type Value = Node | undefined;

/** Their values are schemas: `false` accepts nothing, and `true` everything. */
const schemaKeywords = new Set(["items", "additionalProperties", "properties"]);

/** With one of these a schema accepts less than without, whatever else it has. */
const restrictions = new Set([...schemaKeywords, ..."type enum const pattern format uniqueItems".split(" ")]);

/** A keyword of JSON Schema, or of a variable's validation (RFC 0003). Undefined if the same values are accepted. */
function compareConstraint(
  keyword: string,
  before: Value,
  after: Value,
  values: Values,
): ConstraintChange | undefined {
  const [was, is] = [before, after].map((node) =>
    excludesNothing(keyword, node) ? undefined : values.present(node),
  );
  const difference = values.difference(keyword, was, is);
  const [isNarrower, isWider] = effectOf(keyword, was, is, values);
  // `type: [string]` is `type: string`.
  return difference && (isNarrower || isWider) ? { ...difference, isNarrower, isWider } : undefined;
}

function excludesNothing(keyword: string, node: Node | undefined): boolean {
  if (node?.kind !== "scalar") return false;
  if (/^min[_LIP]/.test(keyword)) return node.value === 0;
  return keyword !== "const" && node.value === schemaKeywords.has(keyword);
}

/** Whether the new rule excludes some value that the old one accepts, and the reverse; where unclear, both. */
function effectOf(keyword: string, was: Value, is: Value, values: Values): readonly [boolean, boolean] {
  const isLower = /^(?:exclusiveM|m)in/.test(keyword);
  const isBound = isLower || /^(?:exclusiveM|m)ax/.test(keyword);
  if (was === undefined || is === undefined)
    return isBound || restrictions.has(keyword) ? [was === undefined, is === undefined] : [true, true];
  const [old, now] = [numberOf(was), numberOf(is)];
  if (isBound && old !== undefined && now !== undefined)
    return [isLower === now > old, isLower !== now > old];
  if (schemaKeywords.has(keyword) && was.kind !== is.kind)
    return [is.kind === "scalar", was.kind === "scalar"];
  if (keyword === "enum") return [values.lacking(was, is).length > 0, values.lacking(is, was).length > 0];
  if (keyword !== "type") return [true, true];
  const [oldTypes, types] = [typesOf(was), typesOf(is)];
  return [[...oldTypes].some((type) => !types.has(type)), [...types].some((type) => !oldTypes.has(type))];
}

/** Every integer is a number. */
function typesOf(node: Node): ReadonlySet<string | undefined> {
  const names = (node.kind === "sequence" ? node.items : [node]).map(stringOf);
  return new Set(names.includes("number") ? [...names, "integer"] : names);
}

type Variable = Prompt["variables"][number];

export function compareVariables(before: Prompt, after: Prompt, values: Values): Iterable<Change> {
  return compareMembers(before.declared, after.declared, {
    title: (name) => `the variable "${name}" of prompt "${after.key.text}"`,
    added: (variable) => (mustBeGiven(variable) ? "variable-required" : "variable-added"),
    removed: "variable-removed",
    placeOf: ({ name, node }) => name ?? placeOf(node),
    compare: (old, variable, title) => compareVariable(title, old, variable, values),
  });
}

/** Unless it has a default, or the runtime gives it. */
function mustBeGiven({ required, default: value, node }: Variable): boolean {
  const isFilledIn = LocatedBoolean.of(asMapping(node.get("binding"))?.get("auto_populate"))?.value;
  return required?.value === true && value === undefined && isFilledIn !== true;
}

function* compareVariable(title: string, old: Variable, variable: Variable, values: Values) {
  const [hadToBeGiven, hasToBeGiven] = [mustBeGiven(old), mustBeGiven(variable)];
  const at = variable.required ?? variable.name ?? placeOf(variable.node);
  const became = old.required?.value === true ? "is no longer filled in" : "is required now";
  if (hasToBeGiven && !hadToBeGiven) yield createChange("variable-required", "new", at, `${title} ${became}`);
  if (hadToBeGiven && !hasToBeGiven)
    yield createChange("variable-widened", "new", at, `${title} may be left out now`);
  const rules = compareRules(old, variable, values);
  const narrower = rules.filter(({ isNarrower }) => isNarrower);
  yield* narrower.length > 0
    ? createJointChange("variable-narrowed", `${title} no longer accepts some values`, narrower)
    : createJointChange("variable-widened", `${title} accepts more values`, rules);
  const difference = values.difference("default", old.default, variable.default);
  if (hadToBeGiven !== hasToBeGiven || difference === undefined) return;
  const { side, at: place, predicate } = difference;
  yield createChange("variable-default-changed", side, place, `the default of ${title} ${predicate}`);
}

const validationKeywords = ["pattern", "min_length", "max_length", "minimum", "maximum", "enum"];

function compareRules(old: Variable, variable: Variable, values: Values): readonly ConstraintChange[] {
  const type = compareConstraint("type", old.type?.node, variable.type?.node, values);
  // The rules for a value of an unrelated type say nothing about this one.
  if (type !== undefined && type.isNarrower && type.isWider) return [type];
  const [before, after] = [old, variable].map(({ node }) => asMapping(node.get("validation")));
  const rules = validationKeywords.map((keyword) =>
    compareConstraint(keyword, before?.get(keyword), after?.get(keyword), values),
  );
  return [type, ...rules].flatMap((rule) => rule ?? []);
}

type Changes = Iterable<Change>;

/** Keywords that describe values and exclude none, and those that are compared by property. */
const notConstraints = new Set(
  `$schema $id $comment $vocabulary title description examples default deprecated readOnly writeOnly contentEncoding
  contentMediaType contentSchema properties required`.split(/\s+/),
);

/** The name by which the model and the host know it. */
export const nameOfTool = ({ name, key }: Tool): string => name?.text ?? key.text;

/** The pack sends the arguments, so a schema that allows more, or promises less, breaks hosts. */
export function* compareParameters(before: Tool, after: Tool, { values, exact }: Comparison): Changes {
  const [was, is] = [before.node?.get("parameters"), after.node?.get("parameters")];
  if (exact.isSame(was, is)) return;
  const changes = [...compareSchemas("", values, before.parameters, after.parameters)];
  if (changes.length === 0 && is !== undefined)
    changes.push(changeOf("compatible", "new", keyOf(is), "describes its parameters differently"));
  for (const change of changes)
    yield { ...change, message: `Tool "${nameOfTool(after)}" ${change.message}.` };
}

/** `path` is `order.items[]`, empty for the whole. */
function* compareSchemas(path: string, values: Values, before?: MappingNode, after?: MappingNode): Changes {
  if (values.isSame(before, after)) return;
  yield* compareProperties(path, values, before, after);
  if (before === undefined || after === undefined) return;
  for (const keyword of keysOf(before, after)) {
    // Arguments are always an object.
    if (notConstraints.has(keyword) || (path === "" && keyword === "type")) continue;
    if (shapeOf(keyword, "") === undefined) continue;
    yield* compareKeyword(keyword, path, values, before.get(keyword), after.get(keyword));
  }
}

function* compareKeyword(keyword: string, path: string, values: Values, was?: Node, is?: Node): Changes {
  const inside = { items: `${path}[]`, properties: path }[keyword];
  const areSchemas = inside !== undefined && was?.kind === "mapping" && is?.kind === "mapping";
  if (areSchemas) yield* compareSchemas(inside, values, was, is);
  const change = areSchemas ? undefined : compareConstraint(keyword, was, is, values);
  if (change === undefined) return;
  const { side, at, predicate, isWider } = change;
  const effect = isWider ? "may be called with new values" : "is called with fewer values";
  const message = `${effect}${path === "" ? "" : ` of "${path}"`}: "${keyword}" ${predicate}`;
  yield changeOf(isWider ? "breaking" : "compatible", side, at, message);
}

function* compareProperties(path: string, values: Values, before?: MappingNode, after?: MappingNode) {
  const [old, now] = [asMapping(before?.get("properties")), asMapping(after?.get("properties"))];
  const [wasRequired, isRequired] = [requiredOf(before), requiredOf(after)];
  for (const name of new Set([...keysOf(old, now), ...isRequired.keys(), ...wasRequired.keys()])) {
    const [was, is] = [old?.entry(name), now?.entry(name)];
    const [needed, needs] = [wasRequired.get(name), isRequired.get(name)];
    const inside = path === "" ? name : `${path}.${name}`;
    if (is !== undefined && was === undefined && needed === undefined)
      yield changeOf("behaviour", "new", is.key, `may be called with a new parameter "${inside}"`);
    else if (was !== undefined && is === undefined && needs === undefined) {
      const level = needed === undefined ? "compatible" : "breaking";
      yield changeOf(level, "old", was.key, `is no longer called with "${inside}"`);
    } else if (needs !== undefined && needed === undefined)
      yield changeOf("compatible", "new", needs, `is always called with "${inside}" now`);
    else if (needed !== undefined && needs === undefined) {
      const side = is === undefined ? "old" : "new";
      yield changeOf("breaking", side, is?.key ?? needed, `may be called without "${inside}" now`);
    }
    if (was && is) yield* compareKeyword("properties", inside, values, was.value, is.value);
  }
}

function requiredOf(schema: MappingNode | undefined): ReadonlyMap<string, Place> {
  return new Map(locatedStringsOf(schema?.get("required")).map((name) => [name.text, name]));
}

function changeOf(level: ChangeLevel, side: Change["side"], at: Place, message: string): Change {
  return { rule: "tool-parameters-changed", level, side, at, message };
}
