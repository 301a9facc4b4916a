import { UsageError } from "../terminal/usage-error.js";
import type { LintFlags } from "./lint-flags.js";

/** A name for standard input is of no use where that is not read, and is needed where it is to be known again. */
export function checkStdinName(paths: readonly string[], { stdinFilename, updateBaseline }: LintFlags): void {
  const isRead = paths.includes("-");
  if (stdinFilename !== undefined && !isRead)
    throw new UsageError(
      '"--stdin-filename" has no effect, because standard input is not read: add "-" to the paths.',
    );
  if (stdinFilename === undefined && isRead && updateBaseline === true)
    throw new UsageError('A baseline needs a name for standard input: add "--stdin-filename".');
}
