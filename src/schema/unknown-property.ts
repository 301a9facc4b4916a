import type { Words } from "../diagnostic.js";
import { lowerBound } from "../document/line-map.js";
import { type Entry, hasProperty, type MappingNode, type Node, stringOf } from "../document/node.js";
import { isDistantGuess, isUniqueTypo, nearestName } from "../text/names.js";
import { newestSpecVersion } from "../text/tool-info.js";
import { describeKind, nounOf } from "./describe-node.js";
import type { Around } from "./item-hints.js";
import { isOfOtherForm, mixedForms } from "./merge-errors.js";
import { belongsInside, homeOf, homeOfContent, settingsFor } from "./misplaced-properties.js";
import { isGlued, nearestProperty } from "./nearest-property.js";
import { places } from "./pack-places.js";
import { quoteValue, type Suggestion, suggestion } from "./show-value.js";
import { isBlockText, isLikeText } from "./source-style.js";
import { alternativesOf } from "./subschemas.js";
import { knows, type SchemaError, type SchemaPart, typesOf } from "./validator.js";
import { allowedKeysAdvice, gluedAdvice } from "./value-messages.js";

/** What is known around an error. */
export interface Surrounding extends Around {
  readonly root: Node;
  /** What to do about the error, where it is known already. */
  readonly said?: Suggestion | undefined;
  /** A thing that may have several forms, and those that it was not given. */
  readonly otherForms?: { readonly of: Node; readonly schemas: readonly SchemaPart[] };
}

/** What to say of a property that a thing does not have. */
export function unknownProperty(
  name: string,
  { parentSchema }: SchemaError,
  node: Node,
  { root, schema, words, otherForms, said }: Surrounding,
): Words {
  const kind = describeKind(node, words);
  const message = `${quoteValue(name)} is not a property of ${kind}.`;
  const entry = node.kind === "mapping" ? node.entry(name) : undefined;
  if (said?.advice !== undefined || node.kind !== "mapping" || entry === undefined)
    return { message, ...said };
  const others = otherForms?.of === node ? otherForms.schemas : [];
  if (isOfOtherForm(name, others)) return { message: mixedForms(node, parentSchema, others, kind) };
  const later = words === undefined ? laterAdvice(entry, node) : undefined;
  const elsewhere =
    later ?? gluedAdvice(entry.value) ?? (words === undefined ? homeAdvice(entry, node, root) : undefined);
  if (elsewhere !== undefined) return { message, advice: elsewhere };
  const meant = meantIn(entry, node, parentSchema, schema);
  if (meant.advice !== undefined || words !== undefined) return { message, ...meant };
  return {
    message,
    advice:
      partAdvice(entry, node, parentSchema) ??
      textAdvice(entry, node) ??
      (others.length === 0 && isFirstUnknown(name, node, parentSchema)
        ? allowedKeysAdvice(kind, parentSchema)
        : undefined),
  };
}

/** What a thing takes is said once. */
function isFirstUnknown(name: string, { entries }: MappingNode, schema: SchemaPart): boolean {
  return entries.find(({ key }) => !knows(schema, key.text))?.key.text === name;
}

/** Where it belongs instead. */
function homeAdvice({ key, value }: Entry, node: MappingNode, root: Node): string | undefined {
  const noun = nounOf(node);
  const home =
    homeOf(key.text, noun, value.kind) ?? homeOfContent((property) => hasProperty(value, property), noun);
  if (home === undefined || (home === "" && hasProperty(root, key.text))) return undefined;
  return belongsInside(home);
}

/** The part of the thing in which it may belong, whatever it is called. */
function partAdvice(entry: Entry, node: MappingNode, { required = [] }: SchemaPart): string | undefined {
  const settings = settingsFor(entry.key.text, nounOf(node));
  // What it lacks may be there under a name that is not known here.
  if (settings === undefined || !required.every((property) => hasProperty(node, property))) return undefined;
  return `Settings of its type belong inside ${quoteValue(settings)}.`;
}

/** A line of the text above it that is not indented. */
function textAdvice({ key }: Entry, { entries, allEntries = entries }: MappingNode): string | undefined {
  const above = allEntries[lowerBound(allEntries, key.start, (entry) => entry.key.start) - 1];
  if (above === undefined || !isBlockText(above.value) || !isLikeText(key.text)) return undefined;
  return `If it belongs to the text of ${quoteValue(above.key.text)}, indent it.`;
}

