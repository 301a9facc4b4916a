import type { SharedRead } from "../pack/artifacts.js";
import { listNames } from "../wording.js";

/** `the prompt "a" reads`, `the prompts "a" and "b" read through the fragment "c"`. */
export function listReaders(reads: SharedRead): string {
  return `${promptsOf(reads)} ${reads.length === 1 ? "reads" : "read"}${throughFragment(reads)}`;
}

/** `the prompt "a"`, `the prompts "a" and "b"`. */
export function promptsOf(reads: SharedRead): string {
  const names = listNames(
    reads.map(({ prompt }) => prompt.key.text),
    4,
  );
  return `the ${reads.length === 1 ? "prompt" : "prompts"} ${names}`;
}

/** ` through the fragment "c"` for a place that is not in the prompt's own text. */
export function throughFragment([{ reading }]: SharedRead): string {
  return reading.fragment === undefined ? "" : ` through the fragment "${reading.fragment.name.text}"`;
}
