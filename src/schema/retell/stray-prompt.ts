import type { Words } from "../../diagnostic.js";
import { Key, type Node } from "../../document/node.js";
import { requiredOf } from "../../meant/homes.js";
import { quoted } from "../show-value.js";
import { kindOfThing } from "../thing.js";
import type { Retold, Scene } from "./retold.js";
import type { SchemaError } from "../validator.js";

const sections = ["/fragments", "/tools", "/agents/members"];
const entry = new RegExp(`^(?:${sections.join("|")})/[^/]*`);

/** A prompt among the fragments, tools or agents is all wrong there: that is one fault. */
export function withoutPromptsElsewhere(errors: readonly SchemaError[], { nodeAt }: Scene): Retold {
  const words = new Map<SchemaError, Words>();
  // Most often there are none: then no path, which a name can make long, need be looked at.
  if (!sections.some((path) => holdsPrompt(nodeAt(path)))) return { errors, words };
  const told = new Set<string>();
  const left = errors.flatMap((error) => {
    const path = entry.exec(error.instancePath)?.[0];
    if (path === undefined) return error;
    if (told.has(path)) return [];
    const node = nodeAt(path);
    if (node === undefined || !(node.key instanceof Key) || !isPrompt(node)) return error;
    told.add(path);
    // Whatever part of it the error was about, it is all of it that is of another type.
    const whole = { ...error, instancePath: path, keyword: "type" };
    words.set(whole, {
      message: `${quoted(node.key.text)} is a prompt, not ${kindOfThing(node)}.`,
      advice: 'Put it inside "prompts".',
    });
    return whole;
  });
  return { errors: left, words };
}

function holdsPrompt(section: Node | undefined): boolean {
  return section?.kind === "mapping" && section.entries.some(({ value }) => isPrompt(value));
}

function isPrompt(node: Node): boolean {
  return node.kind === "mapping" && requiredOf.prompt.every((name) => node.get(name) !== undefined);
}
