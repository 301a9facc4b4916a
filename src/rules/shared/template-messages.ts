import type { SharedArtifactRead } from "../../pack/artifacts.js";
import type { Reading } from "../../pack/prompt.js";
import { listNamesOf } from "../../text/wording.js";

/** `the prompt "a" reads`, `the prompts "a" and "b" read through the fragment "c"`. */
export function listReaders(reads: SharedArtifactRead): string {
  return `${listPrompts(reads)} ${reads.length === 1 ? "reads" : "read"}${throughFragment(reads[0].reading)}`;
}

/** `the prompt "a"`, `the prompts "a" and "b"`. */
export function listPrompts(reads: SharedArtifactRead): string {
  const names = listNamesOf(reads, ({ prompt }) => prompt.key.text, 4);
  return `the ${reads.length === 1 ? "prompt" : "prompts"} ${names}`;
}

/** ` through the fragment "c"` for a place that is not in the prompt's own text. */
export function throughFragment({ fragment }: Reading): string {
  return fragment === undefined ? "" : ` through the fragment "${fragment.name.text}"`;
}
