import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { compareText, type Diagnostic, type Place } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { defaultLimits } from "../../document/file-format.js";
import { asMapping, stringOf } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { toDiagnostic } from "../../lint/collect-diagnostics.js";
import { levelOf } from "../../lint/run-rules.js";
import type { FileReport } from "../../reporters/report.js";
import { parseError } from "../../rules/file-rules.js";
import { unusedSuppression } from "../../rules/linting-rules.js";
import { isSilent, suppress, type Suppressor } from "../../suppress/suppress.js";
import { getOrCreate, lazy, numberRepeats } from "../../text/collections.js";
import { isSparseCheckout } from "../files/discover.js";
import { displayLocation, displayPath, realPathOf, withForwardSlashes } from "../files/paths.js";
import { describeFileFault, describeIoError, orUsageError, readRegularFile } from "../files/read-file.js";
import { putFile, resolveTarget } from "../files/write-file.js";
import { UsageError } from "../terminal/io.js";
import { configFileReport, type LintedFile } from "./write-reports.js";

const schemaVersion = 1;

const entryKeys = ["file", "rule", "pointer", "fingerprint"] as const;

/** `file` is relative to the baseline's folder, with `/`. The pointer is for readers: fingerprints are compared. */
type Entry = Readonly<Record<(typeof entryKeys)[number], string>>;

type LocatedEntry = Entry & { readonly at: Place };

type IsKnown = (entry: Entry) => boolean;

export class BaselineFile {
  private readonly folder: string;
  private readonly entries: readonly LocatedEntry[];
  private readonly realPaths = new Map<string, string>();
  private readonly known = lazy(() => new Set(this.entries.map((entry) => this.keyOf(entry))));
  private readonly isSparse = lazy(() => isSparseCheckout(this.folder));

  private constructor(
    private readonly path: string,
    /** The path without its links, to write to. */
    private readonly target: string,
    private readonly cwd: string,
    /** Undefined for one that is still to be written. */
    private readonly document: Document | undefined,
  ) {
    this.folder = dirname(path);
    this.entries = document === undefined ? [] : readEntries(document, displayPath(path, cwd));
  }

  static async open(file: string, cwd: string, isUpdated: boolean): Promise<BaselineFile> {
    const path = resolve(cwd, file);
    const target = isUpdated
      ? orUsageError(`The baseline "${file}"`, "written", () => resolveTarget(file, cwd))
      : path;
    const isNew = isUpdated && !existsSync(path);
    const document = isNew ? undefined : await readBaseline(path, displayPath(path, cwd));
    return new BaselineFile(path, target, cwd, document);
  }

  suppressorFor(file: string, isKnown: IsKnown = (entry) => this.known().has(this.keyOf(entry))): Suppressor {
    const name = this.nameOf(file);
    return {
      by: "baseline",
      match: (findings) => {
        const fingerprints = fingerprintsOf(findings);
        return (finding) => {
          const { rule, pointer } = finding;
          const entry = { file: name, rule, pointer, fingerprint: fingerprints.get(finding) ?? "" };
          // Parse errors are never in a baseline: nobody knows what else is in the file.
          return rule !== parseError.id && isKnown(entry) ? {} : undefined;
        };
      },
    };
  }

  apply(linted: readonly LintedFile[]): readonly FileReport[] {
    const used = new Set<string>();
    const files = this.suppressIn(linted, (entry) => {
      used.add(this.keyOf(entry));
      return this.known().has(this.keyOf(entry));
    });
    const { document } = this;
    const stale = document === undefined ? [] : this.staleEntries(document, linted, used);
    if (document === undefined || stale.length === 0) return files;
    return [...files, configFileReport(displayPath(this.path, this.cwd), document, stale)];
  }

  /** Records every current finding, and keeps the entries that this run could not check. */
  update(linted: readonly LintedFile[]): { readonly reports: readonly FileReport[]; readonly size: number } {
    const recorded = new Map<string, Entry>();
    const reports = this.suppressIn(linted, (entry) => {
      recorded.set(this.keyOf(entry), entry);
      return true;
    });
    const byPath = this.byRealPath(linted);
    for (const entry of this.entries) {
      const found = byPath.get(this.realPathOf(entry.file));
      const isChecked =
        found === undefined ? !this.mayExist(entry.file) : !isSilent(found.silentRules, entry.rule);
      if (!isChecked) getOrCreate(recorded, this.keyOf(entry), () => entry);
    }
    const findings = [...recorded.values()].sort(compareEntries);
    const keys = ["schemaVersion", "findings", ...entryKeys];
    putFile(this.target, [JSON.stringify({ schemaVersion, findings }, keys, 2) + "\n"]);
    return { reports, size: findings.length };
  }

  private suppressIn(linted: readonly LintedFile[], isKnown: IsKnown): readonly LintedFile[] {
    return linted.map((each) => {
      const found = { kept: each.diagnostics, suppressed: each.suppressed };
      const { kept, suppressed } = suppress(found, this.suppressorFor(each.file, isKnown));
      return { ...each, diagnostics: kept, suppressed };
    });
  }

