import type { ArtifactRead } from "../../pack/artifact-use.js";
import type { Reading } from "../../pack/prompt.js";
import { listNamesOf } from "../../text/wording.js";

/** `the prompt "a" reads`, `the prompts "a" and "b" read through the fragment "c"`. */
export function listReaders(read: ArtifactRead): string {
  return `${listPrompts(read)} ${read.readers.length === 1 ? "reads" : "read"}${throughFragment(read.reading)}`;
}

/** `the prompt "a"`, `the prompts "a" and "b"`. */
export function listPrompts({ readers }: ArtifactRead): string {
  const names = listNamesOf(readers, ({ prompt }) => prompt.key.text, 4);
  return `the ${readers.length === 1 ? "prompt" : "prompts"} ${names}`;
}

/** ` through the fragment "c"` for a place that is not in the prompt's own text. */
export function throughFragment({ fragment }: Reading): string {
  return fragment === undefined ? "" : ` through the fragment "${fragment.name.text}"`;
}
