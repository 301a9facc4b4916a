import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { compareText, type Diagnostic, type Finding, type Place, type Suppressed } from "../../diagnostic.js";
import { defaultLimits, type Document } from "../../document/document.js";
import { asMapping, type Node, stringOf } from "../../document/node.js";
import { stablePointers } from "../../document/pointers.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { type FileReport, ordinalsOf, stablePointerOf } from "../../reporters/report.js";
import { parseError } from "../../rules/parse-error.js";
import { unusedSuppressionFinding, unusedSuppressionLevel } from "../../suppress/suppress.js";
import { getOrCreate } from "../../text/collections.js";
import { newestSpecVersion } from "../../text/tool-info.js";
import { isSparseCheckout } from "../files/find-files.js";
import { displayLocation, displayPath, realPathOf, withForwardSlashes } from "../files/paths.js";
import { describeFileFault, describeIoError, readRegularFile } from "../files/read-file.js";
import { writeFileAtomically } from "../files/write-file.js";
import { UsageError } from "../terminal/messages.js";
import type { LintedFile } from "./file-reports.js";

/** The findings a team has decided to live with for now. */
export class Baseline {
  private readonly path: string;
  private readonly shown: string;
  private readonly known: ReadonlySet<string>;
  private readonly realPaths = new Map<string, string>();
  private sparse: boolean | undefined;

  private constructor(
    private readonly file: string,
    private readonly cwd: string,
    private readonly content: BaselineFile,
  ) {
    this.path = resolve(cwd, file);
    this.shown = displayPath(this.path, cwd);
    this.known = new Set(content.entries.map((entry) => this.keyOf(entry)));
  }

  static async open(file: string, cwd: string, mayBeAbsent: boolean): Promise<Baseline> {
    const path = resolve(cwd, file);
    return new Baseline(file, cwd, await readBaseline(path, displayPath(path, cwd), mayBeAbsent));
  }

  /** Takes out what is known, and reports entries that nothing answers to any more. */
  apply(linted: readonly LintedFile[]): readonly FileReport[] {
    const used = new Set<string>();
    const reports = linted.map(({ report }) =>
      this.split(report, (entry) => {
        used.add(this.keyOf(entry));
        return this.has(entry);
      }),
    );
    const stale = this.staleReport(linted, used);
    return stale === undefined ? reports : [...reports, stale];
  }

  /** Takes out what is known. */
  suppressKnown(report: FileReport, root: Document["root"]): FileReport {
    const pointers = stablePointers(root, report.diagnostics);
    return this.split({ ...report, stablePointers: pointers }, (entry) => this.has(entry));
  }

  /** Remembers every finding there is now, and what is remembered and could not be found now. */
  update(linted: readonly LintedFile[]): { readonly reports: readonly FileReport[]; readonly size: number } {
    const now = new Map<string, BaselineEntry>();
    const reports = linted.map(({ report }) =>
      this.split(report, (entry) => {
        now.set(this.keyOf(entry), entry);
        return true;
      }),
    );
    const files = this.byRealPath(linted);
    for (const { file, rule, pointer, fingerprint } of this.content.entries) {
      const isSettled = files.get(this.realPathOfEntry(file))?.mayReport(rule) ?? !this.mayExist(file);
      const entry = { file, rule, pointer, fingerprint };
      if (!isSettled) now.set(this.keyOf(entry), entry);
    }
    const entries = [...now.values()].sort(compareEntries);
    writeFileAtomically(this.cwd, this.file, baselineText(entries));
    return { reports, size: entries.length };
  }

  private byRealPath(linted: readonly LintedFile[]): ReadonlyMap<string, LintedFile> {
    return new Map(linted.map((each) => [this.realPathOfEntry(this.relativeName(each.report.file)), each]));
  }

  private relativeName(file: string): string {
    return withForwardSlashes(relative(dirname(this.path), resolve(this.cwd, file)));
  }

