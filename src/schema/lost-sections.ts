import type { Words } from "../diagnostic.js";
import type { MappingNode, Node } from "../document/node.js";
import { holdersOfSections, sections } from "../homes.js";
import { quoted } from "./show-value.js";
import type { SchemaError } from "./validator.js";

export interface LostSections {
  /** Without those that follow from a section that stands inside another. */
  readonly errors: readonly SchemaError[];
  /** What is said in place of an error that stands for such a section. */
  readonly words: ReadonlyMap<SchemaError, Words>;
}

/** A section of the pack that is indented too far is taken for an entry of the section before it: that is one fault. */
export function withoutLostSections(errors: readonly SchemaError[], root: Node): LostSections {
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
      if (first === undefined || (lost.kind === "mapping" && !isForeign(lost, [first, ...more], outer, name)))
        continue;
      words.set(first, {
        message: `${quoted(name)} is a section of the pack, not an entry of ${quoted(section)}: move it to the top level.`,
      });
      for (const error of more) dropped.add(error);
      for (const error of errors) if (isMissing(error, name)) dropped.add(error);
    }
  }
  return { errors: dropped.size === 0 ? errors : errors.filter((error) => !dropped.has(error)), words };
}

function isAbout({ instancePath, keyword, params }: SchemaError, outer: string, name: string): boolean {
  const path = `${outer}/${name}`;
  if (instancePath === path || instancePath.startsWith(`${path}/`)) return true;
  return (
    instancePath === outer && keyword === "additionalProperties" && params["additionalProperty"] === name
  );
}

/** A prompt may be called "tools", and have a fault: what is no prompt lacks much, and most of what it has is unknown. */
function isForeign(lost: MappingNode, errors: readonly SchemaError[], outer: string, name: string): boolean {
  const count = (path: string, keyword: string) =>
    errors.filter((error) => error.instancePath === path && error.keyword === keyword).length;
  const path = `${outer}/${name}`;
  if (count(outer, "additionalProperties") > 0 || count(path, "type") > 0) return true;
  return count(path, "required") > 0 && 2 * count(path, "additionalProperties") > lost.entries.length;
}

function isMissing({ instancePath, keyword, params }: SchemaError, name: string): boolean {
  return instancePath === "" && keyword === "required" && params["missingProperty"] === name;
}
