import type { Node } from "../document/node.js";
import { type PackPlace, places } from "./pack-places.js";
import { quoteValue } from "./show-value.js";
import type { Noun } from "./pack-places.js";

/** Names that many objects have: they say nothing about where a property belongs. */
const common = new Set([
  "id",
  "name",
  "title",
  "label",
  "desc",
  "description",
  "summary",
  "tags",
  "type",
  "version",
]);

export function isCommonName(property: string): boolean {
  return common.has(property);
}

/** Authors often write parts of prompts or of the engine into these. */
const mixedHolders = new Set<Noun | undefined>(["agent", "state", "workflow"]);

/** Where a property belongs that an object does not have: the one place nearest to the top that has it. */
export function homeOf(property: string, holder: Noun | undefined, kind?: Node["kind"]): string | undefined {
  const at = placeFor(holder);
  if (at === undefined || common.has(property)) return undefined;
  const has = ({ properties }: PackPlace) => {
    const wanted = Object.hasOwn(properties, property) ? properties[property] : undefined;
    return wanted !== undefined && (kind === undefined || wanted === "" || wanted === kind);
  };
  if (has(at)) return undefined;
  const inside = nearestTop(
    places.filter((place) => isBelow(place, at) && !isInList(place, at) && has(place)),
  );
  if (inside !== undefined) return pathOf(inside.path.slice(at.path.length));
  const anywhere = mixedHolders.has(holder) ? nearestTop(places.filter(has)) : undefined;
  return anywhere && pathOf(anywhere.path);
}

/** Where an object belongs whatever its key: it has a property that only one kind of named thing requires. */
export function homeOfContent(
  has: (property: string) => boolean,
  holder: Noun | undefined,
): string | undefined {
  const at = placeFor(holder);
  const fitting = places.filter(
    ({ named, required }) => named === "key" && required.some((name) => isTelling(name) && has(name)),
  );
  const [only, ...others] = fitting;
  if (only === undefined || others.length > 0) return undefined;
  const isInside = at !== undefined && isBelow(only, at);
  return pathOf(only.path.slice(isInside ? at.path.length : 0, -1));
}

function isTelling(property: string): boolean {
  return (
    places.filter(({ named, required }) => named === "key" && required.includes(property)).length === 1 &&
    !common.has(property)
  );
}

/** The property for settings that depend on the `type` of such an object, where an unknown property may be one. */
export function settingsFor(property: string, holder: Noun | undefined): string | undefined {
  if (holder === undefined || common.has(property) || homeOf(property, holder) !== undefined)
    return undefined;
  const at = placeFor(holder);
  const isDirectlyIn = ({ path }: PackPlace) =>
    at !== undefined &&
    path.length === at.path.length + 1 &&
    at.path.every((name, index) => path[index] === name);
  return places.find((place) => place.holdsSettings === true && isDirectlyIn(place))?.path.at(-1);
}

export function belongsInside(home: string): string {
  if (home === "") return "It belongs at the top level of the pack.";
  const names = home.split(".");
  if (names.at(-1) !== "*")
    return `It belongs inside ${quoteValue(names.slice(names.lastIndexOf("*") + 1).join("."))}.`;
  const noun =
    places.find((place) => place.noun !== undefined && pathOf(place.path).endsWith(home))?.noun ?? "part";
  return `It belongs inside ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}.`;
}

function placeFor(noun: Noun | undefined): PackPlace | undefined {
  return noun && places.find((place) => place.noun === noun);
}

/** The place with the shortest path, unless several are equally short. */
function nearestTop(found: readonly PackPlace[]): PackPlace | undefined {
  const depth = Math.min(...found.map(({ path }) => path.length));
  const [only, ...others] = found.filter(({ path }) => path.length === depth);
  return others.length === 0 ? only : undefined;
}

function isBelow(place: PackPlace, outer: PackPlace): boolean {
  return (
    place.path.length > outer.path.length && outer.path.every((name, index) => place.path[index] === name)
  );
}

/** Whether a place is in a list: an object does not hold the properties of list items. */
function isInList({ path }: PackPlace, outer: PackPlace): boolean {
  return places.some(
    (place) =>
      Array.isArray(place.named) &&
      isBelow(place, outer) &&
      place.path.every((name, index) => path[index] === name),
  );
}

function pathOf(path: readonly string[]): string {
  return path.join(".");
}
