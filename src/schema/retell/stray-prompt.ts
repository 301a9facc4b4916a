import { Key, type Node } from "../../document/node.js";
import { isMade } from "../../meant/spelled.js";
import { quoted } from "../show-value.js";
import { kindOfThing } from "../thing.js";
import { groupedBy, type Mistake, type Scene } from "./retold.js";
import type { SchemaError } from "../validator.js";

const sections = ["/fragments", "/tools", "/agents/members"];
const entry = new RegExp(`^(?:${sections.join("|")})/[^/]*`);

/** A prompt among the fragments, tools or agents is all wrong there: that is one fault. */
export function* promptsElsewhere(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  // Most often there are none: then no path, which a name can make long, need be looked at.
  if (!sections.some((path) => holdsPrompt(nodeAt(path)))) return;
  const byEntry = groupedBy(errors, ({ instancePath }) => entry.exec(instancePath)?.[0]);
  for (const [path, [told, ...implied]] of byEntry) {
    const node = nodeAt(path);
    if (told === undefined || !(node?.key instanceof Key) || !isMade(node, "prompt")) continue;
    yield {
      told,
      // Whatever part of it the error was about, it is all of it that is of another type.
      as: { ...told, instancePath: path, keyword: "type" },
      said: {
        message: `${quoted(node.key.text)} is a prompt, not ${kindOfThing(node)}.`,
        advice: 'Put it inside "prompts".',
      },
      implied,
    };
  }
}

function holdsPrompt(section: Node | undefined): boolean {
  return section?.kind === "mapping" && section.entries.some(({ value }) => isMade(value, "prompt"));
}