  private has(entry: BaselineEntry): boolean {
    return this.known.has(this.keyOf(entry));
  }

  /** A file that cannot be parsed is never known: nobody can say what is in it. */
  private split(report: FileReport, isKnown: (entry: BaselineEntry) => boolean): FileReport {
    const file = this.relativeName(report.file);
    const prints = findingFingerprints(report);
    const kept: Diagnostic[] = [];
    const suppressed: Suppressed[] = [...report.suppressed];
    for (const diagnostic of report.diagnostics) {
      const { rule, pointer } = diagnostic;
      const fingerprint = prints.get(diagnostic) ?? "";
      if (rule !== parseError.id && isKnown({ file, rule, pointer, fingerprint })) {
        suppressed.push({ diagnostic, by: "baseline" });
      } else kept.push(diagnostic);
    }
    return { ...report, diagnostics: kept, suppressed };
  }

  private staleReport(linted: readonly LintedFile[], used: ReadonlySet<string>): FileReport | undefined {
    const { document, entries } = this.content;
    if (document === undefined) return undefined;
    const files = this.byRealPath(linted);
    const gone = new Set<string>();
    const diagnostics = entries.flatMap((entry): readonly Diagnostic[] => {
      const file = files.get(this.realPathOfEntry(entry.file));
      // No settings hold for a file that is gone: those of the others do.
      const severity = (file === undefined ? linted : [file])
        .map(({ levels }) => unusedSuppressionLevel(levels))
        .find((each) => each !== "off");
      if (severity === undefined || used.has(this.keyOf(entry))) return [];
      if (file?.mayReport(entry.rule) === true)
        return [unusedSuppressionFinding(document, severity, staleEntryFinding(entry))];
      if (file !== undefined || gone.has(entry.file) || this.mayExist(entry.file)) return [];
      gone.add(entry.file);
      return [unusedSuppressionFinding(document, severity, missingFileFinding(entry))];
    });
    if (diagnostics.length === 0) return undefined;
    return {
      file: this.shown,
      specVersion: newestSpecVersion,
      diagnostics,
      suppressed: [],
      lines: document.lines,
      isConfigFile: true,
    };
  }

  private mayExist(file: string): boolean {
    const folder = dirname(this.path);
    return existsSync(resolve(folder, file)) || (this.sparse ??= isSparseCheckout(folder));
  }

  /** A file goes by its own name or by that of a link to it: what is known of the one is known of the other. */
  private keyOf({ file, fingerprint }: BaselineEntry): string {
    return `${fingerprint} ${this.realPathOfEntry(file)}`;
  }

  private realPathOfEntry(file: string): string {
    return getOrCreate(this.realPaths, file, () => realPathOf(resolve(dirname(this.path), file)));
  }
}

function staleEntryFinding(entry: LocatedEntry): Finding {
  const message = `"${entry.file}" no longer has this "${entry.rule}" finding: "--update-baseline" removes the entry.`;
  return { at: entryStart(entry), message };
}

function missingFileFinding(entry: LocatedEntry): Finding {
  const message = `The file "${entry.file}" no longer exists: "--update-baseline" removes its entries.`;
  return { at: entryStart(entry), message };
}

function entryStart({ node: { pointer, start } }: LocatedEntry): Place {
  return { pointer, start, end: start + 1 };
}

function compareEntries(a: BaselineEntry, b: BaselineEntry): number {
  return (
    compareText(a.file, b.file) ||
    compareText(a.rule, b.rule) ||
    compareText(a.pointer, b.pointer) ||
    compareText(a.fingerprint, b.fingerprint)
  );
}

const schemaVersion = 1;

export interface BaselineEntry {
  /** Relative to the baseline's folder, with `/`. */
  readonly file: string;
  readonly rule: string;
  /** For people; the fingerprint is what counts. */
  readonly pointer: string;
  readonly fingerprint: string;
}

/** An entry as it stands in the baseline file. */
export interface LocatedEntry extends BaselineEntry {
  readonly node: Node;
}

