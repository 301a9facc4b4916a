import type { Words } from "../../diagnostic.js";
import { isWithin } from "../../document/find-node.js";
import { losable } from "../../meant/homes.js";
import { isLost } from "../../meant/lost-sections.js";
import { without } from "../merge-errors.js";
import { quoted } from "../show-value.js";
import type { Retold, Scene } from "./retold.js";
import type { SchemaError } from "../validator.js";

/** What is indented too far is taken for an entry of the section before it: that is one fault. */
export function withoutLostSections(errors: readonly SchemaError[], { nodeAt }: Scene): Retold {
  const words = new Map<SchemaError, Words>();
  const dropped = new Set<SchemaError>();
  for (const { home, parts, holders } of losable) {
    const owner = nodeAt(pathOf(home));
    if (owner?.kind !== "mapping") continue;
    for (const holder of holders) {
      const outer = pathOf(holder);
      const value = nodeAt(outer);
      if (value?.kind !== "mapping") continue;
      for (const [name, kind] of parts) {
        const lost = value.get(name);
        if (lost?.kind !== kind || owner.get(name) !== undefined) continue;
        const [first, ...more] = errors.filter((error) => isAbout(error, outer, name));
        if (first === undefined || !isLost(lost, holder)) continue;
        words.set(first, wordsOf(name, home, holder));
        const missing = errors.filter((error) => isMissing(error, pathOf(home), name));
        for (const error of [...more, ...missing]) dropped.add(error);
      }
    }
  }
  return { errors: without(errors, dropped), words };
}

function pathOf(names: readonly string[]): string {
  return names.map((name) => `/${name}`).join("");
}

function wordsOf(name: string, home: readonly string[], holder: readonly string[]): Words {
  if (home.length > 0)
    return {
      message: `${quoted(name)} is a property of the ${home.join(".")}, not a state.`,
      advice: 'Put it beside "states".',
    };
  const outer = quoted(holder.join("."));
  return {
    message: `${quoted(name)} is a section of the pack, not an entry of ${outer}: move it to the top level.`,
  };
}

function isAbout({ instancePath, keyword, params }: SchemaError, outer: string, name: string): boolean {
  const path = `${outer}/${name}`;
  if (isWithin(instancePath, path)) return true;
  return (
    instancePath === outer && keyword === "additionalProperties" && params["additionalProperty"] === name
  );
}

function isMissing({ instancePath, keyword, params }: SchemaError, home: string, name: string): boolean {
  return instancePath === home && keyword === "required" && params["missingProperty"] === name;
}
