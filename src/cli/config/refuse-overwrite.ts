import { basename, resolve } from "node:path";
import { ignoreFileNames, isConfigName } from "../files/setting-files.js";
import { isNamedAsPack } from "../files/discover.js";
import { realPathOf } from "../files/paths.js";
import { orUsageError } from "../files/read-file.js";
import { writeOutputFile } from "../files/write-file.js";
import { type Io, UsageError } from "../terminal/io.js";
import type { LintRequest } from "./lint-request.js";
import type { SettingsResolver } from "./settings.js";

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

/** A report must not overwrite an input, whatever links lead to it, nor look like an input of the next run. */
export function refuseToOverwrite(cwd: string, output: string, inputs: Iterable<string>): void {
  const written = realPathOf(resolve(cwd, output));
  for (const input of inputs) {
    if (realPathOf(resolve(cwd, input)) === written)
      throw new UsageError(`"${output}" would be overwritten, but it is an input: choose another file.`);
  }
  const kind = inputKindOf(basename(written));
  if (kind !== undefined)
    throw new UsageError(
      `"${output}" cannot be used for a report: it is named like ${kind}. Choose another name.`,
    );
}

export function writeOutput(
  io: Io,
  output: string | undefined,
  text: string,
  inputs: readonly string[],
): void {
  if (output === undefined || output === "-") return void io.stdout.write(text);
  refuseToOverwrite(io.cwd, output, inputs);
  orUsageError(`"${output}"`, "written", () => writeOutputFile(io.cwd, output, [text]));
}

function inputKindOf(name: string): string | undefined {
  if (isNamedAsPack(name)) return "a pack";
  if (isConfigName(name)) return "a config";
  return ignoreFileNames.has(name) ? "an ignore file" : undefined;
}
