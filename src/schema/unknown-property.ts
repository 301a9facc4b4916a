import type { Words } from "../diagnostic.js";
import { type Entry, hasProperty, type MappingNode, type Node } from "../document/node.js";
import { isUnspaced } from "../document/fault.js";
import { isDistantGuess, isUniqueTypo, nearestName } from "../text/names.js";
import { joinWords } from "../text/wording.js";
import { describeKind, nounOf, type Vocabulary } from "./describe-node.js";
import { isOfOtherForm } from "./merge-errors.js";
import { nearestProperty } from "./nearest-property.js";
import { places } from "./pack-places.js";
import { quoteValue, type Suggestion, suggestion } from "./show-value.js";
import {
  alternativesOf,
  knows,
  type SchemaError,
  type SchemaPart,
  typesOf,
  type Validator,
} from "./validator.js";
import { allowedKeysAdvice, unspacedAdvice } from "./value-messages.js";

export interface ErrorContext {
  readonly root: Node;
  readonly validator: Validator;
  /** Words for the parts of a document that is not a pack. */
  readonly words?: Vocabulary | undefined;
  /** An object that may have one of several forms, and the forms it does not have. */
  readonly otherForms?: { readonly of: Node; readonly schemas: readonly SchemaPart[] };
}

export function unknownProperty(
  { node, part, property: name = "" }: SchemaError,
  { validator: { schema }, words, otherForms }: ErrorContext,
): Words {
  const kind = describeKind(node, words);
  const message = `${quoteValue(name)} is not a property of ${kind}.`;
  const entry = node.kind === "mapping" ? node.entry(name) : undefined;
  if (node.kind !== "mapping" || entry === undefined) return { message };
  const others = otherForms?.of === node ? otherForms.schemas : [];
  if (isOfOtherForm(name, others)) return { message: mixedForms(node, part, others, kind) };
  const isOfPack = words === undefined;
  const known =
    (isOfPack ? placeAdvice(node, name) : undefined) ??
    (isUnspaced(entry.value) ? unspacedAdvice : undefined) ??
    (isOfPack ? partAdvice(entry, part, schema) : undefined);
  if (known !== undefined) return { message, advice: known };
  const near = nearInObject(entry, node, part, schema);
  if (near.advice !== undefined || !isOfPack) return { message, ...near };
  const isFirst = node.entries.find(({ key }) => !knows(part, key.text))?.key.text === name;
  const isListed = isFirst && others.length === 0;
  return { message, advice: isListed ? allowedKeysAdvice(kind, part) : undefined };
}

/** Names the properties that only other forms of the object have. */
function mixedForms(
  { entries }: MappingNode,
  form: SchemaPart,
  others: readonly SchemaPart[],
  kind: string,
): string {
  const names = [...new Set(entries.map(({ key }) => key.text))];
  const present = Object.keys(form.properties ?? {}).filter((name) => names.includes(name));
  const alien = names.filter((name) => !knows(form, name) && isOfOtherForm(name, others));
  return `${listAll(alien)} cannot be used together with ${listAll(present)} in ${kind}.`;
}

function listAll(names: readonly string[]): string {
  return joinWords(names.map(quoteValue), "and");
}

/** Names that many objects have: they do not tell where a property belongs. */
const commonNames = /^(?:id|name|title|label|desc|description|summary|tags|type|version)$/;

/** `temperature` is a property of the `parameters` of a prompt. */
function partAdvice(
  { key: { text: name }, value }: Entry,
  { properties = {} }: SchemaPart,
  whole: SchemaPart,
): string | undefined {
  if (commonNames.test(name)) return undefined;
  const [part, ...others] = Object.entries(properties).filter(([, each]) =>
    alternativesOf(each, whole).some((form) => fitsKind(value, form, name, whole)),
  );
  return part && others.length === 0 ? `It belongs inside ${quoteValue(part[0])}.` : undefined;
}

/** The nearest known property, one that is missing if possible. */
function nearInObject(
  { key: { text: name }, value }: Entry,
  node: MappingNode,
  schema: SchemaPart,
  whole: SchemaPart,
): Suggestion {
  const known = Object.keys(schema.properties ?? {});
  const absent = known.filter((property) => !hasProperty(node, property));
  const nearest = nearestProperty(name, absent);
  if (nearest === undefined) return {};
  // A long name may differ in several letters and still be a different word.
  if (nearestName(name, [nearest]) !== undefined && isDistantGuess(name, nearest)) {
    if (schema.required?.includes(nearest) !== true) return {};
  }
  const isSure = isUniqueTypo(name, nearest, known) && fitsKind(value, schema, nearest, whole);
  return suggestion(name, nearest, isSure);
}

/** Whether a property takes values of this kind. */
function fitsKind(value: Node, { properties = {} }: SchemaPart, name: string, whole: SchemaPart): boolean {
  const part = properties[name];
  if (part === undefined) return false;
  const kind = value.kind === "mapping" ? "object" : value.kind === "sequence" ? "array" : "scalar";
  const isOf = (type: string) => (type === "object" || type === "array" ? type : "scalar") === kind;
  return alternativesOf(part, whole).some((form) => typesOf(form).length === 0 || typesOf(form).some(isOf));
}

/** Whether the advice about a property is known: it is not a misspelt one. */
export function isForeignField(owner: Node, name: string): boolean {
  return placeAdvice(owner, name) !== undefined;
}

function placeAdvice(owner: Node, name: string): string | undefined {
  const noun = nounOf(owner);
  const advice = noun && places.find((place) => place.noun === noun)?.advice;
  return advice && Object.hasOwn(advice, name) ? advice[name] : undefined;
}
