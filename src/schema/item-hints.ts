import {
  type Entry,
  hasProperty,
  isNull,
  type MappingNode,
  type Node,
  type ScalarNode,
} from "../document/node.js";
import { nounOf, type Vocabulary } from "./describe-node.js";
import { settingsFor } from "./misplaced-properties.js";
import { nearestProperty } from "./nearest-property.js";
import type { Noun } from "./pack-places.js";
import { linesFrom, quoteValue } from "./show-value.js";
import { isBlock } from "./source-style.js";
import { alternativesOf } from "./subschemas.js";
import { isType, knows, requiredIn, type SchemaPart } from "./validator.js";

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

/** Best first. */
const identifying: readonly string[] = ["name", "id", "type", "model", "provider"];

/** The properties that tell the items of a list apart. Many share a type, so it counts only where there is no other. */
function identifyingProperties(item: SchemaPart): readonly string[] {
  const known = identifying.filter((property) => knows(item, property));
  return known.filter((property, index) => index === 0 || property !== "type");
}

/** Where that belongs which stands below the names of items; nothing where there is none, or no place for it. */
function placeForContent(
  insides: readonly Node[],
  item: SchemaPart,
  noun: Noun | undefined,
): string | undefined {
  if (insides.every((inside) => isVariableType(inside, noun))) return `${typeIn(insides)} as its "type"`;
  const names = insides.flatMap((inside) =>
    inside.kind === "mapping" ? inside.entries.map(({ key }) => key.text) : [],
  );
  if (names.length === 0) return undefined;
  const known = Object.keys(item.properties ?? {});
  const isStrange = (name: string) => !known.includes(name) && nearestProperty(name, known) === undefined;
  const homes = names.flatMap((name) => (isStrange(name) ? (settingsFor(name, noun) ?? []) : []));
  const [home] = homes;
  if (home === undefined) return "what is inside it beside that";
  return homes.length === names.length
    ? `what is inside it as its ${quoteValue(home)}`
    : `what is inside it beside that, with settings of its type inside ${quoteValue(home)}`;
}

function typeIn(types: readonly ScalarNode[]): string {
  const [first, ...others] = new Set(types.map(({ value }) => String(value)));
  return first === undefined || others.length > 0 ? "its value" : quoteValue(first);
}

/** Whether a value is the type of such a thing: what variables have is what values are. */
function isVariableType(node: Node, noun: Noun | undefined): node is ScalarNode {
  return noun === "variable" && isType(node);
}