export interface BaselineFile {
  readonly document: Document | undefined;
  readonly entries: readonly LocatedEntry[];
}

export async function readBaseline(path: string, shown: string, mayBeAbsent: boolean): Promise<BaselineFile> {
  if (mayBeAbsent && !existsSync(path)) return { document: undefined, entries: [] };
  const document = await readDocumentLazily(readBaselineBytes(path, shown), "json", defaultLimits);
  const fault = document.faults[0];
  if (fault !== undefined)
    throw new UsageError(
      `${displayLocation(shown, document, fault.start)}: ${describeFileFault(fault, "baseline")}`,
    );
  const root = asMapping(document.root);
  const findings = root?.get("findings");
  if (findings?.kind !== "sequence")
    throw new UsageError(`"${shown}" is not a baseline: it has no "findings" list.`);
  const version = root?.get("schemaVersion");
  if (version?.kind === "scalar" && version.value !== schemaVersion)
    throw new UsageError(
      `"${shown}" is a baseline of version ${JSON.stringify(version.value)}, but this promptpack reads only version ${schemaVersion}.`,
    );
  return { document, entries: findings.items.map((item) => readEntry(item, document, shown)) };
}

export function baselineText(entries: readonly BaselineEntry[]): string {
  return JSON.stringify({ schemaVersion, findings: entries }, null, 2) + "\n";
}

function readBaselineBytes(path: string, shown: string): Uint8Array {
  try {
    return readRegularFile(path, defaultLimits.maxBytes);
  } catch (error) {
    const hint = existsSync(path) ? "" : ' "--update-baseline" writes one.';
    throw new UsageError(`The baseline "${shown}" ${describeIoError(error)}.${hint}`);
  }
}

function readEntry(node: Node, document: Document, shown: string): LocatedEntry {
  const [file, rule, pointer, fingerprint] = ["file", "rule", "pointer", "fingerprint"].map((key) =>
    stringOf(asMapping(node)?.get(key)),
  );
  if (file === undefined || rule === undefined || pointer === undefined || fingerprint === undefined) {
    const place = displayLocation(shown, document, node.start);
    throw new UsageError(`${place}: An entry needs "file", "rule", "pointer" and "fingerprint".`);
  }
  return { file, rule, pointer, fingerprint, node };
}

/**
 * What a baseline calls the findings of a file: the rule, what it is about and the names in question. Neither a line,
 * nor an index, nor an order, nor a number: what moves stays known, what is new is not taken for what was fixed. Only
 * twins are numbered, as one that is known does not excuse a second. Unlike the fingerprints of reports, it outlasts
 * another wording of the message: nobody wants to write a baseline again for that.
 */
export function findingFingerprints(report: FileReport): ReadonlyMap<Diagnostic, string> {
  const { diagnostics } = report;
  const prints = diagnostics.map((diagnostic) => {
    const { rule, data, message, claim = message } = diagnostic;
    const meaning = [rule, stablePointerOf(report, diagnostic), quotedNames(claim), ...namesInData(data)];
    return createHash("sha256").update(JSON.stringify(meaning)).digest("hex").slice(0, 20);
  });
  const ordinals = ordinalsOf(prints);
  return new Map(
    diagnostics.map((diagnostic, index) => {
      const print = prints[index] ?? "";
      const ordinal = ordinals[index] ?? 1;
      return [diagnostic, ordinal === 1 ? print : `${print}:${ordinal}`];
    }),
  );
}

function quotedNames(words: string): readonly string[] {
  return [...words.matchAll(/"([^"]*)"/gu)].map((match) => match[1] ?? "").sort();
}

/** A message need not name all it is about: a loop is drawn in it, without quotes. */
function namesInData(data: Diagnostic["data"]): readonly string[] {
  const values = Object.values(data ?? {}).flat();
  return values.filter((value) => typeof value === "string").sort();
}
