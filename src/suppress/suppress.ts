import {
  compareDiagnostics,
  type Diagnostic,
  type Finding,
  type Fix,
  type Level,
  type Severity,
  type Suppression,
  type Words,
} from "../diagnostic.js";
import type { Comment, Document } from "../document/document.js";
import { removeComment } from "../document/edit.js";
import { quoteSource } from "../document/fault.js";
import { toDiagnostic } from "../lint/collect-diagnostics.js";
import type { Levels } from "../lint/run-rules.js";
import { rules } from "../rules/index.js";
import { unusedSuppression } from "../rules/unused-suppression.js";
import { createGuesser } from "../text/names.js";
import { listNames } from "../text/wording.js";
import { nodeSpansOf, pointersByComment, WrittenPointers } from "./comment-targets.js";
import {
  type Directive,
  type MisspelledDirective,
  readDirective,
  withoutTrailingColon,
} from "./directives.js";
import { type MayReport, stoppedLinting } from "./may-report.js";
import { SuppressionIndex } from "./suppression-index.js";

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
    severity === "off"
      ? []
      : [unusedSuppressionFinding(document, severity, { at: { pointer: "", start, end }, ...said })];
  const complaints = [
    ...found.flatMap((item) =>
      isDirective(item) ? [] : [{ comment: item.comment, ...misspelledDirectiveMessage(item) }],
    ),
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
      const complaints: DirectiveProblem[] =
        stale.length === 0 ? [] : [this.staleProblem(directive, stale, areAll)];
      // Of a comment that is to be removed, nothing else is worth a word.
      if (areAll || !concerns("")) return complaints;
      for (const { name, correctName } of misspelled)
        complaints.push({ comment, ...misspelledRuleMessage(name, correctName) });
      if (unknownWords.length > 0) complaints.push({ comment, ...unknownWordsMessage(directive) });
      if (rules.length === 0 && complaints.length === 0)
        complaints.push({ comment, ...emptyDirectiveMessage });
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

const unusedSuppressionId = unusedSuppression.id;

/** How severe it is that a suppression is of no use. */
export function unusedSuppressionLevel(levels: Levels): Level {
  return levels.get(unusedSuppressionId) ?? unusedSuppression.severity;
}

/** A finding of the rule about the linting itself, in the file that holds the suppression. */
export function unusedSuppressionFinding(
  document: Document,
  severity: Severity,
  finding: Finding,
): Diagnostic {
  return toDiagnostic(document, unusedSuppression, severity, finding);
}

const nameRulesAdvice = 'Name the rules to silence: "promptpack rules" lists all rules.';

const emptyDirectiveMessage: Words = {
  message: "This comment names no rule, so it silences nothing.",
  advice: nameRulesAdvice,
};

function misspelledDirectiveMessage({ word, correctName }: MisspelledDirective): Words {
  if (correctName !== undefined)
    return { message: `"${word}" silences nothing.`, advice: `Did you mean "${correctName}"?` };
  return {
    message: `"${word}" does nothing: a comment cannot turn a rule back on.`,
    advice:
      'To silence a rule in one part of the file only, put "promptpack-disable-next-line" above that part.',
  };
}

function misspelledRuleMessage(name: string, meant: string): Words {
  return { message: `No rule is called "${name}".`, advice: `Did you mean "${meant}"?` };
}

/** Where a reason is given already, the words are no second one: only names can be meant. */
function unknownWordsMessage({ unknownWords, reason }: Directive): Words {
  const names = quoteSource(unknownWords.join(", "));
  // All quote the same, so that a baseline knows the one by the other.
  if (reason !== undefined)
    return { message: `${names} before "--" is not a rule.`, advice: '"promptpack rules" lists all rules.' };
  const isGlued = unknownWords.some((stray) => /^[^\s-]\S*--/.test(stray));
  const claim = `${names} is not a rule; put ${isGlued ? 'a space before "--"' : '"--" before a reason'}.`;
  // Other linters have a word for all of them, which is no reason.
  const isAll = unknownWords.every((stray) => stray === "all" || stray === "*");
  return isAll ? { message: `${names} is not a rule.`, claim, advice: nameRulesAdvice } : { message: claim };
}

function staleRulesMessage({ scope }: Directive, stale: readonly string[], areAll: boolean): Words {
  const where = scope === "file" ? "in this file" : "here";
  const part = stale.length === 1 ? "the name" : "these names";
  const remedy = areAll ? "remove the comment" : `remove ${part} from the comment`;
  return {
    message: `${listNames(stale)} ${stale.length === 1 ? "reports" : "report"} nothing ${where}: ${remedy}.`,
  };
}

/** Takes the names that silence nothing out of a comment, or the comment away when they are all it has. */
function removeStaleRules(
  document: Document,
  directive: Directive,
  stale: readonly string[],
  areAll: boolean,
): Fix | undefined {
  const { comment, list } = directive;
  if (areAll) {
    const edits = removeComment(document, comment);
    return edits === undefined ? undefined : { description: "Remove the comment.", edits };
  }
  const text = removeNames(document.text.slice(list.start, list.end), new Set(stale));
  const description = `Remove ${stale.map((rule) => `"${rule}"`).join(", ")} from the comment.`;
  return { description, edits: [{ ...list, text }] };
}

/** What is left keeps the marks that stood before it; the first name takes those of the list. */
function removeNames(list: string, names: ReadonlySet<string>): string {
  let left = "";
  let rest = "";
  for (const [whole, marks = "", name = ""] of list.matchAll(/([\s,]*)([^\s,]*)/gu)) {
    if (name === "") rest += whole;
    else if (!names.has(withoutTrailingColon(name)))
      left += left === "" ? (/^\s*/u.exec(list)?.[0] ?? "") + name : marks + name;
  }
  return left + rest;
}
