import { type Node, numberOf, stringOf } from "../document/node.js";
import type { ValueDifference, Values } from "./values.js";

/** How a rule for values changed; it may accept both more and less than before. */
export interface ConstraintChange extends ValueDifference {
  readonly isNarrower: boolean;
  readonly isWider: boolean;
}

type Value = Node | undefined;

/** Their values are schemas: `false` accepts nothing, and `true` everything. */
const schemaKeywords = new Set(["items", "additionalProperties", "properties"]);

/** With one of these a schema accepts less than without, whatever else it has. */
const restrictions = new Set([...schemaKeywords, ..."type enum const pattern format uniqueItems".split(" ")]);

/**
 * How one keyword of JSON Schema, or of the validation of a variable (RFC 0003), differs between two rules for a value;
 * undefined if the same values are accepted.
 */
export function compareConstraint(
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
