import { compareText, type Diagnostic, type Place, type Suppressed } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { toDiagnostic } from "../lint/collect-diagnostics.js";
import type { Levels } from "../lint/run-rules.js";
import { unusedSuppression } from "../rules/linting-rules.js";
import { lazy, ordinalsOf } from "../text/collections.js";
import { isSilent, type SilentRules, suppress, type Suppressor, unusedSuppressionLevel } from "./suppress.js";
import { parseError } from "../rules/file-rules.js";

interface BaselineEntry {
  /** Relative to the baseline's folder, with `/`. */
  readonly file: string;
  readonly rule: string;
  /** For readers; entries are matched by their fingerprints. */
  readonly pointer: string;
  readonly fingerprint: string;
}

export interface LocatedEntry extends BaselineEntry {
  readonly at: Place;
}

interface BaselinedFile {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly Suppressed[];
  readonly silentRules: SilentRules;
  readonly settings: { readonly levels: Levels };
}

type IsKnown = (entry: BaselineEntry) => boolean;

/** The findings a team has decided to live with for now. */
export abstract class Baseline {
  private readonly known = lazy(() => new Set(this.entries.map((entry) => this.keyOf(entry))));

  constructor(
    private readonly entries: readonly LocatedEntry[],
    /** Undefined for one that is still to be written. */
    protected readonly document: Document | undefined,
  ) {}

  /** How entries name a linted file. */
  protected abstract nameOf(file: string): string;
  protected abstract realPathOf(name: string): string;
  protected abstract mayExist(name: string): boolean;
  protected abstract digest(text: string): string;

  suppressorFor(file: string, isKnown: IsKnown = (entry) => this.known().has(this.keyOf(entry))): Suppressor {
    const name = this.nameOf(file);
    return {
      by: "baseline",
      match: (findings) => {
        const fingerprints = this.fingerprintsOf(findings);
        return (finding) => {
          const { rule, pointer } = finding;
          const entry = { file: name, rule, pointer, fingerprint: fingerprints.get(finding) ?? "" };
          // Parse errors are never in a baseline: nobody knows what else is in the file.
          return rule !== parseError.id && isKnown(entry) ? {} : undefined;
        };
      },
    };
  }

  /** The files without the findings of the baseline, and what is wrong with its entries. */
  applyTo<File extends BaselinedFile>(linted: readonly File[]) {
    const used = new Set<string>();
    const files = this.suppressIn(linted, (entry) => {
      used.add(this.keyOf(entry));
      return this.known().has(this.keyOf(entry));
    });
    return { files, stale: this.staleEntries(linted, used) };
  }

  /** Records every current finding, and keeps the entries that this run could not check. */
  recordAll<File extends BaselinedFile>(linted: readonly File[]) {
    const recorded = new Map<string, BaselineEntry>();
    const files = this.suppressIn(linted, (entry) => {
      recorded.set(this.keyOf(entry), entry);
      return true;
    });
    const byPath = this.byRealPath(linted);
    for (const { file, rule, pointer, fingerprint } of this.entries) {
      const entry = { file, rule, pointer, fingerprint };
      const key = this.keyOf(entry);
      const found = byPath.get(this.realPathOf(file));
      const isChecked = found === undefined ? !this.mayExist(file) : !isSilent(found.silentRules, rule);
      if (!isChecked && !recorded.has(key)) recorded.set(key, entry);
    }
    const entries = [...recorded.values()].sort(
      (a, b) =>
        compareText(a.file, b.file) ||
        compareText(a.rule, b.rule) ||
        compareText(a.pointer, b.pointer) ||
        compareText(a.fingerprint, b.fingerprint),
    );
    return { files, entries };
  }

  private suppressIn<File extends BaselinedFile>(linted: readonly File[], isKnown: IsKnown): readonly File[] {
    return linted.map((each) => {
      const found = { kept: each.diagnostics, suppressed: each.suppressed };
      const { kept, suppressed } = suppress(found, this.suppressorFor(each.file, isKnown));
      return { ...each, diagnostics: kept, suppressed };
    });
  }

  private staleEntries(linted: readonly BaselinedFile[], used: ReadonlySet<string>): readonly Diagnostic[] {
    const { document } = this;
    const byPath = this.byRealPath(linted);
    const gone = new Set<string>();
    return this.entries.flatMap((entry) => {
      const { file, rule, at } = entry;
      const found = byPath.get(this.realPathOf(file));
      // A deleted file has no settings: those of the other files count.
      const severity = (found === undefined ? linted : [found])
        .map(({ settings }) => unusedSuppressionLevel(settings.levels))
        .find((each) => each !== "off");
      if (document === undefined || severity === undefined || used.has(this.keyOf(entry))) return [];
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

  private byRealPath<File extends BaselinedFile>(linted: readonly File[]): ReadonlyMap<string, File> {
    return new Map(linted.map((each) => [this.realPathOf(this.nameOf(each.file)), each]));
  }

  /** By real path, so that an entry also holds for links to its file. */
  private keyOf({ file, fingerprint }: BaselineEntry): string {
    return `${fingerprint} ${this.realPathOf(file)}`;
  }

  /**
   * Identifies findings by the rule, the place and the names involved. Without lines, indexes or numbers, so that a finding
   * stays known when it moves, and without the wording of the message, so that a new version keeps old baselines valid.
   * Equal findings are numbered: a known one does not excuse a second.
   */
  private fingerprintsOf(findings: readonly Diagnostic[]): ReadonlyMap<Diagnostic, string> {
    const prints = findings.map(
      ({ rule, data, message, claim = message, pointer, stablePointer = pointer }) => {
        const quoted = [...claim.matchAll(/"([^"]*)"/gu)].map((match) => match[1] ?? "").sort();
        // The message does not quote every name: the states of a loop are drawn without quotes.
        const names = Object.values(data ?? {})
          .flat()
          .filter((value) => typeof value === "string");
        const identity = [rule, stablePointer, quoted, ...names.sort()];
        return this.digest(JSON.stringify(identity));
      },
    );
    const ordinals = ordinalsOf(prints);
    return new Map(
      findings.map((finding, index) => {
        const ordinal = ordinals[index] ?? 1;
        return [finding, `${prints[index]}${ordinal === 1 ? "" : `:${ordinal}`}`];
      }),
    );
  }
}