  private staleEntries(
    document: Document,
    linted: readonly LintedFile[],
    used: ReadonlySet<string>,
  ): readonly Diagnostic[] {
    const byPath = this.byRealPath(linted);
    const gone = new Set<string>();
    return this.entries.flatMap((entry) => {
      const { file, rule, at } = entry;
      const found = byPath.get(this.realPathOf(file));
      // A deleted file has no settings: those of the other files count.
      const severity = (found === undefined ? linted : [found])
        .map(({ settings }) => levelOf(unusedSuppression, settings.levels))
        .find((each) => each !== "off");
      if (severity === undefined || used.has(this.keyOf(entry))) return [];
      const report = (message: string) =>
        toDiagnostic(document, unusedSuppression, severity, { at, message });
      if (found === undefined && !gone.has(file) && !this.mayExist(file)) {
        gone.add(file);
        return report(`The file "${file}" no longer exists: "--update-baseline" removes its entries.`);
      }
      if (found === undefined || isSilent(found.silentRules, rule)) return [];
      return report(`"${file}" no longer has this "${rule}" finding: "--update-baseline" removes the entry.`);
    });
  }

  private byRealPath(linted: readonly LintedFile[]): ReadonlyMap<string, LintedFile> {
    return new Map(linted.map((each) => [this.realPathOf(this.nameOf(each.file)), each]));
  }

  /** By real path, so that an entry also holds for links to its file. */
  private keyOf({ file, fingerprint }: Entry): string {
    return `${fingerprint} ${this.realPathOf(file)}`;
  }

  private nameOf(file: string): string {
    return withForwardSlashes(relative(this.folder, resolve(this.cwd, file)));
  }

  private realPathOf(name: string): string {
    return getOrCreate(this.realPaths, name, () => realPathOf(resolve(this.folder, name)));
  }

  private mayExist(name: string): boolean {
    return existsSync(resolve(this.folder, name)) || this.isSparse();
  }
}

function compareEntries(a: Entry, b: Entry): number {
  return entryKeys.map((key) => compareText(a[key], b[key])).find((order) => order !== 0) ?? 0;
}

/**
 * Identifies findings by the rule, the place and the names involved. Without lines, indexes or numbers, so that a finding
 * stays known when it moves, and without the wording of the message, so that a new version keeps old baselines valid.
 * Equal findings are numbered: a known one does not excuse a second.
 */
function fingerprintsOf(findings: readonly Diagnostic[]): ReadonlyMap<Diagnostic, string> {
  const prints = findings.map(
    ({ rule, data, message, claim = message, pointer, stablePointer = pointer }) => {
      const quoted = [...claim.matchAll(/"([^"]*)"/gu)].map((match) => match[1] ?? "").sort();
      // The message does not quote every name: the states of a loop are drawn without quotes.
      const names = Object.values(data ?? {})
        .flat()
        .filter((value) => typeof value === "string");
      const identity = JSON.stringify([rule, stablePointer, quoted, ...names.sort()]);
      return createHash("sha256").update(identity).digest("hex").slice(0, 20);
    },
  );
  const unique = numberRepeats(prints, (print, ordinal) => (ordinal === 1 ? print : `${print}:${ordinal}`));
  return new Map(findings.map((finding, index) => [finding, unique[index] ?? ""]));
}

async function readBaseline(path: string, shown: string): Promise<Document> {
  const document = await readDocumentLazily(readBaselineBytes(path, shown), "json", defaultLimits);
  const [fault] = document.faults;
  if (fault === undefined) return document;
  const place = displayLocation(shown, document, fault.start);
  throw new UsageError(`${place}: ${describeFileFault(fault, "baseline")}`);
}

function readBaselineBytes(path: string, shown: string): Uint8Array {
  try {
    return readRegularFile(path, defaultLimits.maxBytes);
  } catch (error) {
    const hint = existsSync(path) ? "" : ' "--update-baseline" writes one.';
    throw new UsageError(`The baseline "${shown}" ${describeIoError(error)}.${hint}`);
  }
}

function readEntries(document: Document, shown: string): readonly LocatedEntry[] {
  const root = asMapping(document.root);
  const findings = root?.get("findings");
  if (findings?.kind !== "sequence")
    throw new UsageError(`"${shown}" is not a baseline: it has no "findings" list.`);
  const version = root?.get("schemaVersion");
  if (version?.kind === "scalar" && version.value !== schemaVersion)
    throw new UsageError(
      `"${shown}" is a baseline of version ${JSON.stringify(version.value)}, but this promptpack reads only version ${schemaVersion}.`,
    );
  return findings.items.map((node) => {
    const [file, rule, pointer, fingerprint] = entryKeys.map((key) => stringOf(asMapping(node)?.get(key)));
    if (file === undefined || rule === undefined || pointer === undefined || fingerprint === undefined) {
      const place = displayLocation(shown, document, node.start);
      throw new UsageError(`${place}: An entry needs "file", "rule", "pointer" and "fingerprint".`);
    }
    const at = { pointer: node.pointer, start: node.start, end: node.start + 1 };
    return { file, rule, pointer, fingerprint, at };
  });
}
