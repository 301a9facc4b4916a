import { resolve } from "node:path";
import type { SettingsSource } from "./config/settings.js";
import type { LintRequest } from "./lint-request.js";
import { realPathOf } from "./real-path.js";
import { UsageError } from "./usage-error.js";

/** No report of `lint` takes the place of a file that is linted, of its config or of the baseline. */
export function refuseToOverwriteInputs(
  cwd: string,
  { formats, baseline }: LintRequest,
  linted: readonly string[],
  settings: SettingsSource,
): void {
  const outputs = formats.flatMap(({ file }) => file ?? []);
  if (outputs.length === 0) return;
  const configs = linted.flatMap((path) => settings.configPathFor(path) ?? []);
  const baselines = baseline === undefined ? [] : [resolve(cwd, baseline)];
  const inputs = new Set([...linted, ...configs, ...baselines]);
  for (const output of outputs) refuseToOverwrite(cwd, output, inputs);
}

/** A report must not take the place of what it is about, by whatever name either is called. */
export function refuseToOverwrite(cwd: string, output: string, inputs: Iterable<string>): void {
  const written = realPathOf(resolve(cwd, output));
  for (const input of inputs) {
    if (realPathOf(input) === written)
      throw new UsageError(`"${output}" would be overwritten, but it is an input: name another file.`);
  }
}
