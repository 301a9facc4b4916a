import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { applyComments } from "../suppress/apply-comments.js";
import { compareText, type Diagnostic } from "../diagnostic.js";
import type { Document, Format } from "../document/document.js";
import { loadReader, readDocumentLazily } from "../document/read-lazily.js";
import { isFixable, type Fixable } from "../fix/apply-edits.js";
import { applyFixes, soundOffers } from "../fix/apply-fixes.js";
import type { Checked } from "../fix/is-sound.js";
import { lintDocument, lintRoutes, type LintOptions, type LintResult } from "../lint.js";
import { whoCouldSpeak } from "../suppress/could-speak.js";
import type { FileReport, Suppressed } from "../reporters/report.js";
import { isRoutes, readRoutes } from "../routes/read-routes.js";
import { loopSpec, Routes, type RoutesFile } from "../routes/routes.js";
import type { SuppressedByComment, Suppression } from "../suppress/suppress.js";
import type { IgnoredFinding } from "./config/config.js";
import type { Settings } from "./config/settings.js";
import { formatOfBytes } from "./format-of-bytes.js";
import { knownAgain } from "./known-again.js";
import type { LintRequest } from "./lint-request.js";
import type { Stopwatch } from "./stopwatch.js";
import { suppressByConfig } from "./suppress-by-config.js";

export interface Source {
  /** As it is reported. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Where the file lies; standard input lies nowhere. */
  readonly path: string | undefined;
  /** The files of the configuration it belongs to, should it be one of routes; by itself where there are none. */
  readonly routes?: readonly RoutesFile[] | undefined;
}

/** The tree of the file is gone by now: a thousand of them would fill the memory. */
export interface Linted {
  readonly report: FileReport;
  readonly format: Format;
  /** Whether the file could not be read, so that nobody knows what is in it. */
  readonly isFaulty: boolean;
  readonly levels: Settings["levels"];
  /** Whether the silence of a rule means that it has nothing to say about the file. */
  readonly couldSpeak: (ruleId: string) => boolean;
  /** The entries of the config's `ignore` that silenced something here, or may do so again. */
  readonly usedEntries: ReadonlySet<IgnoredFinding>;
}

/** Everything that happens to one file, from its bytes to what is reported of it. */
export async function lintSource(
  source: Source,
  settings: Settings,
  request: LintRequest,
  watch: Stopwatch,
): Promise<Linted> {
  const { document, judged } = await readAndJudge(source, settings, request, watch);
  const { specVersion, suppressed, used, couldSpeak } = judged;
  const diagnostics = await withSoundOffers(source, document, judged, settings, request, watch);
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

/** The source with everything repaired that can be; nothing when that is nothing. */
export async function fixSource(
  source: Source,
  settings: Settings,
  request: LintRequest,
  watch: Stopwatch,
): Promise<{ readonly before: string; readonly after: string; readonly fixed: number } | undefined> {
  const { document, judged } = await readAndJudge(source, settings, request, watch);
  if (!judged.kept.some(isFixable)) return undefined;
  const check = await checkerOf(source, document, settings, request);
  const checked = checkedAs(document, judged);
  const wants = ({ fix }: Fixable) => request.unsafeFixes || fix.unsafe !== true;
  const { text, fixed } = watch.time("repairs", () => applyFixes(document.text, checked, { check, wants }));
  return text === document.text ? undefined : { before: document.text, after: text, fixed };
}

/** What the rules, the comments and the config make of a document. */
interface Judged {
  readonly specVersion: string;
  readonly kept: readonly Diagnostic[];
  readonly suppressed: readonly Suppressed[];
  readonly used: ReadonlySet<IgnoredFinding>;
  readonly couldSpeak: Linted["couldSpeak"];
}

async function readAndJudge(
  source: Source,
  settings: Settings,
  request: LintRequest,
  watch: Stopwatch,
): Promise<{ readonly document: Document; readonly judged: Judged }> {
  const { file, bytes } = source;
  const format = formatOfBytes(file, bytes);
  const document = await watch.timeAsync("parse", () => readDocumentLazily(bytes, format, request.limits));
  const around: LintOptions["around"] = request.stats ? (name, work) => watch.time(name, work) : undefined;
  return { document, judged: judge(document, source, settings, request, around) };
}

function judge(
  document: Document,
  source: Source,
  { levels, ignoredFindings }: Settings,
  { specVersion, inlineConfig, kind }: LintRequest,
  around?: LintOptions["around"],
): Judged {
  const { path } = source;
  const linted = lintAsKind(document, source, kind, {
    levels,
    specVersion,
    around,
    ...(path !== undefined && { fileExists: (name) => existsSync(resolve(dirname(path), name)) }),
  });
  const commented: Suppression = inlineConfig
    ? applyComments(document, linted.diagnostics, levels)
    : { kept: linted.diagnostics, suppressed: [] };
  const { kept, suppressed, used } = suppressByConfig(commented.kept, ignoredFindings);
  return {
    specVersion: linted.specVersion,
    kept,
    suppressed: [...commented.suppressed.map(byComment), ...suppressed],
    used,
    couldSpeak: whoCouldSpeak(document, linted.diagnostics, levels),
  };
}

function lintAsKind(
  document: Document,
  { file, routes = [] }: Source,
  kind: LintRequest["kind"],
  options: LintOptions,
): LintResult {
  if ((kind ?? (isRoutes(document) ? "routes" : "pack")) === "pack") return lintDocument(document, options);
  const own = readRoutes(file, document);
  const all = [own, ...routes.filter(({ name }) => name !== file)];
  all.sort((a, b) => compareText(a.name, b.name));
  return { specVersion: loopSpec, diagnostics: lintRoutes(own, new Routes(all), options) };
}

/** The findings, without the repairs that would not do what they say. */
async function withSoundOffers(
  source: Source,
  document: Document,
  judged: Judged,
  settings: Settings,
  request: LintRequest,
  watch: Stopwatch,
): Promise<readonly Diagnostic[]> {
  if (!judged.kept.some(isFixable)) return judged.kept;
  const check = await checkerOf(source, document, settings, request);
  return watch.time("repairs", () => soundOffers(document.text, checkedAs(document, judged), check));
}

/** Lints other texts in the place of this one. */
async function checkerOf(
  source: Source,
  { format }: Document,
  settings: Settings,
  request: LintRequest,
): Promise<(text: string) => Checked> {
  const read = await loadReader(format);
  return (text) => {
    // Without a byte order mark in front, one that belongs to the text would be taken for it.
    const document = read(`\ufeff${text}`, request.limits);
    return checkedAs(document, judge(document, source, settings, request));
  };
}

function checkedAs({ root }: Document, { kept, suppressed }: Judged): Checked {
  return { root, kept, suppressed: suppressed.map(({ diagnostic }) => diagnostic) };
}

function byComment({ diagnostic, reason }: SuppressedByComment): Suppressed {
  return { diagnostic, by: "comment", ...(reason !== undefined && { reason }) };
}
