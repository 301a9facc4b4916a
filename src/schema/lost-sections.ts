import type { Words } from "../diagnostic.js";
import { isWithin } from "../document/find-node.js";
import type { MappingNode, Node } from "../document/node.js";
import { isForeign } from "../document/unindented.js";
import { holdersOfSections, sections } from "../words/homes.js";
import { without } from "./merge-errors.js";
import { quoted } from "./show-value.js";
import { makeOf, type Retold } from "./unindented.js";
import type { SchemaError } from "./validator.js";

/** A section of the pack that is indented too far is taken for an entry of the section before it: that is one fault. */
export function withoutLostSections(errors: readonly SchemaError[], root: Node): Retold {
  const words = new Map<SchemaError, Words>();
  const dropped = new Set<SchemaError>();
  if (root.kind !== "mapping") return { errors, words };
  for (const section of holdersOfSections) {
    const value = root.get(section);
    if (value?.kind !== "mapping") continue;
    for (const [name, kind] of sections) {
      const lost = value.get(name);
      if (lost?.kind !== kind || root.get(name) !== undefined) continue;
      const outer = `/${section}`;
      const [first, ...more] = errors.filter((error) => isAbout(error, outer, name));
      if (first === undefined || (lost.kind === "mapping" && !isLost(lost, [first, ...more], outer, name)))
        continue;
      words.set(first, {
        message: `${quoted(name)} is a section of the pack, not an entry of ${quoted(section)}: move it to the top level.`,
      });
      for (const error of [...more, ...errors.filter((each) => isMissing(each, name))]) dropped.add(error);
    }
  }
  return { errors: without(errors, dropped), words };
}

function isAbout({ instancePath, keyword, params }: SchemaError, outer: string, name: string): boolean {
  const path = `${outer}/${name}`;
  if (isWithin(instancePath, path)) return true;
  return (
    instancePath === outer && keyword === "additionalProperties" && params["additionalProperty"] === name
  );
}

/** A prompt may be called "tools", and have a fault. */
function isLost(lost: MappingNode, errors: readonly SchemaError[], outer: string, name: string): boolean {
  const find = (path: string, wanted: string) =>
    errors.find(({ instancePath, keyword }) => instancePath === path && keyword === wanted);
  const path = `${outer}/${name}`;
  if (find(outer, "additionalProperties") !== undefined || find(path, "type") !== undefined) return true;
  const lacking = find(path, "required");
  return lacking !== undefined && isForeign(lost, makeOf(lacking.parentSchema));
}

function isMissing({ instancePath, keyword, params }: SchemaError, name: string): boolean {
  return instancePath === "" && keyword === "required" && params["missingProperty"] === name;
}
