import { type Entry, Key, type MappingNode, type Node } from "../document/node.js";
import { homeOf } from "../homes.js";
import { meantProperty } from "../meant-property.js";
import { quoted } from "./show-value.js";
import { kindOfThing } from "./thing.js";
import type { SchemaError, SchemaPart } from "./validator.js";
import type { Vocabulary } from "./vocabulary.js";
import { listed, typesOf } from "./words.js";

export interface Explained {
  readonly errors: readonly SchemaError[];
  /** What to do, of an error that stands for others: a sentence. */
  readonly advice: ReadonlyMap<SchemaError, string>;
}

/** Errors that have one cause become one: what stands a level too high is also missed where it belongs. */
export function withoutMisplaced(
  errors: readonly SchemaError[],
  nodeAt: (path: string) => Node | undefined,
  words?: Vocabulary,
): Explained {
  const merging: Merging = {
    nodeAt,
    words,
    unknown: byPath(errors, "additionalProperties", "additionalProperty"),
    missing: byPath(errors, "required", "missingProperty"),
    advice: new Map(),
    dropped: new Set(),
    droppedPaths: new Set(),
  };
  mergeUnindented(errors.filter(isNoObject), merging);
  mergeUnknown(merging);
  const { advice, dropped, droppedPaths } = merging;
  if (dropped.size === 0 && droppedPaths.size === 0) return { errors, advice };
  const isKept = (error: SchemaError) =>
    !dropped.has(error) && !isWithinAny(error.instancePath, droppedPaths);
  return { errors: errors.filter(isKept), advice };
}

interface Merging {
  readonly nodeAt: (path: string) => Node | undefined;
  readonly words: Vocabulary | undefined;
  readonly unknown: ReadonlyMap<string, ByName>;
  readonly missing: ReadonlyMap<string, ByName>;
  readonly advice: Map<SchemaError, string>;
  readonly dropped: Set<SchemaError>;
  /** Of what is said about these values, and about anything inside of them, nothing is kept. */
  readonly droppedPaths: Set<string>;
}

function mergeUnindented(noObjects: readonly SchemaError[], merging: Merging): void {
  const { nodeAt, unknown, advice, dropped, droppedPaths } = merging;
  const schemaAt = new Map(noObjects.map(({ instancePath, parentSchema }) => [instancePath, parentSchema]));
  const entriesAfter = neighbours();
  for (const error of noObjects) {
    const empty = nodeAt(error.instancePath);
    // A null that is written out is meant.
    if (empty?.parent?.kind !== "mapping" || empty.start !== empty.end) continue;
    const parent = parentOf(error.instancePath);
    const isAlike = (name: string) => schemaAt.get(`${parent}/${name}`) === error.parentSchema;
    const lines = unindented(entriesAfter(empty, empty.parent), error, unknown.get(parent), isAlike);
    if (lines.length === 0) continue;
    for (const name of lines) {
      const line = unknown.get(parent)?.get(name);
      if (line === undefined) droppedPaths.add(`${parent}/${name}`);
      else dropped.add(line);
    }
    advice.set(error, indentAdvice(lines));
  }
}

function mergeUnknown({ nodeAt, words, unknown, missing, advice, dropped }: Merging): void {
  for (const [path, properties] of unknown) {
    const node = nodeAt(path);
    if (node?.kind !== "mapping") continue;
    const kind = kindOfThing(node, words);
    const missingHere = missing.get(path);
    for (const [name, error] of properties) {
      const home = words === undefined ? homeOf(name, kind) : undefined;
      const missed = home === undefined ? undefined : missing.get(pathTo(path, home))?.get(name);
      if (missed !== undefined) dropped.add(missed);
      const inside = node.get(name);
      if (inside?.kind !== "mapping" || !isMostlyKnown(inside, error.parentSchema)) continue;
      if (missingHere === undefined) {
        if (node.key instanceof Key && hasAll(inside, error.parentSchema.required))
          advice.set(error, `It looks like ${kind} of its own: put it beside ${quoted(node.key.text)}.`);
      } else if (hasAll(inside, [...missingHere.keys()])) {
        for (const each of missingHere.values()) dropped.add(each);
        advice.set(error, `Put what is inside it directly in the ${kind.replace(/^an? /, "")}.`);
      }
    }
  }
}

