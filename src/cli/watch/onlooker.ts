import type { Search } from "./asked.js";

/** Who is told what a run of `lint` does to files, and what it asks of others than those that it lints. */
export interface Onlooker {
  /** A file was fixed. */
  readonly wrote: (path: string) => void;
  /** Routes were searched for, and found, but not yet read. */
  readonly searched: (search: Search, found: readonly string[]) => void;
  /** A path is about to be looked for. */
  readonly lookedFor: (path: string) => void;
}
