import { type Entry, isNull, type MappingNode } from "../document/node.js";
import { hasProperty } from "../document/spelled-values.js";
import { isVariableType, identifyingProperties, placeForContent } from "./below-name.js";
import { alternativesOf } from "./parts-for.js";
import { linesFrom } from "./place-words.js";
import { quoteValue } from "./show-value.js";
import { nounOf } from "./thing.js";
import { knows, requiredIn, type SchemaPart } from "./validator.js";
import type { Noun } from "./pack-places.js";
import type { Vocabulary } from "./vocabulary.js";
import { isBlock } from "./written-as.js";

/** What is known around an object. */
export interface Around {
  /** The schema that the whole document is held against. */
  readonly schema?: SchemaPart | undefined;
  /** What the things of another schema than that of packs are called. */
  readonly words?: Vocabulary | undefined;
}

export const eachAsItem = "write each entry as a list item";

/** What to do about an object in the place of a list: it is one of the items, or has them by their names. */
export function itemHint(node: MappingNode, items: SchemaPart, { schema = {}, words }: Around): string {
  const [first] = node.entries;
  if (first === undefined) return "write [] for an empty list";
  const noun = nounOf(first.value, words);
  const forms = alternativesOf(items, schema);
  if (forms.some((form) => isItem(node, form, noun))) return isBlock(node) ? dashHint(node) : "put it in [ ]";
  const form = formOfEach(node, forms);
  const hint = form === undefined ? undefined : keyHint(node, form, noun);
  return hint === undefined ? eachAsItem : `${eachAsItem}, ${hint}`;
}

/** It has what tells an item, or most of it is what an item has; and it does not look like items of their own. */
function isItem({ entries }: MappingNode, form: SchemaPart, noun: Noun | undefined): boolean {
  const known = entries.filter(({ key }) => knows(form, key.text));
  if (known.length === 0 || entries.every(({ value }) => isVariableType(value, noun))) return false;
  const telling = [...identifyingProperties(form), ...requiredIn(form)];
  const isTold = ({ key, value }: Entry) =>
    telling.includes(key.text) && value.kind === "scalar" && !isNull(value) && !isVariableType(value, noun);
  const own = form.additionalProperties === false ? known : entries;
  return (
    known.some(isTold) ||
    (2 * own.length > entries.length && own.some(({ value }) => value.kind !== "mapping" && !isNull(value)))
  );
}

function dashHint({ entries }: MappingNode): string {
  const [first = "", ...rest] = entries.map(({ key }) => key.text);
  const indent = rest.length === 0 ? "" : ` and indent ${linesFrom(rest)} as far as ${quoteValue(first)}`;
  return `put "- " before ${quoteValue(first)}${indent}`;
}

/** Which form the entries have; nothing where one may be a mere name. */
function formOfEach({ entries }: MappingNode, forms: readonly SchemaPart[]): SchemaPart | undefined {
  const insides = entries.flatMap(({ value }) => (value.kind === "mapping" ? value.entries : []));
  const areThings = entries.every(({ value }) => value.kind === "mapping");
  const objects = forms.filter(({ properties }) => properties !== undefined);
  if (!areThings && objects.length < forms.length) return undefined;
  return objects.find((form) => insides.some(({ key }) => knows(form, key.text))) ?? objects[0];
}

/** What becomes of the keys; nothing where that is not plain. */
function keyHint({ entries }: MappingNode, form: SchemaPart, noun: Noun | undefined): string | undefined {
  const values = entries.map(({ value }) => value);
  const namings = identifyingProperties(form);
  const required = requiredIn(form);
  const lacking = new Set(
    [...namings, ...required].filter((name) => !values.every((value) => hasProperty(value, name))),
  );
  if (lacking.size === 0) return "without its key";
  const naming = namings.find((name) => !values.some((value) => hasProperty(value, name)));
  // What an item can do without is not what the key stands for while something else is missing.
  if (naming === undefined || (!required.includes(naming) && lacking.size > 1)) return undefined;
  const place = placeForContent(values, form, noun);
  return `with its key as its ${quoteValue(naming)}${place === undefined ? "" : ` and ${place}`}`;
}
