import { resolve } from "node:path";
import { isRunnable, type RunnableAnalysis } from "../../analysis.js";
import { excessiveReaderPairs, inspect } from "../../inspect/inspect.js";
import { inspectionText } from "../../inspect/inspection-text.js";
import { jsonPieces } from "../../text/escape.js";
import { noLevels } from "../../lint/run-rules.js";
import type { Facts } from "../../machine/facts.js";
import type { RuntimeName } from "../../runtimes/names.js";
import type { Runtime } from "../../runtimes/runtime.js";
import { loadPaint } from "../../text/paint.js";
import { capitalize } from "../../text/wording.js";
import type { FormatFlags } from "../config/flags.js";
import { readRuntimes } from "../config/lint-request.js";
import { SettingsResolver } from "../config/settings.js";
import { type Io, shouldUseColor, UsageError } from "../terminal/io.js";
import { missingWorkflowReason, openPack, warnAboutErrors, warnAboutVersion } from "./open-pack.js";

interface InspectFlags extends FormatFlags {
  readonly runtime?: readonly string[];
}

export async function inspectPack(io: Io, path: string, flags: InspectFlags): Promise<number> {
  const { format, color } = flags;
  const runtimes = readRuntimes(flags.runtime);
  const opened = await openPack(io, path, flags);
  const running = isRunnable(opened) ? await withRuntimes(io, opened, runtimes) : undefined;
  const inspection = inspect(opened.file, opened.pack, running);
  await warnAboutErrors(io, opened);
  warnAboutVersion(io, opened);
  if (format === "json") {
    const readers = excessiveReaderPairs(inspection);
    if (readers !== undefined)
      throw new UsageError(
        `"${opened.file}" has ${readers} pairs of an artifact and a state that reads it, too many to list: leave out "--format json".`,
      );
    for (const piece of jsonPieces(inspection)) io.stdout.write(piece);
    return 0;
  }
  const paint = await loadPaint({ color: shouldUseColor(color, io), links: false });
  io.stdout.write(inspectionText(inspection, io.stdout.columns || undefined, paint));
  if (!isRunnable(opened)) io.stdout.write(`\n${capitalize(missingWorkflowReason(opened.pack))}.\n`);
  return 0;
}

/** A broken config is reported with the errors of the pack. */
async function withRuntimes(io: Io, opened: RunnableAnalysis, named: readonly RuntimeName[] | undefined) {
  const { workflow, facts, file } = opened;
  const flags = { preset: undefined, rules: noLevels, config: undefined, runtimes: named };
  const { target } = await new SettingsResolver(io.cwd, flags).settingsFor(resolve(io.cwd, file));
  const runtimes = new Map<Runtime, Facts>();
  for (const runtime of target.runtimes) {
    const own = opened.entriesIn(runtime);
    if (own !== undefined) runtimes.set(runtime, own);
  }
  return { workflow, facts, runtimes };
}
