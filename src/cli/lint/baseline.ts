import { defaultLimits } from "../../document/file-format.js";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { compareText, type Diagnostic, type Suppressed } from "../../diagnostic.js";
import { type Document } from "../../document/document.js";
import { asMapping, type Node, stringOf } from "../../document/node.js";
import { toDiagnostic } from "../../lint/collect-diagnostics.js";
import { stablePointers } from "../../document/pointers.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { type FileReport, ordinalsOf, stablePointerOf } from "../../reporters/report.js";
import { parseError } from "../../rules/file-rules.js";
import { unusedSuppression } from "../../rules/linting-rules.js";
import { unusedSuppressionLevel } from "../../suppress/suppress.js";
import { getOrCreate } from "../../text/collections.js";
import { newestSpecVersion } from "../../text/tool-info.js";
import { isSparseCheckout } from "../files/discover.js";
import { displayLocation, displayPath, realPathOf, withForwardSlashes } from "../files/paths.js";
import { describeFileFault, describeIoError, readRegularFile } from "../files/read-file.js";
import { putFile, resolveTarget } from "../files/write-file.js";
import { UsageError } from "../terminal/io.js";
import type { LintedFile } from "./file-reports.js";

/** The findings a team has decided to live with for now. */
export class Baseline {
  private readonly known: ReadonlySet<string>;
  private readonly realPaths = new Map<string, string>();
  private sparse: boolean | undefined;

  private constructor(
    private readonly path: string,
    /** The path without its links, to write to. */
    private readonly target: string,
    private readonly shown: string,
    private readonly cwd: string,
    private readonly content: BaselineFile,
  ) {
    this.known = new Set(content.entries.map((entry) => this.keyOf(entry)));
  }

  static async open(file: string, cwd: string, isUpdated: boolean): Promise<Baseline> {
    const path = resolve(cwd, file);
    const shown = displayPath(path, cwd);
    const target = isUpdated ? resolveBaseline(file, cwd) : path;
    return new Baseline(path, target, shown, cwd, await readBaseline(path, shown, isUpdated));
  }

  apply(linted: readonly LintedFile[]): readonly FileReport[] {
    const used = new Set<string>();
    const reports = linted.map(({ report }) =>
      this.split(report, (entry) => {
        used.add(this.keyOf(entry));
        return this.known.has(this.keyOf(entry));
      }),
    );
    const stale = this.staleReport(linted, used);
    return stale === undefined ? reports : [...reports, stale];
  }

  suppressKnown(report: FileReport, root: Document["root"]): FileReport {
    const pointers = stablePointers(root, report.diagnostics);
    return this.split({ ...report, stablePointers: pointers }, (entry) => this.known.has(this.keyOf(entry)));
  }

  /** Records every current finding, and keeps the entries that this run could not check. */
  update(linted: readonly LintedFile[]): { readonly reports: readonly FileReport[]; readonly size: number } {
    const recorded = new Map<string, BaselineEntry>();
    const reports = linted.map(({ report }) =>
      this.split(report, (entry) => {
        recorded.set(this.keyOf(entry), entry);
        return true;
      }),
    );
    const files = this.byRealPath(linted);
    for (const { file, rule, pointer, fingerprint } of this.content.entries) {
      const isChecked = files.get(this.realPathOfEntry(file))?.mayReport(rule) ?? !this.mayExist(file);
      const entry = { file, rule, pointer, fingerprint };
      const key = this.keyOf(entry);
      if (!isChecked && !recorded.has(key)) recorded.set(key, entry);
    }
    const entries = [...recorded.values()].sort(
      (a, b) =>
        compareText(a.file, b.file) ||
        compareText(a.rule, b.rule) ||
        compareText(a.pointer, b.pointer) ||
        compareText(a.fingerprint, b.fingerprint),
    );
    const text = JSON.stringify({ schemaVersion, findings: entries }, null, 2) + "\n";
    putFile(this.target, [text]);
    return { reports, size: entries.length };
  }

  private byRealPath(linted: readonly LintedFile[]): ReadonlyMap<string, LintedFile> {
    return new Map(linted.map((each) => [this.realPathOfEntry(this.relativeName(each.report.file)), each]));
  }

  private relativeName(file: string): string {
    return withForwardSlashes(relative(dirname(this.path), resolve(this.cwd, file)));
  }

  /** Parse errors are never in a baseline: nobody knows what else is in the file. */
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
      // A deleted file has no settings: those of the other files count.
      const severity = (file === undefined ? linted : [file])
        .map(({ levels }) => unusedSuppressionLevel(levels))
        .find((each) => each !== "off");
      if (severity === undefined || used.has(this.keyOf(entry))) return [];
      const { pointer, start } = entry.node;
      const finding = (message: string) =>
        toDiagnostic(document, unusedSuppression, severity, {
          at: { pointer, start, end: start + 1 },
          message,
        });
      if (file?.mayReport(entry.rule) === true)
        return [
          finding(
            `"${entry.file}" no longer has this "${entry.rule}" finding: "--update-baseline" removes the entry.`,
          ),
        ];
      if (file !== undefined || gone.has(entry.file) || this.mayExist(entry.file)) return [];
      gone.add(entry.file);
      return [finding(`The file "${entry.file}" no longer exists: "--update-baseline" removes its entries.`)];
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

  /** By real path, so that an entry also holds for links to its file. */
  private keyOf({ file, fingerprint }: BaselineEntry): string {
    return `${fingerprint} ${this.realPathOfEntry(file)}`;
  }

  private realPathOfEntry(file: string): string {
    return getOrCreate(this.realPaths, file, () => realPathOf(resolve(dirname(this.path), file)));
  }
}

const schemaVersion = 1;

interface BaselineEntry {
  /** Relative to the baseline's folder, with `/`. */
  readonly file: string;
  readonly rule: string;
  /** For readers; entries are matched by their fingerprints. */
  readonly pointer: string;
  readonly fingerprint: string;
}

interface LocatedEntry extends BaselineEntry {
  readonly node: Node;
}

interface BaselineFile {
  readonly document: Document | undefined;
  readonly entries: readonly LocatedEntry[];
}

async function readBaseline(path: string, shown: string, mayBeAbsent: boolean): Promise<BaselineFile> {
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

function resolveBaseline(file: string, cwd: string): string {
  try {
    return resolveTarget(file, cwd);
  } catch (error) {
    throw new UsageError(`The baseline "${file}" ${describeIoError(error, "written")}.`);
  }
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
 * Identifies findings by the rule, the place and the names involved. Without lines, indexes or numbers, so that a finding
 * stays known when it moves, and without the wording of the message, so that a new version keeps old baselines valid.
 * Equal findings are numbered: a known one does not excuse a second.
 */
function findingFingerprints(report: FileReport): ReadonlyMap<Diagnostic, string> {
  const { diagnostics } = report;
  const prints = diagnostics.map((diagnostic) => {
    const { rule, data, message, claim = message } = diagnostic;
    const quoted = [...claim.matchAll(/"([^"]*)"/gu)].map((match) => match[1] ?? "").sort();
    // The message does not quote every name: the states of a loop are drawn without quotes.
    const names = Object.values(data ?? {})
      .flat()
      .filter((value) => typeof value === "string");
    const identity = [rule, stablePointerOf(report, diagnostic), quoted, ...names.sort()];
    return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 20);
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
