import { isRunnable } from "../../analysis.js";
import { excessiveReaderPairs, inspect } from "../../inspect/inspect.js";
import { inspectionText } from "../../inspect/inspection-text.js";
import { jsonPieces } from "../../text/escape.js";
import { loadPaint } from "../../text/paint.js";
import { capitalize } from "../../text/wording.js";
import type { FormatFlags } from "../config/flags.js";
import { type Io, shouldUseColor, UsageError } from "../terminal/io.js";
import { missingWorkflowReason, openPack, warnAboutErrors, warnAboutVersion } from "./open-pack.js";

export async function inspectPack(io: Io, path: string, flags: FormatFlags): Promise<number> {
  const { format, color } = flags;
  const opened = await openPack(io, path, flags);
  const inspection = inspect(opened.file, opened.pack, isRunnable(opened) ? opened : undefined);
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
