import type { Levels } from "../diagnose/diagnose.js";
import {
  compareDiagnostics,
  type Diagnostic,
  type Fix,
  type Suppression,
  type Words,
} from "../diagnostic.js";
import { readDirective, type Directive, type MisspeltDirective } from "./directives.js";
import type { Comment, Document } from "../document/document.js";
import { commentedPointers } from "./commented-nodes.js";
import {
  describeName,
  describeStale,
  describeStrays,
  describeWord,
  namesNothing,
} from "./complaint-words.js";
import { guesser } from "../words/nearest-name.js";
import { rules } from "../rules/index.js";
import { stoppedLinting, type MayReport } from "./may-report.js";
import { Silencers } from "./silencers.js";
import { spotsOf } from "./spots.js";
import { staleFix } from "./stale-fix.js";
import { ownFinding, ownRule, ownSeverity } from "./own-finding.js";
import { WrittenPlaces } from "./written-places.js";

const ruleIds = new Set(rules.map(({ id }) => id));

/**
 * Takes out what the comments of the file silence, and adds an `unused-suppression` for every comment that
 * silences nothing. A file that cannot be read keeps its findings: its comments may stand anywhere.
 */
export function suppress(
  document: Document,
  diagnostics: readonly Diagnostic[],
  levels: Levels,
  mayReport: MayReport,
): Suppression {
  const guess = guesser();
  const found =
    document.faults.length > 0
      ? []
      : document.comments.flatMap((comment) => readDirective(comment, ruleIds, guess) ?? []);
  if (found.length === 0) return { kept: diagnostics, suppressed: [] };
  const silencers = new Directives(document, found.filter(isDirective));
  const first = silencers.apply(diagnostics);
  const severity = stoppedLinting(diagnostics) ? "off" : ownSeverity(levels);
  const report = ({ comment: { start, end }, ...said }: Complaint): Diagnostic[] =>
    severity === "off" ? [] : [ownFinding(document, severity, { at: { pointer: "", start, end }, ...said })];
  const complaints = [
    ...found.flatMap((item) => (isDirective(item) ? [] : [{ comment: item.comment, ...describeWord(item) }])),
    ...silencers.complaints(mayReport, (rule) => rule !== ownRule),
  ];
  const second = silencers.apply(complaints.flatMap(report));
  const last = silencers.complaints(mayReport, (rule) => rule === ownRule).flatMap(report);
  return {
    kept: [...first.kept, ...second.kept, ...last].sort(compareDiagnostics),
    suppressed: [...first.suppressed, ...second.suppressed],
  };
}

interface Complaint extends Words {
  readonly comment: Comment;
  readonly fix?: Fix | undefined;
}

/** The directives of a file, found by rule and pointer, and which of their names were of use. */
class Directives {
  private readonly silencers = new Silencers<Directive>();
  private readonly places: WrittenPlaces;
  private readonly used = new Map<Directive, Set<string>>();

  constructor(
    private readonly document: Document,
    private readonly directives: readonly Directive[],
  ) {
    const local = directives.filter(({ scope }) => scope === "node");
    const { root, text } = document;
    const spots = local.length === 0 || root === undefined ? [] : spotsOf(root, text);
    this.places = new WrittenPlaces(document, spots);
    const pointers = commentedPointers(
      document,
      local.map(({ comment }) => comment),
      spots,
    );
    for (const directive of directives) {
      this.used.set(directive, new Set());
      const covered = directive.scope === "file" ? [""] : (pointers.get(directive.comment) ?? []);
      for (const rule of directive.rules)
        for (const pointer of covered) this.silencers.add(rule, pointer, directive);
    }
  }

  apply(diagnostics: readonly Diagnostic[]): Suppression {
    const note = (directive: Directive, rule: string) => this.used.get(directive)?.add(rule);
    return this.silencers.apply(diagnostics, "comment", note, (found) => this.places.pointersOf(found));
  }

  /** What is wrong with the directives as far as the names that `concerns` picks go. */
  complaints(mayReport: MayReport, concerns: (rule: string) => boolean): readonly Complaint[] {
    return this.directives.flatMap((directive) => {
      const { comment, rules, misspelt, strays } = directive;
      const stale = rules.filter(
        (rule) => concerns(rule) && mayReport(rule) && this.used.get(directive)?.has(rule) !== true,
      );
      const areAll = stale.length > 0 && stale.length === rules.length && misspelt.length === 0;
      const complaints: Complaint[] = stale.length === 0 ? [] : [this.staleness(directive, stale, areAll)];
      // Of a comment that is to be removed, nothing else is worth a word.
      if (areAll || !concerns("")) return complaints;
      for (const { name, meant } of misspelt) complaints.push({ comment, ...describeName(name, meant) });
      if (strays.length > 0) complaints.push({ comment, ...describeStrays(directive) });
      if (rules.length === 0 && complaints.length === 0) complaints.push({ comment, ...namesNothing });
      return complaints;
    });
  }

  private staleness(directive: Directive, stale: readonly string[], areAll: boolean): Complaint {
    return {
      comment: directive.comment,
      ...describeStale(directive, stale, areAll),
      fix: staleFix(this.document, directive, stale, areAll),
    };
  }
}

function isDirective(item: Directive | MisspeltDirective): item is Directive {
  return "scope" in item;
}
