import type { Words } from "../../diagnostic.js";
import { isWithin } from "../../document/find-node.js";
import { escapeSegment, unescapeSegment } from "../../document/node.js";
import { losable } from "../../meant/losable.js";
import { lostParts } from "../../meant/lost-sections.js";
import { belongsInside } from "../place-words.js";
import { quoted } from "../show-value.js";
import type { Mistake, Scene } from "./retold.js";
import type { SchemaError } from "../validator.js";

/** What is indented too far is taken for an entry of the section before it, or of its last thing: that is one fault. */
export function* lostSections(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  const root = nodeAt("");
  if (root?.kind !== "mapping") return;
  for (const places of losable) {
    for (const part of places.parts) {
      const [name] = part;
      for (const { path, isInThing, taken } of lostParts(root, places, part)) {
        const outer = pathOf(path);
        const missing = errors.filter((error) => isMissing(error, pathOf(places.home), name));
        const about = errors.filter((error) => taken.has(entryIn(outer, error) ?? ""));
        const there = about.find((error) => isAt(outer, name, error));
        // Where anything is allowed, it is only missed at home; where little is required, its entries are unknown.
        const told = there ?? missing[0] ?? about.find((error) => entryIn(outer, error) === name);
        if (told === undefined) continue;
        yield {
          told,
          as: told === there ? undefined : unknownIn(outer, name, told),
          said: isInThing ? { advice: belongsInside("") } : wordsOf(name, places.home, path),
          implied: [...about, ...missing].filter((error) => error !== told),
        };
      }
    }
  }
}

function pathOf(names: readonly string[]): string {
  return names.map((name) => `/${escapeSegment(name)}`).join("");
}

function wordsOf(name: string, home: readonly string[], holder: readonly string[]): Words {
  if (home.length > 0) {
    const last = holder.at(-1) ?? "";
    const instead = last === "states" ? "a state" : `of its ${quoted(last)}`;
    return {
      message: `${quoted(name)} is a property of the ${home.join(".")}, not ${instead}.`,
      advice: `Put it beside ${quoted(last)}.`,
    };
  }
  const outer = quoted(holder.join("."));
  return {
    message: `${quoted(name)} is a section of the pack, not an entry of ${outer}: move it to the top level.`,
  };
}

/** The entry of a mapping that an error is about. */
function entryIn(outer: string, { instancePath, keyword, params }: SchemaError): string | undefined {
  if (instancePath === outer)
    return keyword === "additionalProperties" ? String(params["additionalProperty"]) : undefined;
  if (!isWithin(instancePath, outer)) return undefined;
  const end = instancePath.indexOf("/", outer.length + 1);
  return unescapeSegment(instancePath.slice(outer.length + 1, end === -1 ? undefined : end));
}

/** Whether an error is shown at an entry of a mapping, and not at something inside it. */
function isAt(outer: string, name: string, { instancePath, keyword, params }: SchemaError): boolean {
  const isUnknown = keyword === "additionalProperties";
  return isUnknown
    ? instancePath === outer && params["additionalProperty"] === name
    : instancePath === `${outer}/${name}`;
}

function unknownIn(outer: string, name: string, missing: SchemaError): SchemaError {
  return {
    ...missing,
    instancePath: outer,
    keyword: "additionalProperties",
    params: { additionalProperty: name },
  };
}

function isMissing({ instancePath, keyword, params }: SchemaError, home: string, name: string): boolean {
  return instancePath === home && keyword === "required" && params["missingProperty"] === name;
}
