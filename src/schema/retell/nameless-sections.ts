import { namelessSections } from "../../meant/nameless-sections.js";
import { quoted } from "../show-value.js";
import type { SchemaError } from "../validator.js";
import { someOf } from "./flat-sections.js";
import { entryIn, isMissing, pathOf, unknownIn } from "./lost-sections.js";
import type { Mistake, Scene } from "./retold.js";

/** Without the line with its name, all that is in a section is taken for entries of the one before it: that is one fault. */
export function* sectionsWithoutName(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  const root = nodeAt("");
  if (root?.kind !== "mapping") return;
  for (const { section, path, entries } of namelessSections(root)) {
    const names = entries.map(({ key }) => key.text);
    const [first = ""] = names;
    const outer = pathOf(path);
    const isOwn = new Set<string | undefined>(names);
    const [told, ...implied] = errors.filter(
      (error) => isOwn.has(entryIn(outer, error)) || isMissing(error, "", section),
    );
    if (told === undefined) continue;
    const isOne = names.length === 1;
    const said = {
      message: `${someOf(names)} ${isOne ? "belongs" : "belong"} in ${quoted(section)}, which the pack does not have.`,
      advice: `Add it, and put ${isOne ? "it" : "them"} inside.`,
    };
    yield { told, as: unknownIn(outer, first, told), said, implied };
  }
}
