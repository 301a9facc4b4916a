import { Key, type MappingNode, type Node } from "../document/node.js";
import { homeOf } from "../meant/homes.js";
import { without } from "./merge-errors.js";
import { quoted } from "./show-value.js";
import { kindOfThing } from "./thing.js";
import { isMisspelt, unindentedLines } from "./unindented-lines.js";
import type { SchemaError, SchemaPart } from "./validator.js";
import type { Vocabulary } from "./vocabulary.js";

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
  const unknown = byPath(errors, "additionalProperties", "additionalProperty");
  const missing = byPath(errors, "required", "missingProperty");
  const { advice, dropped } = unindentedLines(errors, unknown, nodeAt, words);

  for (const [path, properties] of unknown) {
    const node = nodeAt(path);
    if (node?.kind !== "mapping") continue;
    const kind = kindOfThing(node, words);
    const missingHere = missing.get(path);
    const [wrapped, ...more] =
      missingHere === undefined || !isOneOfMany(kind) ? [] : wrappedIn(node, properties, missingHere);
    if (wrapped !== undefined && more.length > 0) {
      advice.set(wrapped, groupAdvice(node, more.length, kind));
      for (const each of [...more, ...(missingHere?.values() ?? [])]) dropped.add(each);
      continue;
    }
    for (const [name, error] of properties) {
      const home = words === undefined ? homeOf(name, kind) : undefined;
      const missed = home === undefined ? undefined : missedIn(pathTo(path, home), name, missing);
      if (missed !== undefined) dropped.add(missed);
      const inside = node.get(name);
      const mayBeKeyed = words === undefined && !isMisspelt(name, error);
      const keyed = mayBeKeyed ? keyedItem(node, name, missingHere) : undefined;
      if (keyed !== undefined) {
        advice.set(error, keyed.sentence);
        for (const each of keyed.errors) dropped.add(each);
        continue;
      }
      const isAgent = words === undefined && kind === "an agent" && isPrompt(name, nodeAt);
      if (inside?.kind !== "mapping" || !(isAgent || isMostlyKnown(inside, error.parentSchema))) continue;
      const sentence =
        missingHere === undefined
          ? besideAdvice(node, isAgent || hasAll(inside, error.parentSchema.required), kind)
          : directAdvice(inside, missingHere, kind);
      if (sentence === undefined) continue;
      advice.set(error, sentence);
      for (const each of missingHere?.values() ?? []) dropped.add(each);
    }
  }
  return { errors: without(errors, dropped), advice };
}

/** `- company: {type: string}`, where a list has items that have their names inside. */
function keyedItem(
  item: MappingNode,
  name: string,
  missing: ByName = new Map(),
): { readonly sentence: string; readonly errors: readonly SchemaError[] } | undefined {
  const inside = item.get(name);
  const naming = ["name", "id", "type"].find((property) => missing.has(property));
  if (typeof item.key !== "number" || item.entries.length > 1 || naming === undefined) return undefined;
  if (inside?.kind !== "mapping" || inside.get(naming) !== undefined) return undefined;
  const isTold = (property: string) => property === naming || inside.get(property) !== undefined;
  return {
    sentence: `Write ${quoted(name)} as its ${quoted(naming)}, and what is inside it beside that.`,
    errors: [...missing].flatMap(([property, error]) => (isTold(property) ? error : [])),
  };
}

/** Of which a section has any number, each under a name of its own. */
function isOneOfMany(kind: string): boolean {
  return ["a prompt", "a state", "a tool", "an agent", "an artifact"].includes(kind);
}

/** What stands in a thing and has all that it lacks; where there are several, it is a mere group of things. */
function wrappedIn(node: MappingNode, unknown: ByName, missing: ByName): readonly SchemaError[] {
  if (!(node.key instanceof Key)) return [];
  return [...unknown].flatMap(([name, error]) => {
    const inside = node.get(name);
    const isThing = inside?.kind === "mapping" && isMostlyKnown(inside, error.parentSchema);
    return isThing && hasAll(inside, [...missing.keys()]) ? error : [];
  });
}

function groupAdvice({ key }: MappingNode, others: number, kind: string): string {
  const things = `${kind.replace(/^an? /, "")}s`;
  const name = key instanceof Key ? quoted(key.text) : "it";
  return `It and ${others} more look like ${things} of their own: put them in the place of ${name}.`;
}

function besideAdvice({ key }: MappingNode, isThing: boolean, kind: string): string | undefined {
  if (!(key instanceof Key) || !isThing) return undefined;
  return `It looks like ${kind} of its own: put it beside ${quoted(key.text)}.`;
}

/** An agent needs nothing but the name of a prompt. */
function isPrompt(name: string, nodeAt: (path: string) => Node | undefined): boolean {
  const prompts = nodeAt("/prompts");
  return prompts?.kind === "mapping" && prompts.get(name) !== undefined;
}

function directAdvice(inside: MappingNode, missing: ByName, kind: string): string | undefined {
  if (!hasAll(inside, [...missing.keys()])) return undefined;
  return `Put what is inside it directly in the ${kind.replace(/^an? /, "")}.`;
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

/** The error that a property is not where it belongs; where it may belong in one of many, the only one that lacks it. */
function missedIn(home: string, name: string, missing: ReadonlyMap<string, ByName>): SchemaError | undefined {
  if (!home.endsWith("/*")) return missing.get(home)?.get(name);
  const things = home.slice(0, -1);
  const lacking = [...missing].flatMap(([path, names]) => {
    const isOne = path.startsWith(things) && !path.includes("/", things.length);
    return isOne ? (names.get(name) ?? []) : [];
  });
  return lacking.length === 1 ? lacking[0] : undefined;
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
