import type { Finding, Fix } from "../diagnostic.js";
import { addEntries, type Edits, removeEntry } from "../document/edit.js";
import { type Entry, hasProperty, type MappingNode, type Node } from "../document/node.js";
import { type Document, isUnspaced } from "../document/document.js";
import { isDistantGuess, isUniqueTypo, maxNameLength, nearestName, splitWords } from "../text/names.js";
import { joinWords } from "../text/wording.js";
import {
  describeKind,
  placeAdvice,
  quoteValue,
  type Suggestion,
  suggestion,
  type Vocabulary,
} from "./describe-node.js";
import {
  alternativesOf,
  knows,
  type SchemaError,
  type SchemaPart,
  typesOf,
  type Validator,
} from "./validator.js";
import { allowedKeysAdvice, spaceAdvice } from "./value-messages.js";

export interface ErrorContext {
  readonly source: string;
  /** The pack; undefined for other documents. */
  readonly document?: Document;
  readonly validator: Validator;
  /** Words for the parts of a document that is not a pack. */
  readonly words?: Vocabulary | undefined;
  /** An object that may have one of several forms, and the forms it does not have. */
  readonly otherForms?: { readonly of: Node; readonly schemas: readonly SchemaPart[] };
}

export function unknownProperty(
  { node, part, property: name = "" }: SchemaError,
  { validator: { schema }, words, otherForms, document }: ErrorContext,
): Omit<Finding, "at"> {
  const kind = describeKind(node, words);
  const message = `${quoteValue(name)} is not a property of ${kind}.`;
  const entry = node.kind === "mapping" ? node.entry(name) : undefined;
  if (node.kind !== "mapping" || entry === undefined) return { message };
  const others = otherForms?.of === node ? otherForms.schemas : [];
  if (isOfOtherForm(name, others)) return { message: mixedForms(node, part, others, kind) };
  const isOfPack = words === undefined;
  const advised = isOfPack ? placeAdvice(node, name) : undefined;
  if (advised === undefined && isUnspaced(entry.value)) return { message, ...spaceAdvice(entry.key) };
  if (advised !== undefined) return { message, advice: advised };
  const home = isOfPack ? partAround(entry, part, schema) : undefined;
  if (home !== undefined) {
    const fix = document && moveFix(document, node, name, home);
    const advice = `It belongs inside ${quoteValue(home)}.`;
    return { message, advice, fix, alsoAt: [`${node.pointer}/${home}`] };
  }
  const near = nearInObject(entry, node, part, schema);
  if (near.advice !== undefined || !isOfPack) return { message, ...near };
  const isFirst = node.entries.find(({ key }) => !knows(part, key.text))?.key.text === name;
  const isListed = isFirst && others.length === 0;
  return { message, advice: isListed ? allowedKeysAdvice(kind, part) : undefined };
}

export function isOfOtherForm(name: string, others: readonly SchemaPart[]): boolean {
  return others.some((other) => knows(other, name));
}

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

/** The property that an unknown one belongs inside, as `temperature` belongs inside the `parameters` of a prompt. */
export function partAround(
  { key: { text: name }, value }: Entry,
  { properties = {} }: SchemaPart,
  whole: SchemaPart,
): string | undefined {
  if (commonNames.test(name)) return undefined;
  const [part, ...others] = Object.entries(properties).filter(([, each]) =>
    alternativesOf(each, whole).some((form) => fitsKind(value, form, name, whole)),
  );
  return others.length === 0 ? part?.[0] : undefined;
}

/** Moves a scalar into a part of its object. */
export function moveFix(document: Document, owner: MappingNode, name: string, home: string): Fix | undefined {
  const entry = owner.entry(name);
  if (entry === undefined) return undefined;
  const { key, value } = entry;
  if (value.kind !== "scalar" || value.value === null || /^[*|>]/.test(document.text.slice(value.start)))
    return undefined;
  const fix = (edits: Edits): Fix | undefined =>
    edits && { description: `Move it into ${quoteValue(home)}.`, unsafe: true, edits };
  const part = owner.get(home);
  if (part === undefined) {
    const opening = document.format === "json" ? `"${home}": { ` : `${home}: { `;
    return fix([
      { start: key.start, end: key.start, text: opening },
      { start: value.end, end: value.end, text: " }" },
    ]);
  }
  const removed = removeEntry(document, owner, name);
  const added =
    part.kind === "mapping" ? addEntries(document, part, [{ name, value: value.value }]) : undefined;
  return fix(removed && added && [...removed, ...added]);
}

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
  const isDistant = nearestName(name, [nearest]) !== undefined && isDistantGuess(name, nearest);
  if (isDistant && schema.required?.includes(nearest) !== true) return {};
  // The intended property may be there already, or the name may be another word.
  const isSpelled = nearestName(name, absent) === nearest;
  const isSure = isSpelled ? isUniqueTypo(name, nearest, known) : nearestProperty(name, known) === nearest;
  return suggestion(name, nearest, isSure && fitsKind(value, schema, nearest, whole));
}

function fitsKind(value: Node, { properties = {} }: SchemaPart, name: string, whole: SchemaPart): boolean {
  const part = properties[name];
  if (part === undefined) return false;
  const kind = value.kind === "mapping" ? "object" : value.kind === "sequence" ? "array" : "scalar";
  const isOf = (type: string) => (type === "object" || type === "array" ? type : "scalar") === kind;
  return alternativesOf(part, whole).some((form) => typesOf(form).length === 0 || typesOf(form).some(isOf));
}

/** The names of properties in other formats and common guesses, word by word. */
const synonyms = Object.entries({
  system_template: /^(?:system prompt|instructions|content|text|messages)$/,
  states: /^(?:nodes|steps|stages)$/,
  workflow: /^(?:states|state machine|flow)$/,
  on_event: /^(?:on|events|transitions?|next|edges)$/,
  terminal: /^(?:is )?(?:final|terminal|end)$/,
  entry: /^(?:(?:initial|start)(?: state)?|start at|entry (?:state|point)|entrypoint)$/,
  path: /^dir$/,
  parameters: /^input schema$/,
  minimum: /^min$/,
  maximum: /^max$/,
  max_visits: /^max (?:iterations|loops|steps|retries|attempts)$/,
  max_total_visits: /^max (?:total )?(?:iterations|loops|steps)$/,
  max_wall_time_sec: /^(?:timeout(?: sec| seconds)?|max wall time seconds)$/,
});

/** The known property that is nearest to an unknown one: misspelt, a synonym, or cut short. */
export function nearestProperty(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const near = nearestName(name, names);
  if (near !== undefined || name.length > maxNameLength) return near;
  const words = splitWords(name);
  const written = words.join(" ");
  const other = synonyms.find(([property, pattern]) => pattern.test(written) && names.includes(property));
  if (other !== undefined) return other[0];
  // Not the beginning of a longer property.
  if (name === "model") return undefined;
  const [longer, ...more] = names.filter((candidate) => hasWords(candidate, words));
  return more.length === 0 ? longer : undefined;
}

/** Whether a name has these words in this order: `max_total_visits` has those of `max_visits`. */
function hasWords(name: string, words: readonly string[]): boolean {
  // A cheap test first.
  const lower = name.toLowerCase();
  if (!words.every((word) => lower.includes(word))) return false;
  let met = 0;
  for (const word of splitWords(name)) if (word === words[met]) met++;
  return met > 0 && met === words.length;
}
