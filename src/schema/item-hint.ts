import { isNull, type MappingNode } from "../document/node.js";
import { isTypeOf, namingIn, placeBelowName } from "./below-name.js";
import { formsOf } from "./parts-for.js";
import { linesFrom } from "./retell/unindented-lines.js";
import { quoted } from "./show-value.js";
import { nounOf } from "./thing.js";
import { knows, type SchemaPart } from "./validator.js";
import type { Noun, Vocabulary } from "./vocabulary.js";
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
  const forms = formsOf(items, schema);
  if (forms.some((form) => isItem(node, form, noun))) return isBlock(node) ? dashHint(node) : "put it in [ ]";
  const form = formOfEach(node, forms);
  return form === undefined ? eachAsItem : `${eachAsItem}, ${keyHint(node, form, noun)}`;
}

/** Most of what it has is what an item has, and it does not look like items of their own. */
function isItem({ entries }: MappingNode, form: SchemaPart, noun: Noun | undefined): boolean {
  const isOpen = form.properties !== undefined && form.additionalProperties !== false;
  const own = entries.filter(({ key }) => isOpen || knows(form, key.text));
  return (
    2 * own.length > entries.length &&
    own.some(({ value }) => value.kind !== "mapping" && !isNull(value)) &&
    !entries.every(({ value }) => isTypeOf(value, noun))
  );
}

function dashHint({ entries }: MappingNode): string {
  const [first = "", ...rest] = entries.map(({ key }) => key.text);
  const indent = rest.length === 0 ? "" : ` and indent ${linesFrom(rest)} as far as ${quoted(first)}`;
  return `put "- " before ${quoted(first)}${indent}`;
}

/** Which form the entries have; nothing where one may be a mere name. */
function formOfEach({ entries }: MappingNode, forms: readonly SchemaPart[]): SchemaPart | undefined {
  const insides = entries.flatMap(({ value }) => (value.kind === "mapping" ? value.entries : []));
  const areThings = entries.every(({ value }) => value.kind === "mapping");
  const objects = forms.filter(({ properties }) => properties !== undefined);
  if (!areThings && objects.length < forms.length) return undefined;
  return objects.find((form) => insides.some(({ key }) => knows(form, key.text))) ?? objects[0];
}

function keyHint({ entries }: MappingNode, form: SchemaPart, noun: Noun | undefined): string {
  const naming = namingIn(form);
  const values = entries.map(({ value }) => value);
  const isNamed = (property: string) =>
    values.every((value) => value.kind === "mapping" && value.get(property) !== undefined);
  if (naming === undefined || isNamed(naming)) return "without its key";
  const place = placeBelowName(values, form, noun);
  return `with its key as its ${quoted(naming)}${place === undefined ? "" : ` and ${place}`}`;
}
