import { compareText, type Diagnostic, type Place, type Suppressed } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { toDiagnostic } from "../lint/collect-diagnostics.js";
import { levelOf, type Levels } from "../lint/run-rules.js";
import { parseError } from "../rules/file-rules.js";
import { unusedSuppression } from "../rules/linting-rules.js";
import { getOrCreate, lazy, numberRepeats } from "../text/collections.js";
import { isSilent, type SilentRules, suppress, type Suppressor } from "./suppress.js";

export const entryKeys = ["file", "rule", "pointer", "fingerprint"] as const;

/** `file` is relative to the baseline's folder, with `/`. The pointer is for readers: fingerprints are compared. */
export type Entry = Readonly<Record<(typeof entryKeys)[number], string>>;

export type LocatedEntry = Entry & { readonly at: Place };

type IsKnown = (entry: Entry) => boolean;

interface BaselinedFile {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly Suppressed[];
  readonly silentRules: SilentRules;
  readonly settings: { readonly levels: Levels };
}

/** What a baseline asks about the files beside it. */
export interface BaselineFolder {
  /** How entries name a linted file. */
  readonly nameOf: (file: string) => string;
  readonly realPathOf: (name: string) => string;
  readonly mayExist: (name: string) => boolean;
  readonly digest: (text: string) => string;
}

/** The findings that a team has decided to live with for now. */
export class Baseline {
  private readonly known = lazy(() => new Set(this.entries.map((entry) => this.keyOf(entry))));

  constructor(
    private readonly entries: readonly LocatedEntry[],
    private readonly folder: BaselineFolder,
  ) {}

  suppressorFor(file: string, isKnown: IsKnown = (entry) => this.known().has(this.keyOf(entry))): Suppressor {
    const name = this.folder.nameOf(file);
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

  /** The files without the findings of the baseline, and the entries that it used. */
  apply<File extends BaselinedFile>(linted: readonly File[]) {
    const used = new Set<string>();
    const files = this.suppressIn(linted, (entry) => {
      used.add(this.keyOf(entry));
      return this.known().has(this.keyOf(entry));
    });
    return { files, used };
  }

  /** Records every current finding, and keeps the entries that this run could not check. */
  record<File extends BaselinedFile>(linted: readonly File[]) {
    const recorded = new Map<string, Entry>();
    const files = this.suppressIn(linted, (entry) => {
      recorded.set(this.keyOf(entry), entry);
      return true;
    });
    const byPath = this.byRealPath(linted);
    for (const entry of this.entries) {
      const { file, rule } = entry;
      const found = byPath.get(this.folder.realPathOf(file));
      const isChecked =
        found === undefined ? !this.folder.mayExist(file) : !isSilent(found.silentRules, rule);
      if (!isChecked) getOrCreate(recorded, this.keyOf(entry), () => entry);
    }
    return { files, entries: [...recorded.values()].sort(compareEntries) };
  }

  staleEntries(
    document: Document,
    linted: readonly BaselinedFile[],
    used: ReadonlySet<string>,
  ): readonly Diagnostic[] {
    const byPath = this.byRealPath(linted);
    const gone = new Set<string>();
    return this.entries.flatMap((entry) => {
      const { file, rule, at } = entry;
      const found = byPath.get(this.folder.realPathOf(file));
      // A deleted file has no settings: those of the other files count.
      const severity = (found === undefined ? linted : [found])
        .map(({ settings }) => levelOf(unusedSuppression, settings.levels))
        .find((each) => each !== "off");
      if (severity === undefined || used.has(this.keyOf(entry))) return [];
      const report = (message: string) =>
        toDiagnostic(document, unusedSuppression, severity, { at, message });
      if (found === undefined && !gone.has(file) && !this.folder.mayExist(file)) {
        gone.add(file);
        return report(`The file "${file}" no longer exists: "--update-baseline" removes its entries.`);
      }
      if (found === undefined || isSilent(found.silentRules, rule)) return [];
      return report(`"${file}" no longer has this "${rule}" finding: "--update-baseline" removes the entry.`);
    });
  }

  private suppressIn<File extends BaselinedFile>(linted: readonly File[], isKnown: IsKnown): readonly File[] {
    return linted.map((each) => {
      const found = { kept: each.diagnostics, suppressed: each.suppressed };
      const { kept, suppressed } = suppress(found, this.suppressorFor(each.file, isKnown));
      return { ...each, diagnostics: kept, suppressed };
    });
  }

  private byRealPath<File extends BaselinedFile>(linted: readonly File[]): ReadonlyMap<string, File> {
    const { nameOf, realPathOf } = this.folder;
    return new Map(linted.map((each) => [realPathOf(nameOf(each.file)), each]));
  }

  /** By real path, so that an entry also holds for links to its file. */
  private keyOf({ file, fingerprint }: Entry): string {
    return `${fingerprint} ${this.folder.realPathOf(file)}`;
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
        return this.folder.digest(JSON.stringify([rule, stablePointer, quoted, ...names.sort()]));
      },
    );
    const unique = numberRepeats(prints, (print, ordinal) => (ordinal === 1 ? print : `${print}:${ordinal}`));
    return new Map(findings.map((finding, index) => [finding, unique[index] ?? ""]));
  }
}

function compareEntries(a: Entry, b: Entry): number {
  return entryKeys.map((key) => compareText(a[key], b[key])).find((order) => order !== 0) ?? 0;
}
