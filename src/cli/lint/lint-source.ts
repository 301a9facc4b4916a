import type { Diagnostic } from "../../diagnostic.js";
import { asSource } from "../../document/decode.js";
import type { Document } from "../../document/document.js";
import { formatOf } from "../../document/format-of.js";
import { loadReader, readDocumentLazily } from "../../document/read-lazily.js";
import { isFixable, type Fixable } from "../../fix/apply-edits.js";
import type { Checked } from "../../fix/is-sound.js";
import type { JudgeOptions } from "../../judge.js";
import type { FileReport } from "../../reporters/report.js";
import type { Baseline } from "../baseline/baseline.js";
import { judgeBySettings, type Input, type Judged } from "../config/judge-by-settings.js";
import type { Settings } from "../config/settings.js";
import { astrayEntries } from "../config/stale-entries.js";
import type { Linted } from "../report/linted.js";
import type { LintRequest } from "../request/lint-request.js";
import type { Stopwatch } from "../terminal/stopwatch.js";

export interface Source extends Input, Pick<JudgeOptions, "routes"> {
  readonly bytes: Uint8Array;
}

/** A source with all that decides on what is found in it. */
export interface Task {
  readonly source: Source;
  readonly settings: Settings;
  readonly request: LintRequest;
  readonly stopwatch: Stopwatch;
  /** What is known counts as silenced. */
  readonly known?: Baseline | undefined;
}

/** Everything that happens to one file, from its bytes to what is reported of it. */
export async function lintSource(task: Task): Promise<Linted> {
  const { source, settings, request } = task;
  const { document, judged } = await readAndJudge(task);
  const { specVersion, suppressed, used, mayReport } = judged;
  const diagnostics = await withSoundOffers(task, document, judged);
  const found = [...diagnostics, ...suppressed.map(({ diagnostic }) => diagnostic)];
  return {
    format: document.format,
    isFaulty: document.faults.length > 0,
    levels: settings.levels,
    mayReport,
    usedEntries: new Set([...used, ...settings.ignoredFindings.filter(({ rule }) => !mayReport(rule))]),
    astrayEntries: astrayEntries(document, settings),
    report: {
      file: source.file,
      specVersion,
      diagnostics,
      suppressed,
      lines: document.lines,
      ...(await knownAgain(request, document, found)),
    },
  };
}

/** The source with everything fixed that can be and is not known; nothing when that is nothing. */
export async function fixSource(
  task: Task,
): Promise<{ readonly before: string; readonly after: string; readonly fixed: number } | undefined> {
  const { request, stopwatch } = task;
  const { document, judged } = await readAndJudge(task);
  if (!judged.kept.some(isFixable)) return undefined;
  const { applyFixes } = await import("../../fix/apply-fixes.js");
  const check = await checkerOf(task, document);
  const wants = ({ fix }: Fixable) => request.unsafeFixes || fix.unsafe !== true;
  const { text, fixed } = stopwatch.time("fixes", () => applyFixes(document.text, judged, { check, wants }));
  return text === document.text ? undefined : { before: document.text, after: text, fixed };
}

async function readAndJudge(task: Task): Promise<{ readonly document: Document; readonly judged: Judged }> {
  const { source, request, stopwatch } = task;
  const format = formatOf(source.file, source.bytes);
  const document = await stopwatch.timeAsync("parse", () =>
    readDocumentLazily(source.bytes, format, request.limits),
  );
  const around: JudgeOptions["around"] = request.stats
    ? (name, work) => stopwatch.time(name, work)
    : undefined;
  return { document, judged: judgeSource(task, document, around) };
}

/** The known findings, too, are among those that are silenced. */
function judgeSource(
  { source, settings, request, known }: Task,
  document: Document,
  around?: JudgeOptions["around"],
): Judged {
  const { file, path, routes, lookedFor } = source;
  const { specVersion, inlineConfig, kind } = request;
  const options = { specVersion, inlineConfig, kind, routes, around };
  const judged = judgeBySettings({ file, path, document, lookedFor }, settings, options);
  if (known === undefined) return judged;
  const { kept: diagnostics, suppressed } = judged;
  const { root, lines } = document;
  const report = { file, specVersion: judged.specVersion, diagnostics, suppressed, lines };
  const silenced = known.silence(report, root);
  return { ...judged, kept: silenced.diagnostics, suppressed: silenced.suppressed };
}

/** The findings, without the fixes that would not do what they say. */
async function withSoundOffers(
  task: Task,
  document: Document,
  judged: Judged,
): Promise<readonly Diagnostic[]> {
  if (!task.request.offersFixes || !judged.kept.some(isFixable)) return judged.kept;
  const { soundOffers } = await import("../../fix/apply-fixes.js");
  const check = await checkerOf(task, document);
  return task.stopwatch.time("fixes", () => soundOffers(document.text, judged, check));
}

/** Lints other texts in the place of this one. */
async function checkerOf(task: Task, { format }: Document): Promise<(text: string) => Checked> {
  const read = await loadReader(format);
  return (text) => judgeSource(task, read(asSource(text), task.request.limits));
}

/** What it takes to know findings again in the next run, as far as a baseline or a format has to. */
async function knownAgain(
  { baseline, formats }: LintRequest,
  { root }: Document,
  found: readonly Diagnostic[],
): Promise<Pick<FileReport, "lastingPointers">> {
  const isAsked = baseline !== undefined || formats.some(({ name }) => name === "sarif" || name === "gitlab");
  if (!isAsked) return {};
  const { lastingPointers } = await import("../../document/lasting-pointers.js");
  return { lastingPointers: lastingPointers(root, found) };
}
