import { basename, resolve } from "node:path";
import { isConfigName } from "../files/find-config.js";
import { isNamedAsPack } from "../files/find-files.js";
import { ignoreFileNames } from "../files/ignore-files.js";
import { realPathOf } from "../files/paths.js";
import { UsageError } from "../terminal/messages.js";
import type { LintRequest } from "./lint-request.js";
import type { SettingsResolver } from "./settings.js";

/** No report takes the place of a file that was read for it, of its config or of the baseline. */
export function refuseToOverwriteInputs(
  cwd: string,
  { formats, baseline }: LintRequest,
  read: readonly string[],
  settings: SettingsResolver,
): void {
  const outputs = formats.flatMap(({ file }) => file ?? []);
  if (outputs.length === 0) return;
  const configs = read.flatMap((path) => settings.configPathFor(path) ?? []);
  const baselines = baseline === undefined ? [] : [resolve(cwd, baseline)];
  const inputs = new Set([...read, ...configs, ...baselines]);
  for (const output of outputs) refuseToOverwrite(cwd, output, inputs);
}

/** A report must not take the place of what it is about, by whatever name either is called, nor of anything like it. */
export function refuseToOverwrite(cwd: string, output: string, inputs: Iterable<string>): void {
  const written = realPathOf(resolve(cwd, output));
  for (const input of inputs) {
    if (realPathOf(input) === written)
      throw new UsageError(`"${output}" would be overwritten, but it is an input: choose another file.`);
  }
  const meant = inputKindOf(basename(written));
  if (meant === undefined) return;
  throw new UsageError(
    `"${output}" cannot be used for a report: it is named like ${meant}. Choose another name.`,
  );
}

/** What the next run would take a file for, which a report is not. */
function inputKindOf(name: string): string | undefined {
  if (isNamedAsPack(name)) return "a pack";
  if (isConfigName(name)) return "a config";
  return ignoreFileNames.has(name) ? "an ignore file" : undefined;
}
