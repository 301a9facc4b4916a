import type { Node } from "../document/node.js";
import { appendTo, lazy } from "../text/collections.js";
import { type PackPlace, places } from "./pack-places.js";
import { quoteValue } from "./show-value.js";

/** Names that many objects have: they do not tell where a property belongs. */
const common = /^(?:id|name|title|label|desc|description|summary|tags|type|version)$/;

/** Authors often write parts of prompts or of the engine into these. */
const mixedHolders = new Set<string | undefined>(["agent", "state", "workflow"]);

/** Indexed, since a hostile file may have a hundred thousand unknown properties. */
const index = lazy(() => {
  const byNoun = new Map<string | undefined, PackPlace>();
  const byProperty = new Map<string, PackPlace[]>();
  const byRequired = new Map<string, PackPlace[]>();
  for (const place of places) {
    if (place.noun !== undefined && !byNoun.has(place.noun)) byNoun.set(place.noun, place);
    for (const name of Object.keys(place.properties))
      if (!common.test(name)) appendTo(byProperty, name, place);
    if (place.named !== "key") continue;
    for (const name of place.required) if (!common.test(name)) appendTo(byRequired, name, place);
  }
  return { byNoun, byProperty, byRequired };
});

/** Where a property belongs that an object does not have: the one place nearest to the top that has it. */
export function homeOf(
  property: string,
  holder: string | undefined,
  kind?: Node["kind"],
): string | undefined {
  const at = index().byNoun.get(holder);
  const found = index().byProperty.get(property) ?? [];
  if (at === undefined || found.includes(at)) return undefined;
  const fitting = found.filter(({ properties }) => {
    const wanted = properties[property];
    return kind === undefined || wanted === "" || wanted === kind;
  });
  const inside = nearestTop(fitting.filter((place) => isBelow(place, at) && !isInList(place, at)));
  if (inside !== undefined) return pathOf(inside.path.slice(at.path.length));
  const anywhere = nearestTop(fitting);
  const isSure = mixedHolders.has(holder) || anywhere?.path.length === 0;
  return anywhere && isSure ? pathOf(anywhere.path) : undefined;
}

/** Where an object belongs whatever its key: it has a property that only one kind of named thing requires. */
export function homeOfContent(
  has: (property: string) => boolean,
  holder: string | undefined,
): string | undefined {
  const at = index().byNoun.get(holder);
  for (const [name, [only, ...others]] of index().byRequired) {
    if (only === undefined || others.length > 0 || !has(name)) continue;
    const isInside = at !== undefined && isBelow(only, at);
    return pathOf(only.path.slice(isInside ? at.path.length : 0, -1));
  }
  return undefined;
}

/** The property for settings that depend on the `type` of such an object, where an unknown property may be one. */
export function settingsFor(property: string, holder: string | undefined): string | undefined {
  const at = index().byNoun.get(holder);
  if (at === undefined || common.test(property) || homeOf(property, holder) !== undefined) return undefined;
  const settings = places.find(
    (place) => place.holdsSettings === true && place.path.length === at.path.length + 1 && isBelow(place, at),
  );
  return settings?.path.at(-1);
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
