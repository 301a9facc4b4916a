import type { Place, Trace } from "../diagnostic.js";

/** Breaking: somebody who relied on the old pack fails. Behaviour: it does other things than before. */
export const changeLevels = ["breaking", "behaviour", "compatible"] as const;
export type ChangeLevel = (typeof changeLevels)[number];

/** One difference between two versions of a pack. */
export interface Change {
  readonly rule: string;
  readonly level: ChangeLevel;
  /** The file that `at` is in: the old one for what is gone. */
  readonly side: "old" | "new";
  readonly at: Place;
  readonly message: string;
  /** Whether it is something new, which takes a minor version at least. */
  readonly adds?: boolean;
  /** The prompt whose text, variables or tools changed. */
  readonly prompt?: string;
  /** The shortest runs that differ. */
  readonly traces?: { readonly old: Trace; readonly new: Trace };
}
