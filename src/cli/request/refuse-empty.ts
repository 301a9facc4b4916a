import { UsageError } from "../terminal/usage-error.js";
import type { LintFlags } from "./lint-flags.js";

/** A script may fill in a variable that is not set: an empty path would be the working folder. */
export function refuseEmpty(flags: LintFlags): void {
  const given = {
    "--config": flags.config,
    "--baseline": flags.baseline,
    "--print-config": flags.printConfig,
    "--stdin-filename": flags.stdinFilename,
    "--since": flags.since,
  };
  for (const [flag, value] of Object.entries(given)) {
    if (value === "") throw new UsageError(`"${flag}" must not be empty.`);
  }
}
