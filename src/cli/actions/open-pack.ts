import { detectFormat } from "../../document/file-format.js";
import { type Diagnostic, withAdvice } from "../../diagnostic.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { Analysis, hasPack, isRunnable, type PackAnalysis, type RunnableAnalysis } from "../../analysis.js";
import type { Pack } from "../../pack/pack.js";
import { unknownVersionMessage } from "../../schema/spec-version.js";
import { compactLine } from "../../reporters/compact.js";
import { isRoutesDocument } from "../../routes/routes.js";
import { notAPack, parseError } from "../../rules/file-rules.js";
import { unknownWorkflowVersion } from "../../rules/tables/workflow-rules.js";
import { lazy } from "../../text/collections.js";
import { listNamesOf, pluralize } from "../../text/wording.js";
import type { LintInput, OpenFlags } from "../config/lint-with-settings.js";
import { readLimits } from "../config/flags.js";
import { discover } from "../files/discover.js";
import { readRequiredFile } from "../files/read-file.js";
import { type Io, printMessage, readAll, UsageError } from "../terminal/io.js";

export interface OpenedPack {
  readonly file: string;
  readonly pack: Pack;
  readonly analysis: PackAnalysis;
  /** Absent if the pack has no workflow with states. */
  readonly workflow: RunnableAnalysis | undefined;
  /** The findings of `lint`, computed on the first call. */
  readonly diagnostics: () => Promise<readonly Diagnostic[]>;
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
  read: LintInput & { readonly bytes: Uint8Array; readonly shown?: string },
  flags: OpenFlags,
): Promise<OpenedPack | undefined> {
  const { specVersion } = flags;
  const wrong = specVersion === undefined ? undefined : unknownVersionMessage(specVersion);
  if (wrong !== undefined) throw new UsageError(wrong);
  const { file, bytes, shown = file } = read;
  const format = detectFormat(read.path === undefined ? undefined : file, bytes);
  const document = await readDocumentLazily(bytes, format, readLimits(flags));
  if (isRoutesDocument(document)) throw new UsageError(`"${shown}" is an RFC-103 configuration, not a pack.`);
  const analysis = new Analysis(file, document, { specVersion });
  const { other } = analysis;
  const rule = other === undefined ? parseError : notAPack;
  for (const fault of other === undefined ? parseError.check({ document, isPack: true }) : [other]) {
    const range = { start: document.lines.position(fault.at.start) };
    const diagnostic = { rule: rule.id, severity: "error", ...withAdvice(fault), range } as const;
    io.stderr.write(`${compactLine(shown, diagnostic)}\n`);
  }
  if (!hasPack(analysis) || other !== undefined) return undefined;
  const diagnostics = lazy(async () => {
    const { lintOpenedPack } = await import("../config/lint-with-settings.js");
    return lintOpenedPack(analysis, read, io.cwd, flags);
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
