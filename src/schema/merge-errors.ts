import { Key, type Node } from "../document/node.js";
import { nearestProperty } from "./nearest-property.js";
import { knows, type SchemaError, type SchemaErrors, type SchemaPart } from "./validator.js";

/** Keywords about one value, best first: a value that breaks several of them is one mistake. */
const valueKeywords = ["type", "enum", "pattern", "format", "minLength", "maxLength", "minimum", "maximum"];

/** Merges errors with one cause. */
export function mergedErrors(errors: SchemaErrors): SchemaErrors {
  const kept: SchemaError[] = [];
  for (const error of errors) {
    const top = kept.at(-1);
    if (top === undefined || top.node !== error.node || rank(top) < 0 || rank(error) < 0) kept.push(error);
    else if (rank(error) < rank(top)) kept[kept.length - 1] = error;
  }
  return withoutMisspelt(kept);
}

function rank(error: SchemaError): number {
  return valueKeywords.indexOf(error.keyword);
}

/** Drops a missing property that is present under a misspelled name: the misspelled name is reported. */
function withoutMisspelt(errors: SchemaErrors): SchemaErrors {
  const missing = new Map<string, SchemaError>();
  const dropped = new Set<SchemaError>();
  let owner: Node | undefined;
  for (const error of errors) {
    const about = misspeltIn(error);
    const next = about?.owner ?? error.node;
    if (next !== owner) missing.clear();
    owner = next;
    if (error.keyword === "required") missing.set(error.property ?? "", error);
    if (about === undefined || missing.size === 0) continue;
    const misspelled = missing.get(nearestProperty(about.name, about.known ?? missing.keys()) ?? "");
    if (misspelled !== undefined) dropped.add(misspelled);
  }
  return dropped.size === 0 ? errors : errors.filter((error) => !dropped.has(error));
}

/** An unknown property, or an entry of an open object that matches none of its forms. */
function misspeltIn({ keyword, node, property = "", part }: SchemaError) {
  if (keyword === "additionalProperties")
    return { owner: node, name: property, known: Object.keys(part.properties ?? {}) };
  if (keyword !== "oneOf" || !(node.key instanceof Key)) return undefined;
  return { owner: node.parent ?? node, name: node.key.text, known: undefined };
}

/** Whether another form of the object has this property. */
export function isOfOtherForm(name: string, others: readonly SchemaPart[]): boolean {
  return others.some((other) => knows(other, name));
}

/** Keeps the first error about properties that only other forms of the object have. */
export function withoutOtherForms(
  errors: SchemaErrors,
  node: Node,
  others: readonly SchemaPart[],
): SchemaErrors {
  const isAlien = ({ keyword, node: owner, property = "" }: SchemaError) =>
    keyword === "additionalProperties" && owner === node && isOfOtherForm(property, others);
  const first = errors.find(isAlien);
  return errors.filter((error) => error === first || !isAlien(error));
}
