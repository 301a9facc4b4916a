import { hasPack, isRunnable, type PackAnalysis, type RunnableAnalysis } from "../../analysis.js";
import type { Diagnostic } from "../../diagnostic.js";
import { toDiagnostic } from "../../lint/collect-diagnostics.js";
import type { Pack } from "../../pack/pack.js";
import { unknownVersionMessage } from "../../schema/spec-version.js";
import { compactLine } from "../../reporters/compact.js";
import { isRoutesDocument } from "../../routes/routes.js";
import { unknownWorkflowVersion } from "../../rules/tables/workflow-rules.js";
import { lazy } from "../../text/collections.js";
import { listNamesOf, pluralize } from "../../text/wording.js";
import { type LimitFlags, readLimits } from "../config/flags.js";
import { discover } from "../files/discover.js";
import { openAnalysis } from "../files/open-analysis.js";
import { readRequiredFile } from "../files/read-file.js";
import { type Io, printMessage, readAll, UsageError } from "../terminal/io.js";
import { notAPack, parseError } from "../../rules/file-rules.js";

export interface OpenedPack {
  readonly file: string;
  readonly pack: Pack;
  readonly analysis: PackAnalysis;
  /** Absent if the pack has no workflow with states. */
  readonly workflow: RunnableAnalysis | undefined;
  /** The findings of `lint`, computed on the first call. */
  readonly diagnostics: () => Promise<readonly Diagnostic[]>;
}

interface OpenFlags extends LimitFlags {
  readonly specVersion?: string | undefined;
  readonly config?: string | false | undefined;
}

interface ReadFile {
  readonly file: string;
  /** Undefined for standard input. */
  readonly path: string | undefined;
  readonly bytes: Uint8Array;
}

/**
 * Reads a pack from a file, from a folder with a single pack, or from standard input for `-`. If it is not a pack, prints
 * why and returns undefined.
 */
export async function openPack(io: Io, path: string, flags: OpenFlags): Promise<OpenedPack | undefined> {
  const { maxBytes } = readLimits(flags);
  if (path === "-") {
    const bytes = await readAll(io.stdin, maxBytes);
    return openBytes(io, { file: "<stdin>", bytes, path: undefined }, flags);
  }
  const { targets, problems } = discover([path], io.cwd, "pack");
  const [target, ...more] = targets;
  if (target === undefined) throw new UsageError(problems[0] ?? `"${path}" does not exist.`);
  if (more.length > 0) {
    const files = listNamesOf(targets, ({ file }) => file, 4);
    throw new UsageError(`"${path}" holds several packs (${files}): name one.`);
  }
  return openBytes(io, { ...target, bytes: readRequiredFile(target.path, target.file, maxBytes) }, flags);
}

/** The same for bytes that were read already; `shown` names the file in messages, if its path is not enough. */
export async function openBytes(
  io: Io,
  read: ReadFile & { readonly shown?: string },
  flags: OpenFlags,
): Promise<OpenedPack | undefined> {
  const { specVersion } = flags;
  const wrong = specVersion === undefined ? undefined : unknownVersionMessage(specVersion);
  if (wrong !== undefined) throw new UsageError(wrong);
  const { file, path, bytes, shown = file } = read;
  const analysis = await openAnalysis(file, bytes, { limits: readLimits(flags), specVersion });
  const { other, document } = analysis;
  if (isRoutesDocument(document)) throw new UsageError(`"${shown}" is an RFC-103 configuration, not a pack.`);
  const rule = other === undefined ? parseError : notAPack;
  for (const fault of other === undefined ? parseError.check({ document, isPack: true }) : [other])
    io.stderr.write(`${compactLine(shown, toDiagnostic(document, rule, "error", fault))}\n`);
  if (!hasPack(analysis) || other !== undefined) return undefined;
  const diagnostics = lazy(async () => {
    const { lintOpenedPack } = await import("../lint/lint-file.js");
    return lintOpenedPack(analysis, path, io.cwd, flags.config);
  });
  const workflow = isRunnable(analysis) ? analysis : undefined;
  return { file, pack: analysis.pack, analysis, workflow, diagnostics };
}

/** The result for a pack with errors may be wrong. */
export async function warnAboutErrors(io: Io, opened: OpenedPack): Promise<void> {
  const errors = (await opened.diagnostics()).filter(({ severity }) => severity === "error").length;
  if (errors === 0) return;
  printMessage(io, `"${opened.file}" has ${pluralize(errors, "error")}, which "promptpack lint" shows.`);
}

/** For commands that run a workflow. They need no config: a broken one is only reported. */
export async function warnBeforeRun(io: Io, opened: OpenedPack): Promise<void> {
  try {
    await warnAboutErrors(io, opened);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    printMessage(io, error.message);
  }
  // A workflow of an unknown version runs as one of the newest does.
  const message = opened.workflow && unknownWorkflowVersion(opened.workflow.workflow);
  if (message !== undefined) printMessage(io, message);
}

export function missingWorkflowReason({ workflow }: Pack): string {
  return workflow === undefined ? "the pack has no workflow" : "the workflow has no states";
}

export function requireWorkflow({ file, pack, workflow }: OpenedPack, done: string): RunnableAnalysis {
  if (workflow !== undefined) return workflow;
  throw new UsageError(`"${file}" cannot be ${done}: ${missingWorkflowReason(pack)}.`);
}
