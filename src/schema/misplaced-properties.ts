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
  for (const place of places) {
    if (place.noun !== undefined && !byNoun.has(place.noun)) byNoun.set(place.noun, place);
    for (const name of Object.keys(place.properties))
      if (!common.test(name)) appendTo(byProperty, name, place);
  }
  return { byNoun, byProperty };
});

/** Where a property belongs that an object does not have: the one place nearest to the top that has it. */
export function homeAdvice(
  property: string,
  holder: string | undefined,
  kind: Node["kind"],
): string | undefined {
  const at = index().byNoun.get(holder);
  const found = index().byProperty.get(property) ?? [];
  if (at === undefined || found.includes(at)) return undefined;
  const fitting = found.filter(({ properties }) => ["", kind].includes(properties[property] ?? kind));
  const inside = nearestTop(fitting.filter((place) => isBelow(place, at) && !isInList(place, at)));
  if (inside !== undefined) return belongsInside(inside, at.path.length);
  const anywhere = nearestTop(fitting);
  const isSure = mixedHolders.has(holder) || anywhere?.path.length === 0;
  return anywhere && isSure ? belongsInside(anywhere, 0) : undefined;
}

/** The property for settings that depend on the `type` of such an object, where an unknown property may be one. */
export function settingsFor(property: string, holder: string | undefined): string | undefined {
  const at = index().byNoun.get(holder);
  if (at === undefined || common.test(property)) return undefined;
  const settings = places.find(
    (place) => place.holdsSettings === true && place.path.length === at.path.length + 1 && isBelow(place, at),
  );
  return settings?.path.at(-1);
}

function belongsInside({ path, noun = "part" }: PackPlace, depth: number): string {
  if (path.length === 0) return "It belongs at the top level of the pack.";
  if (path.at(-1) === "*") return `It belongs inside ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}.`;
  const names = path.slice(Math.max(depth, path.lastIndexOf("*") + 1));
  return `It belongs inside ${quoteValue(names.join("."))}.`;
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
