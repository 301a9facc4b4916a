import type { MappingNode } from "../../document/node.js";
import { linesFrom } from "../place-words.js";
import { quoted } from "../show-value.js";
import { knows, type SchemaError } from "../validator.js";
import { isBlock } from "../written-as.js";
import { type ByName, missingByPath, type Mistake, type Scene, unknownByPath } from "./retold.js";

/** `- name: city`, and below it the rest of the item, not indented: it is taken for neighbours of the list. */
export function* unindentedItems(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  const unknown = unknownByPath(errors);
  for (const [path, lacking] of unknown.size > 0 ? missingByPath(errors) : []) {
    const item = nodeAt(path);
    const alien = unknown.get(item?.parent?.parent?.pointer ?? "");
    if (item?.kind !== "mapping" || alien === undefined) continue;
    const rest = restOf(item, lacking, alien);
    const [told, ...more] = rest.flatMap((name) => alien.get(name) ?? []);
    if (told === undefined) continue;
    const first = quoted(item.entries[0]?.key.text ?? "");
    yield {
      told,
      said: { advice: `Indent ${linesFrom(rest)} as far as ${first}.` },
      implied: [...more, ...rest.flatMap((name) => lacking.get(name) ?? [])],
    };
  }
}

/** The neighbours below a list that its last item may have and has not, up to the last that is only the item's. */
function restOf(item: MappingNode, lacking: ByName, alien: ByName): readonly string[] {
  const list = item.parent;
  const holder = list?.parent;
  if (list?.kind !== "sequence" || holder?.kind !== "mapping") return [];
  if (list.items.at(-1) !== item || !isBlock(item)) return [];
  const [error] = lacking.values();
  const known = error?.parentSchema ?? {};
  const below = holder.entries
    .slice(holder.entries.findIndex(({ value }) => value === list) + 1)
    .map(({ key }) => key.text);
  const end = below.findIndex((name) => !knows(known, name) || item.get(name) !== undefined);
  const run = end === -1 ? below : below.slice(0, end);
  return run.slice(0, run.findLastIndex((name) => alien.has(name)) + 1);
}