function isNoObject({ keyword, parentSchema }: SchemaError): boolean {
  return keyword === "type" && typesOf(parentSchema).includes("object");
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function isWithinAny(path: string, outer: ReadonlySet<string>): boolean {
  for (let part = path; part !== "" && outer.size > 0; part = parentOf(part))
    if (outer.has(part)) return true;
  return false;
}

/** Something that has to have nothing looks like anything. */
function hasAll(node: MappingNode, required: readonly string[] = []): boolean {
  return required.length > 0 && required.every((property) => node.get(property) !== undefined);
}

/** Something else may have a "version" of its own. */
function isMostlyKnown({ entries }: MappingNode, { properties = {} }: SchemaPart): boolean {
  return 2 * entries.filter(({ key }) => Object.hasOwn(properties, key.text)).length > entries.length;
}

function pathTo(path: string, home: string): string {
  return `${path}/${home.replaceAll(".", "/")}`;
}

type ByName = Map<string, SchemaError>;

/** The errors of one keyword, by the object that has them and by the property they are about. */
function byPath(errors: readonly SchemaError[], keyword: string, parameter: string): Map<string, ByName> {
  const found = new Map<string, ByName>();
  for (const error of errors) {
    if (error.keyword !== keyword) continue;
    let here = found.get(error.instancePath);
    if (here === undefined) found.set(error.instancePath, (here = new Map<string, SchemaError>()));
    here.set(String(error.params[parameter]), error);
  }
  return found;
}

/**
 * `on_event:` with nothing beside it, and below it the events, not indented: they are taken for its neighbours. So are
 * the properties of a prompt, which are taken for prompts then.
 */
function unindented(
  neighbours: Iterable<Entry>,
  { parentSchema }: SchemaError,
  unknown: ByName | undefined,
  isAlike: (name: string) => boolean,
): readonly string[] {
  const names: string[] = [];
  for (const { key } of neighbours) {
    const name = key.text;
    const error = unknown?.get(name);
    const isLost =
      error === undefined
        ? Object.hasOwn(parentSchema.properties ?? {}, name) && (names.length > 0 || isAlike(name))
        : !isMisspelt(name, error) && mayHold(parentSchema, name);
    if (!isLost) break;
    names.push(name);
  }
  return names;
}

/** Finds what follows a value in its object; an object is gone through once, however many of its values are asked for. */
function neighbours(): (value: Node, parent: MappingNode) => Iterable<Entry> {
  const indexes = new Map<MappingNode, ReadonlyMap<Node, number>>();
  return function* (value, parent) {
    let index = indexes.get(parent);
    if (index === undefined) {
      index = new Map(parent.entries.map((entry, place) => [entry.value, place]));
      indexes.set(parent, index);
    }
    for (let place = (index.get(value) ?? parent.entries.length) + 1; ; place++) {
      const entry = parent.entries[place];
      if (entry === undefined) return;
      yield entry;
    }
  };
}

function isMisspelt(name: string, { parentSchema }: SchemaError): boolean {
  return meantProperty(name, Object.keys(parentSchema.properties ?? {})) !== undefined;
}

function mayHold({ properties = {}, additionalProperties }: SchemaPart, name: string): boolean {
  return additionalProperties !== false || Object.hasOwn(properties, name);
}

function indentAdvice(names: readonly string[]): string {
  const [first = "", ...rest] = names.map(quoted);
  const last = rest.at(-1);
  if (last === undefined) return `Indent ${first} to put it inside.`;
  const lines = rest.length === 1 ? listed([first, last], "and") : `the entries from ${first} to ${last}`;
  return `Indent ${lines} to put them inside.`;
}
