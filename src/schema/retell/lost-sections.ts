import type { Words } from "../../diagnostic.js";
import { isWithin } from "../../document/find-node.js";
import { unescapeSegment } from "../../document/node.js";
import { losable } from "../../meant/losable.js";
import { lostPart } from "../../meant/lost-sections.js";
import { quoted } from "../show-value.js";
import type { Mistake, Scene } from "./retold.js";
import type { SchemaError } from "../validator.js";

/** What is indented too far is taken for an entry of the section before it: that is one fault. */
export function* lostSections(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  for (const { home, parts, holders } of losable) {
    const owner = nodeAt(pathOf(home));
    if (owner?.kind !== "mapping") continue;
    for (const holder of holders) {
      const outer = pathOf(holder);
      const value = nodeAt(outer);
      if (value?.kind !== "mapping") continue;
      for (const [name, kind] of parts) {
        const lost = owner.get(name) === undefined ? lostPart(value, holder, name, kind) : undefined;
        if (lost === undefined) continue;
        const missing = errors.filter((error) => isMissing(error, pathOf(home), name));
        const about = errors.filter((error) => lost.taken.has(entryIn(outer, error) ?? ""));
        const told = about.find((error) => entryIn(outer, error) === name) ?? missing[0];
        if (told === undefined) continue;
        yield {
          told,
          // Where anything is allowed, it is only missed at home.
          as: told === missing[0] ? unknownIn(outer, name, told) : undefined,
          said: wordsOf(name, home, holder),
          implied: [...about, ...missing].filter((error) => error !== told),
        };
      }
    }
  }
}

function pathOf(names: readonly string[]): string {
  return names.map((name) => `/${name}`).join("");
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
