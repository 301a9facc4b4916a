import { resolve } from "node:path";
import { Analysis, hasPack, isRunnable, type PackAnalysis, type RunnableAnalysis } from "../../analysis.js";
import type { Diagnostic } from "../../diagnostic.js";
import { toDiagnostic } from "../../lint/collect-diagnostics.js";
import type { Pack } from "../../pack/pack.js";
import { unknownWorkflowVersion } from "../../pack/workflow.js";
import { unknownVersionMessage } from "../../schema/spec-version.js";
import { compactLine } from "../../reporters/compact.js";
import { isRoutesDocument } from "../../routes/routes.js";
import { listNamesOf, pluralize } from "../../text/wording.js";
import { type PackFlags, readLimits } from "../config/flags.js";
import { looksLikeSource } from "../../sources/source-file.js";
import { discover, isFoundHead } from "../files/discover.js";
import { openAnalysis } from "../files/open-analysis.js";
import { displayPath } from "../files/paths.js";
import { readRequiredFile } from "../files/read-file.js";
import type { Overlay, SourceReader } from "../files/source-reader.js";
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
  /** Where the files of a project are, if it is one. */
  readonly path?: string;
  /** Their bytes, where the disk does not count. */
  readonly overlay?: Overlay;
}

export async function readPack(io: Io, path: string, flags: PackFlags): Promise<PackBytes> {
  const { maxBytes } = readLimits(flags);
  if (path === "-")
    return { file: "<stdin>", path: resolve(io.cwd, "<stdin>"), bytes: await readAll(io.stdin, maxBytes) };
  const { targets, problems } = discover([path], io.cwd, "pack");
  // The packs beside the only head are what its project compiles to.
  const heads = targets.filter((target) => isFoundHead(target.path));
  const [target, ...more] = heads.length === 1 ? heads : targets;
  if (target === undefined) throw new UsageError(problems[0] ?? `"${path}" does not exist.`);
  if (more.length > 0) {
    const files = listNamesOf(targets, ({ file }) => file, 4);
    throw new UsageError(`"${path}" holds several packs (${files}): name one.`);
  }
  const { file } = target;
  return { file, path: target.path, bytes: readRequiredFile(target.path, file, maxBytes) };
}

/** Undefined if it is not a pack, which has been printed; `shown` names it in messages. */
export async function openBytes(
  io: Io,
  opened: PackBytes,
  flags: PackFlags,
  shown = opened.file,
): Promise<PackAnalysis | undefined> {
  const { file, bytes } = opened;
  const { specVersion } = flags;
  const wrong = specVersion === undefined ? undefined : unknownVersionMessage(specVersion);
  if (wrong !== undefined) throw new UsageError(wrong);
  const source = await openSource(io, opened, flags);
  if (source !== undefined) return source.analysis;
  const analysis = await openAnalysis(file, bytes, { limits: readLimits(flags), specVersion });
  const { other, document } = analysis;
  if (isRoutesDocument(document)) throw new UsageError(`"${shown}" is an RFC-103 configuration, not a pack.`);
  const rule = other === undefined ? parseError : notAPack;
  for (const fault of other === undefined ? parseError.check({ document, isPack: true }) : [other])
    io.stderr.write(`${compactLine(shown, toDiagnostic(document, rule, "error", fault))}\n`);
  return hasPack(analysis) && other === undefined ? analysis : undefined;
}

/** The pack of a head; undefined if the file is none. `analysis` is undefined for one that makes no pack. */
export async function openSource(
  io: Io,
  { bytes, path, overlay }: PackBytes,
  flags: PackFlags,
): Promise<{ readonly analysis: PackAnalysis | undefined; readonly reader: SourceReader } | undefined> {
  const text = new TextDecoder().decode(bytes);
  if (path === undefined || !looksLikeSource(text, "(?:Arena|PromptConfig|Tool|Scenario)")) return undefined;
  const limits = readLimits(flags);
  const { SourceReader } = await import("../files/source-reader.js");
  const reader = new SourceReader({ cwd: io.cwd, limits, overlay });
  const source = await reader.open(path, bytes);
  if (source.kind === "other") return undefined;
  if (source.kind === "pack") {
    const file = displayPath(source.path, io.cwd);
    const pack = { file, bytes: readRequiredFile(source.path, file, limits.maxBytes) };
    return { analysis: await openBytes(io, pack, flags), reader };
  }
  const projects = source.project.head ? [] : await reader.projectsWith(path);
  if (projects.length > 1) {
    const heads = listNamesOf(projects, ({ first }) => first.name, 4);
    const named = displayPath(path, io.cwd);
    throw new UsageError(`"${named}" is a part of several projects (${heads}): name the head of one.`);
  }
  const [project = source.project] = projects;
  const { name, document } = project.first;
  const { specVersion } = flags;
  if (project.head === undefined)
    throw new UsageError(`"${name}" is a source that no head lists: name the head of its project.`);
  for (const fault of document.faults)
    io.stderr.write(
      `${compactLine(name, toDiagnostic(document, parseError, "error", { at: fault, message: fault.message }))}\n`,
    );
  if (document.root === undefined) return { analysis: undefined, reader };
  const analysis = new Analysis(name, project.document, { specVersion, project });
  return { analysis: hasPack(analysis) ? analysis : undefined, reader };
}

export async function findingsOf(
  { cwd }: Io,
  analysis: PackAnalysis,
  config?: string | false,
): Promise<readonly Diagnostic[]> {
  if (analysis.project !== undefined) {
    const { lintOpenedProject } = await import("../lint/lint-project.js");
    return (await lintOpenedProject(analysis, analysis.project, cwd, config)).kept;
  }
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
