import { excessiveReaderPairs } from "../../inspect/artifact-readers.js";
import { inspect } from "../../inspect/inspect.js";
import { inspectionText } from "../../inspect/inspection-text.js";
import type { Inspection } from "../../inspect/inspection.js";
import { loadPaint } from "../../text/paint.js";
import { formatJson } from "../../text/visible-text.js";
import { capitalize } from "../../words/wording.js";
import { missingWorkflowReason } from "../open/no-workflow.js";
import { openPack } from "../open/open-pack.js";
import { warnAboutErrors } from "../open/tell-of-errors.js";
import { readLimits, type LimitFlags } from "../request/limits.js";
import { shouldUseColor } from "../terminal/color.js";
import { requireFormat } from "../terminal/formats.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";

/** The flags of `inspect` as they were written. */
export interface InspectFlags extends LimitFlags {
  readonly format: string;
  readonly specVersion?: string;
  readonly color?: boolean;
}

/** `promptpack inspect`: from the command line to the exit code. */
export async function inspectPack(io: Io, path: string, flags: InspectFlags): Promise<number> {
  const { format, specVersion, color } = flags;
  requireFormat("inspect", format);
  const opened = await openPack(io, path, { specVersion, limits: readLimits(flags) });
  if (opened === undefined) return 2;
  const inspection = inspect(opened.file, opened.pack, opened.workflow);
  await warnAboutErrors(io, opened);
  if (format === "json") {
    refuseTooManyReaders(opened.file, inspection);
    io.stdout.write(formatJson(inspection));
    return 0;
  }
  const paint = await loadPaint({ color: shouldUseColor(color, io), links: false });
  io.stdout.write(inspectionText(inspection, io.stdout.columns || undefined, paint));
  if (opened.workflow === undefined) io.stdout.write(`\n${capitalize(missingWorkflowReason(opened.pack))}.\n`);
  return 0;
}

function refuseTooManyReaders(file: string, inspection: Inspection): void {
  const readers = excessiveReaderPairs(inspection);
  if (readers !== undefined) {
    throw new UsageError(
      `"${file}" has ${readers} pairs of an artifact and a state that reads it, too many to list: leave out "--format json".`,
    );
  }
}
