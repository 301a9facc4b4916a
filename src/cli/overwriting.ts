import { resolve } from "node:path";
import { realPathOf } from "./real-path.js";
import { UsageError } from "./usage-error.js";

/** A report must not take the place of what it is about, by whatever name either is called. */
export function refuseToOverwrite(cwd: string, output: string, inputs: Iterable<string>): void {
  const written = realPathOf(resolve(cwd, output));
  for (const input of inputs) {
    if (realPathOf(input) === written)
      throw new UsageError(
        `"${output}" would be overwritten, and is what was to be read: name another file.`,
      );
  }
}