/** Of a text, `min` is the length. */
function meantIn(
  entry: Entry,
  node: MappingNode,
  schema: SchemaPart,
  whole: SchemaPart | undefined,
): Suggestion {
  const { parent } = node;
  const name = entry.key.text;
  const known = Object.keys(schema.properties ?? {});
  const absent = known.filter((property) => !hasProperty(node, property));
  // Of two that are as near, the one that is lacking is meant.
  const near = nearestName(name, [...absent, ...known]);
  const isThere = near !== undefined && hasProperty(node, near);
  if (isThere && isUniqueTypo(name, near, known) && textAdvice(entry, node) === undefined)
    return { advice: `Did you mean ${quoteValue(near)}? It is already there: remove one of them.` };
  const isText = parent?.kind === "mapping" && stringOf(parent.get("type")) === "string";
  const fits = (property: string) => property !== "minimum" && property !== "maximum";
  const meant =
    (isText ? nearestProperty(name, absent.filter(fits)) : undefined) ??
    nearestProperty(name, absent) ??
    meantByContent(entry, absent, schema, whole);
  if (meant === undefined || isOtherThing(entry, meant, schema, whole)) return {};
  const isSure =
    !isGlued(name) && isUniqueTypo(name, meant, known) && fitsKind(entry.value, schema, meant, whole);
  return suggestion(meant, isSure);
}

/** `state_machine` with a version, an entry and states is the workflow: the one object that needs these. */
function meantByContent(
  { value }: Entry,
  absent: readonly string[],
  { properties = {} }: SchemaPart,
  whole: SchemaPart | undefined,
): string | undefined {
  if (whole === undefined || value.kind !== "mapping") return undefined;
  const isWhole = ({ required = [] }: SchemaPart) =>
    required.length > 1 && required.every((property) => hasProperty(value, property));
  const [only, ...others] = absent.filter((name) => {
    const part = properties[name];
    return part !== undefined && alternativesOf(part, whole).some(isWhole);
  });
  return others.length === 0 ? only : undefined;
}

/** Whether a property takes values of this kind. */
function fitsKind(
  value: Node,
  { properties = {} }: SchemaPart,
  name: string,
  whole: SchemaPart = {},
): boolean {
  const part = properties[name];
  if (part === undefined) return false;
  const kind = value.kind === "mapping" ? "object" : value.kind === "sequence" ? "array" : "scalar";
  const isOf = (type: string) => (type === "object" || type === "array" ? type : "scalar") === kind;
  return alternativesOf(part, whole).some((form) => typesOf(form).length === 0 || typesOf(form).some(isOf));
}

/** Whether what is called only somewhat like an object that a thing may have holds nothing that belongs in such an object. */
function isOtherThing(
  { key, value }: Entry,
  meant: string,
  { properties = {}, required = [] }: SchemaPart,
  whole: SchemaPart | undefined,
): boolean {
  const part = properties[meant];
  if (whole === undefined || part === undefined || required.includes(meant)) return false;
  if (nearestName(key.text, [meant]) === undefined || !isDistantGuess(key.text, meant)) return false;
  return alternativesOf(part, whole).every((form) => typesOf(form).includes("object") && !mayBe(value, form));
}

function mayBe(value: Node, { properties = {}, required, additionalProperties }: SchemaPart): boolean {
  if (required === undefined && additionalProperties !== false) return true;
  const known = Object.keys(properties);
  const isKnown = (name: string) => known.includes(name) || nearestProperty(name, known) !== undefined;
  return value.kind === "mapping" && value.entries.some(({ key }) => isKnown(key.text));
}

const newest = `v${newestSpecVersion} is the newest version known here.`;

/** Advice about a property that is not a mistake, only too new. */
function laterAdvice({ key, value }: Entry, owner: Node): string | undefined {
  const noun = nounOf(owner);
  const later = noun && places.find((place) => place.noun === noun)?.later;
  const field = later && Object.hasOwn(later, key.text) ? later[key.text] : undefined;
  if (field === undefined || (value.kind === "mapping") !== (field.type === "object")) return undefined;
  return `It came with v${field.since}; ${newest}`;
}

/** Advice about a property that a state lacks because later versions do not require it. */
export function laterLack(missing: string, state: Node): string | undefined {
  const isComposition =
    missing === "prompt_task" &&
    nounOf(state) === "state" &&
    state.kind === "mapping" &&
    stringOf(state.get("orchestration")) === "composition";
  return isComposition ? `From v1.5 on, a composition needs none; ${newest}` : undefined;
}
