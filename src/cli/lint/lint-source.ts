import type { Diagnostic } from "../../diagnostic.js";
import { asSource } from "../../document/decode.js";
import type { Document } from "../../document/document.js";
import { formatOf } from "../../document/format-of.js";
import { loadReader, readDocumentLazily } from "../../document/read-lazily.js";
import { isFixable, type Fixable } from "../../fix/apply-edits.js";
import type { Checked } from "../../fix/is-sound.js";
import type { JudgeOptions } from "../../judge.js";
import type { Baseline } from "../baseline/baseline.js";
import { judgeBySettings, type Judged, type Opened } from "../config/judge-by-settings.js";
import type { Settings } from "../config/settings.js";
import type { Linted } from "../report/linted.js";
import type { LintRequest } from "../request/lint-request.js";
import type { Stopwatch } from "../terminal/stopwatch.js";
import { knownAgain } from "./known-again.js";

export interface Source extends Omit<Opened, "document">, Pick<JudgeOptions, "routes"> {
  readonly bytes: Uint8Array;
}

/** Everything that happens to one file, from its bytes to what is reported of it. */
export async function lintSource(
  source: Source,
  settings: Settings,
  request: LintRequest,
  stopwatch: Stopwatch,
): Promise<Linted> {
  const { document, judged } = await readAndJudge(source, settings, request, stopwatch);
  const { specVersion, suppressed, used, couldSpeak } = judged;
  const diagnostics = await withSoundOffers(source, document, judged, settings, request, stopwatch);
  const found = [...diagnostics, ...suppressed.map(({ diagnostic }) => diagnostic)];
  return {
    format: document.format,
    isFaulty: document.faults.length > 0,
    levels: settings.levels,
    couldSpeak,
    usedEntries: new Set([...used, ...settings.ignoredFindings.filter(({ rule }) => !couldSpeak(rule))]),
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
  source: Source,
  settings: Settings,
  request: LintRequest,
  stopwatch: Stopwatch,
  known: Baseline | undefined,
): Promise<{ readonly before: string; readonly after: string; readonly fixed: number } | undefined> {
  const { document, judged: found } = await readAndJudge(source, settings, request, stopwatch);
  const judged = silenceKnown(source, document, found, known);
  if (!judged.kept.some(isFixable)) return undefined;
  const { applyFixes } = await import("../../fix/apply-fixes.js");
  const check = await checkerOf(source, document, settings, request, known);
  const wants = ({ fix }: Fixable) => request.unsafeFixes || fix.unsafe !== true;
  const { text, fixed } = stopwatch.time("fixes", () => applyFixes(document.text, judged, { check, wants }));
  return text === document.text ? undefined : { before: document.text, after: text, fixed };
}

async function readAndJudge(
  source: Source,
  settings: Settings,
  request: LintRequest,
  stopwatch: Stopwatch,
): Promise<{ readonly document: Document; readonly judged: Judged }> {
  const { file, bytes } = source;
  const format = formatOf(file, bytes);
  const document = await stopwatch.timeAsync("parse", () =>
    readDocumentLazily(bytes, format, request.limits),
  );
  const around: JudgeOptions["around"] = request.stats
    ? (name, work) => stopwatch.time(name, work)
    : undefined;
  return { document, judged: judgeSource(source, document, settings, request, around) };
}

function judgeSource(
  { file, path, routes, lookedFor }: Source,
  document: Document,
  settings: Settings,
  { specVersion, inlineConfig, kind }: LintRequest,
  around?: JudgeOptions["around"],
): Judged {
  const options = { specVersion, inlineConfig, kind, routes, around };
  return judgeBySettings({ file, path, document, lookedFor }, settings, options);
}

/** The findings, without the fixes that would not do what they say. */
async function withSoundOffers(
  source: Source,
  document: Document,
  judged: Judged,
  settings: Settings,
  request: LintRequest,
  stopwatch: Stopwatch,
): Promise<readonly Diagnostic[]> {
  if (!judged.kept.some(isFixable)) return judged.kept;
  const { soundOffers } = await import("../../fix/apply-fixes.js");
  const check = await checkerOf(source, document, settings, request);
  return stopwatch.time("fixes", () => soundOffers(document.text, judged, check));
}

/** Lints other texts in the place of this one. */
async function checkerOf(
  source: Source,
  { format }: Document,
  settings: Settings,
  request: LintRequest,
  known?: Baseline,
): Promise<(text: string) => Checked> {
  const read = await loadReader(format);
  return (text) => {
    const document = read(asSource(text), request.limits);
    return silenceKnown(source, document, judgeSource(source, document, settings, request), known);
  };
}

/** The known findings, too, are among those that are silenced. */
function silenceKnown({ file }: Source, { root, lines }: Document, judged: Judged, known?: Baseline): Judged {
  if (known === undefined) return judged;
  const { specVersion, kept, suppressed } = judged;
  const report = known.silence({ file, specVersion, diagnostics: kept, suppressed, lines }, root);
  return { ...judged, kept: report.diagnostics, suppressed: report.suppressed };
}
