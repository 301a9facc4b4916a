import { hasPack, isRunnable, type PackAnalysis, type RunnableAnalysis } from "../../analysis.js";
import type { Diagnostic } from "../../diagnostic.js";
import { toDiagnostic } from "../../lint/collect-diagnostics.js";
import type { Pack } from "../../pack/pack.js";
import { unknownWorkflowVersion } from "../../pack/workflow.js";
import { unknownVersionMessage } from "../../schema/spec-version.js";
import { compactLine } from "../../reporters/compact.js";
import { isRoutesDocument } from "../../routes/routes.js";
import { listNamesOf, pluralize } from "../../text/wording.js";
import { type PackFlags, readLimits } from "../config/flags.js";
import { discover } from "../files/discover.js";
import { openAnalysis } from "../files/open-analysis.js";
import { readRequiredFile } from "../files/read-file.js";
import { type Io, printMessage, readAll, ReportedError, UsageError } from "../terminal/io.js";
import { notAPack, parseError } from "../../rules/file-rules.js";

/** If it is not a pack, prints why and ends the command. */
export async function openPack(io: Io, path: string, flags: PackFlags): Promise<PackAnalysis> {
  const analysis = await openBytes(io, await readPack(io, path, flags), flags);
  if (analysis === undefined) throw new ReportedError();
  return analysis;
}

/** The same for a command that needs the workflow; `done` says what for. */
export async function openWorkflow(
  io: Io,
  path: string,
  flags: PackFlags,
  done: string,
): Promise<RunnableAnalysis> {
  return requireWorkflow(await openPack(io, path, flags), done);
}

interface PackBytes {
  readonly file: string;
  readonly bytes: Uint8Array;
}

export async function readPack(io: Io, path: string, flags: PackFlags): Promise<PackBytes> {
  const { maxBytes } = readLimits(flags);
  if (path === "-") return { file: "<stdin>", bytes: await readAll(io.stdin, maxBytes) };
  const { targets, problems } = discover([path], io.cwd, "pack");
  const [target, ...more] = targets;
  if (target === undefined) throw new UsageError(problems[0] ?? `"${path}" does not exist.`);
  if (more.length > 0) {
    const files = listNamesOf(targets, ({ file }) => file, 4);
    throw new UsageError(`"${path}" holds several packs (${files}): name one.`);
  }
  const { file } = target;
  return { file, bytes: readRequiredFile(target.path, file, maxBytes) };
}

/** Undefined if it is not a pack, which has been printed; `shown` names it in messages. */
export async function openBytes(
  io: Io,
  { file, bytes }: PackBytes,
  flags: PackFlags,
  shown = file,
): Promise<PackAnalysis | undefined> {
  const { specVersion } = flags;
  const wrong = specVersion === undefined ? undefined : unknownVersionMessage(specVersion);
  if (wrong !== undefined) throw new UsageError(wrong);
  const analysis = await openAnalysis(file, bytes, { limits: readLimits(flags), specVersion });
  const { other, document } = analysis;
  if (isRoutesDocument(document)) throw new UsageError(`"${shown}" is an RFC-103 configuration, not a pack.`);
  const rule = other === undefined ? parseError : notAPack;
  for (const fault of other === undefined ? parseError.check({ document, isPack: true }) : [other])
    io.stderr.write(`${compactLine(shown, toDiagnostic(document, rule, "error", fault))}\n`);
  return hasPack(analysis) && other === undefined ? analysis : undefined;
}

export async function findingsOf(
  { cwd }: Io,
  analysis: PackAnalysis,
  config?: string | false,
): Promise<readonly Diagnostic[]> {
  const { lintOpenedPack } = await import("../lint/lint-file.js");
  return lintOpenedPack(analysis, cwd, config);
}

/** The result for a pack with errors may be wrong. */
export async function warnAboutErrors(
  io: Io,
  analysis: PackAnalysis,
  findings: readonly Diagnostic[] | Promise<readonly Diagnostic[]> = findingsOf(io, analysis),
): Promise<void> {
  const errors = (await findings).filter(({ severity }) => severity === "error").length;
  if (errors === 0) return;
  printMessage(io, `"${analysis.file}" has ${pluralize(errors, "error")}, which "promptpack lint" shows.`);
}

/** For commands that run a workflow. They need no config: a broken one is only reported. */
export async function warnBeforeRun(io: Io, analysis: RunnableAnalysis): Promise<void> {
  try {
    await warnAboutErrors(io, analysis);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    printMessage(io, error.message);
  }
  warnAboutVersion(io, analysis);
}

/** A workflow of an unknown version runs as one of the newest does. */
export function warnAboutVersion(io: Io, { workflow }: Pick<PackAnalysis, "workflow">): void {
  const message = workflow && unknownWorkflowVersion(workflow);
  if (message !== undefined) printMessage(io, message);
}

export function missingWorkflowReason({ workflow }: Pack): string {
  return workflow === undefined ? "the pack has no workflow" : "the workflow has no states";
}

export function requireWorkflow(analysis: PackAnalysis, done: string): RunnableAnalysis {
  if (isRunnable(analysis)) return analysis;
  throw new UsageError(`"${analysis.file}" cannot be ${done}: ${missingWorkflowReason(analysis.pack)}.`);
}

/** A workflow of an unknown version may run otherwise than we think. */
export function refuseUnknownVersion({ workflow }: RunnableAnalysis, force: boolean | undefined): void {
  const message = unknownWorkflowVersion(workflow);
  if (message !== undefined && force !== true)
    throw new UsageError(`${message} "--force" runs it like one of version 2.`);
}

export function refuseSharedInput(pack: string, records: readonly string[]): void {
  if ([pack, ...records].filter((path) => path === "-").length > 1)
    throw new UsageError("Standard input can be only one of the files: give the others by name.");
}
