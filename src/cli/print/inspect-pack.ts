import { tooManyReaders } from "../../inspect/artifact-readers.js";
import { inspect } from "../../inspect/inspect.js";
import { inspectionText } from "../../inspect/inspection-text.js";
import type { Inspection } from "../../inspect/inspection.js";
import { loadPaint } from "../../text/paint.js";
import { jsonText } from "../../text/visible-text.js";
import { capitalized } from "../../words/wording.js";
import { lackOf } from "../open/no-workflow.js";
import { openPack } from "../open/open-pack.js";
import { tellOfErrors } from "../open/tell-of-errors.js";
import { readLimits, type LimitFlags } from "../request/limits.js";
import { wantsColor } from "../terminal/color.js";
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
  await tellOfErrors(io, opened);
  if (format === "json") {
    refuseTooMany(opened.file, inspection);
    io.stdout.write(jsonText(inspection));
    return 0;
  }
  const paint = await loadPaint({ color: wantsColor(color, io), links: false });
  io.stdout.write(inspectionText(inspection, io.stdout.columns || undefined, paint));
  if (opened.workflow === undefined) io.stdout.write(`\n${capitalized(lackOf(opened.pack))}.\n`);
  return 0;
}

function refuseTooMany(file: string, inspection: Inspection): void {
  const readers = tooManyReaders(inspection);
  if (readers !== undefined) {
    throw new UsageError(
      `"${file}" has ${readers} pairs of an artifact and a state that reads it, too many to list: leave out "--format json".`,
    );
  }
}
