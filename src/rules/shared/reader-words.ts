import type { SharedRead } from "../../pack/artifacts.js";
import type { Reading } from "../../pack/prompt.js";
import { listNamed } from "../../words/wording.js";

/** `the prompt "a" reads`, `the prompts "a" and "b" read through the fragment "c"`. */
export function listReaders(reads: SharedRead): string {
  return `${promptsOf(reads)} ${reads.length === 1 ? "reads" : "read"}${throughFragment(reads[0].reading)}`;
}

/** `the prompt "a"`, `the prompts "a" and "b"`. */
export function promptsOf(reads: SharedRead): string {
  const names = listNamed(reads, ({ prompt }) => prompt.key.text, 4);
  return `the ${reads.length === 1 ? "prompt" : "prompts"} ${names}`;
}

/** ` through the fragment "c"` for a place that is not in the prompt's own text. */
export function throughFragment({ fragment }: Reading): string {
  return fragment === undefined ? "" : ` through the fragment "${fragment.name.text}"`;
}
