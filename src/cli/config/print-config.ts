import { resolve } from "node:path";
import { formatJson } from "../../text/escape.js";
import { listNames } from "../../text/wording.js";
import { displayPath } from "../files/paths.js";
import { statIfExists } from "../files/read-file.js";
import { type Io, UsageError } from "../terminal/io.js";
import type { LintRequest } from "./lint-request.js";
import { SettingsResolver } from "./settings.js";

export async function printConfig(
  io: Io,
  file: string,
  paths: readonly string[],
  flags: LintRequest,
): Promise<number> {
  refuseOtherArguments(paths, flags);
  const path = resolve(io.cwd, file);
  if (statIfExists(path)?.isDirectory() === true) {
    throw new UsageError(
      `"${file}" is a folder: "--print-config" needs the name of a file, which need not exist.`,
    );
  }
  const resolver = new SettingsResolver(io.cwd, flags);
  const { config, levels, ignoredBy, ignoredFindings, properties, target } = await resolver.settingsFor(path);
  const shown = {
    file: displayPath(path, io.cwd),
    config: config === undefined ? null : displayPath(config.path, io.cwd),
    extends: flags.preset ?? config?.preset ?? "recommended",
    ignored: ignoredBy !== undefined,
    runtimes: target.runtimes.map(({ name }) => name),
    rules: Object.fromEntries(levels),
    ignore: ignoredFindings.map(({ file, rule, pointer, reason }) => ({ file, rule, pointer, reason })),
    ...(properties.length > 0 && { properties: properties.map(({ name }) => name.text) }),
  };
  io.stdout.write(formatJson(shown));
  return 0;
}

function refuseOtherArguments(paths: readonly string[], { formats }: LintRequest): void {
  if (paths.length > 0)
    throw new UsageError(`"--print-config" takes no other paths: leave out ${listNames(paths, 4)}.`);
  const report = formats.find(({ file }) => file !== undefined);
  if (report !== undefined)
    throw new UsageError(
      `"--print-config" writes no report: leave out "--format ${report.name}=${report.file ?? ""}".`,
    );
}
