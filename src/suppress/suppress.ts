import type { Levels } from "../diagnose/diagnose.js";
import {
  compareDiagnostics,
  type Diagnostic,
  type Fix,
  type Suppression,
  type Words,
} from "../diagnostic.js";
import { readDirective, type Directive, type MisspelledDirective } from "./directives.js";
import type { Comment, Document } from "../document/document.js";
import { pointersByComment } from "./commented-nodes.js";
import {
  misspelledRuleMessage,
  staleRulesMessage,
  unknownWordsMessage,
  misspelledDirectiveMessage,
  emptyDirectiveMessage,
} from "./complaint-words.js";
import { createGuesser } from "../words/nearest-name.js";
import { rules } from "../rules/index.js";
import { stoppedLinting, type MayReport } from "./may-report.js";
import { SuppressionIndex } from "./silencers.js";
import { nodeSpansOf } from "./spots.js";
import { removeStaleRules } from "./stale-fix.js";
import { unusedSuppressionFinding, unusedSuppressionId, unusedSuppressionLevel } from "./own-finding.js";
import { WrittenPointers } from "./written-places.js";

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
  const guess = createGuesser();
  const found =
    document.faults.length > 0
      ? []
      : document.comments.flatMap((comment) => readDirective(comment, ruleIds, guess) ?? []);
  if (found.length === 0) return { kept: diagnostics, suppressed: [] };
  const silencers = new DirectiveIndex(document, found.filter(isDirective));
  const first = silencers.apply(diagnostics);
  const severity = stoppedLinting(diagnostics) ? "off" : unusedSuppressionLevel(levels);
  const report = ({ comment: { start, end }, ...said }: DirectiveProblem): Diagnostic[] =>
    severity === "off" ? [] : [unusedSuppressionFinding(document, severity, { at: { pointer: "", start, end }, ...said })];
  const complaints = [
    ...found.flatMap((item) => (isDirective(item) ? [] : [{ comment: item.comment, ...misspelledDirectiveMessage(item) }])),
    ...silencers.problems(mayReport, (rule) => rule !== unusedSuppressionId),
  ];
  const second = silencers.apply(complaints.flatMap(report));
  const last = silencers.problems(mayReport, (rule) => rule === unusedSuppressionId).flatMap(report);
  return {
    kept: [...first.kept, ...second.kept, ...last].sort(compareDiagnostics),
    suppressed: [...first.suppressed, ...second.suppressed],
  };
}

interface DirectiveProblem extends Words {
  readonly comment: Comment;
  readonly fix?: Fix | undefined;
}

/** The directives of a file, found by rule and pointer, and which of their names were of use. */
class DirectiveIndex {
  private readonly index = new SuppressionIndex<Directive>();
  private readonly writtenPointers: WrittenPointers;
  private readonly used = new Map<Directive, Set<string>>();

  constructor(
    private readonly document: Document,
    private readonly directives: readonly Directive[],
  ) {
    const local = directives.filter(({ scope }) => scope === "node");
    const { root, text } = document;
    const spots = local.length === 0 || root === undefined ? [] : nodeSpansOf(root, text);
    this.writtenPointers = new WrittenPointers(document, spots);
    const pointers = pointersByComment(
      document,
      local.map(({ comment }) => comment),
      spots,
    );
    for (const directive of directives) {
      this.used.set(directive, new Set());
      const covered = directive.scope === "file" ? [""] : (pointers.get(directive.comment) ?? []);
      for (const rule of directive.rules)
        for (const pointer of covered) this.index.add(rule, pointer, directive);
    }
  }

  apply(diagnostics: readonly Diagnostic[]): Suppression {
    const note = (directive: Directive, rule: string) => this.used.get(directive)?.add(rule);
    return this.index.apply(diagnostics, "comment", note, (found) => this.writtenPointers.pointersOf(found));
  }

  /** What is wrong with the directives as far as the names that `concerns` picks go. */
  problems(mayReport: MayReport, concerns: (rule: string) => boolean): readonly DirectiveProblem[] {
    return this.directives.flatMap((directive) => {
      const { comment, rules, misspelled, unknownWords } = directive;
      const stale = rules.filter(
        (rule) => concerns(rule) && mayReport(rule) && this.used.get(directive)?.has(rule) !== true,
      );
      const areAll = stale.length > 0 && stale.length === rules.length && misspelled.length === 0;
      const complaints: DirectiveProblem[] = stale.length === 0 ? [] : [this.staleProblem(directive, stale, areAll)];
      // Of a comment that is to be removed, nothing else is worth a word.
      if (areAll || !concerns("")) return complaints;
      for (const { name, correctName } of misspelled) complaints.push({ comment, ...misspelledRuleMessage(name, correctName) });
      if (unknownWords.length > 0) complaints.push({ comment, ...unknownWordsMessage(directive) });
      if (rules.length === 0 && complaints.length === 0) complaints.push({ comment, ...emptyDirectiveMessage });
      return complaints;
    });
  }

  private staleProblem(directive: Directive, stale: readonly string[], areAll: boolean): DirectiveProblem {
    return {
      comment: directive.comment,
      ...staleRulesMessage(directive, stale, areAll),
      fix: removeStaleRules(this.document, directive, stale, areAll),
    };
  }
}

function isDirective(item: Directive | MisspelledDirective): item is Directive {
  return "scope" in item;
}
