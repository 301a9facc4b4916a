import {
  compareDiagnostics,
  type Diagnostic,
  type Fix,
  type Level,
  type Suppression,
  type Words,
} from "../diagnostic.js";
import { type Comment, type Document, quoteSource } from "../document/document.js";
import { removeComment } from "../document/edit.js";
import { toDiagnostic } from "../lint/collect-diagnostics.js";
import type { Levels } from "../lint/run-rules.js";
import { rules } from "../rules/index.js";
import type { Need } from "../rules/rule.js";
import { unusedSuppression } from "../rules/linting-rules.js";
import { createGuesser, suggestName } from "../text/names.js";
import { listNames } from "../text/wording.js";
import { nodeSpansOf, pointersByComment, WrittenPointers } from "./comment-targets.js";
import {
  type Directive,
  type MisspelledDirective,
  readDirective,
  withoutTrailingColon,
} from "./directives.js";
import { SuppressionIndex } from "./suppression-index.js";

const ruleIds = new Set(rules.map(({ id }) => id));
const needs = new Map(rules.map((rule) => [rule.id, rule.needs]));
const stopping = new Set(rules.filter(({ stopsLinting }) => stopsLinting !== undefined).map(({ id }) => id));

/** Whether the rule could have reported here, so that a suppression of it that suppresses nothing is stale. */
export type MayReport = (ruleId: string) => boolean;

/**
 * An error may keep any rule from reporting. `findings` are all findings, suppressed ones included; `lacking` is what
 * rules needed and did not have.
 */
export function mayReportIn(
  { faults }: Document,
  findings: readonly Diagnostic[],
  levels: Levels,
  lacking: ReadonlySet<Need>,
): MayReport {
  if (faults.length > 0 || findings.some(({ severity }) => severity === "error")) return () => false;
  return (id) => {
    const need = needs.get(id);
    return levels.get(id) !== "off" && (need === undefined || !lacking.has(need));
  };
}

/**
 * Removes the findings that comments of the file silence, and reports comments that silence nothing. In a file that
 * cannot be parsed, comments have no effect.
 */
export function suppress(
  document: Document,
  diagnostics: readonly Diagnostic[],
  levels: Levels,
  mayReport: MayReport,
): Suppression {
  const guess = createGuesser();
  const comments = document.faults.length > 0 ? [] : document.comments;
  const found = comments.flatMap((comment) => readDirective(comment, ruleIds, guess) ?? []);
  if (found.length === 0) return { kept: diagnostics, suppressed: [] };
  const directives = new DirectiveIndex(document, found.filter(isDirective));
  const first = directives.apply(diagnostics);
  const isStopped = diagnostics.some(({ rule }) => stopping.has(rule));
  const severity = isStopped ? "off" : unusedSuppressionLevel(levels);
  const report = ({ comment: { start, end }, ...problem }: DirectiveProblem): Diagnostic[] =>
    severity === "off"
      ? []
      : [
          toDiagnostic(document, unusedSuppression, severity, {
            at: { pointer: "", start, end },
            ...problem,
          }),
        ];
  const problems = [
    ...found.flatMap((item) =>
      isDirective(item) ? [] : [{ comment: item.comment, ...misspelledDirectiveMessage(item) }],
    ),
    ...directives.problems(mayReport, (rule) => rule !== unusedSuppression.id),
  ];
  // A comment may silence the reports about other comments; only then is it known whether it was needed itself.
  const second = directives.apply(problems.flatMap(report));
  const last = directives.problems(mayReport, (rule) => rule === unusedSuppression.id).flatMap(report);
  return {
    kept: [...first.kept, ...second.kept, ...last].sort(compareDiagnostics),
    suppressed: [...first.suppressed, ...second.suppressed],
  };
}

function isDirective(item: Directive | MisspelledDirective): item is Directive {
  return "scope" in item;
}

export function unusedSuppressionLevel(levels: Levels): Level {
  return levels.get(unusedSuppression.id) ?? unusedSuppression.severity;
}

interface DirectiveProblem extends Words {
  readonly comment: Comment;
  readonly fix?: Fix | undefined;
}

class DirectiveIndex {
  private readonly index = new SuppressionIndex<Directive>();
  private readonly writtenPointers: WrittenPointers;
  private readonly used = new Map<Directive, Set<string>>();

  constructor(
    private readonly document: Document,
    private readonly directives: readonly Directive[],
  ) {
    const local = directives.filter(({ scope }) => scope === "node").map(({ comment }) => comment);
    const { root, text } = document;
    const spans = local.length === 0 || root === undefined ? [] : nodeSpansOf(root, text);
    this.writtenPointers = new WrittenPointers(document, spans);
    const pointers = pointersByComment(document, local, spans);
    for (const directive of directives) {
      this.used.set(directive, new Set());
      const covered = directive.scope === "file" ? [""] : (pointers.get(directive.comment) ?? []);
      for (const rule of directive.rules)
        for (const pointer of covered) this.index.add(rule, pointer, directive);
    }
  }

  apply(diagnostics: readonly Diagnostic[]): Suppression {
    const markUsed = (directive: Directive, rule: string) => this.used.get(directive)?.add(rule);
    const pointersOf = (found: Diagnostic) => this.writtenPointers.pointersOf(found);
    return this.index.apply(diagnostics, "comment", markUsed, pointersOf);
  }

  problems(mayReport: MayReport, concerns: (rule: string) => boolean): readonly DirectiveProblem[] {
    return this.directives.flatMap((directive) => {
      const { comment, rules, misspelled, unknownWords } = directive;
      const stale = rules.filter(
        (rule) => concerns(rule) && mayReport(rule) && this.used.get(directive)?.has(rule) !== true,
      );
      const areAll = stale.length > 0 && stale.length === rules.length && misspelled.size === 0;
      const problems: DirectiveProblem[] = [];
      if (stale.length > 0) {
        const fix = removeStaleRules(this.document, directive, stale, areAll);
        problems.push({ comment, ...staleRulesMessage(directive, stale, areAll), fix });
      }
      // A comment that should be removed needs no other correction.
      if (areAll || !concerns("")) return problems;
      for (const [name, correctName] of misspelled) {
        const message = `No rule is called "${name}".`;
        problems.push({ comment, message, advice: suggestName(name, correctName) });
      }
      if (unknownWords.length > 0) problems.push({ comment, ...unknownWordsMessage(directive) });
      if (rules.length === 0 && problems.length === 0) {
        const message = "This comment names no rule, so it silences nothing.";
        problems.push({ comment, message, advice: `Name the rules to silence: ${ruleListHint}` });
      }
      return problems;
    });
  }
}

const ruleListHint = '"promptpack rules" lists all rules.';

function misspelledDirectiveMessage({ word, correctName }: MisspelledDirective): Words {
  if (correctName !== undefined)
    return { message: `"${word}" silences nothing.`, advice: suggestName(word, correctName) };
  return {
    message: `"${word}" does nothing: a comment cannot turn a rule back on.`,
    advice:
      'To silence a rule in one part of the file only, put "promptpack-disable-next-line" above that part.',
  };
}

function unknownWordsMessage({ unknownWords, reason }: Directive): Words {
  return {
    message: `${quoteSource(unknownWords.join(", "))} is not a rule.`,
    advice: reason === undefined ? `Put " -- " before a reason; ${ruleListHint}` : ruleListHint,
  };
}

function staleRulesMessage({ scope }: Directive, stale: readonly string[], areAll: boolean): Words {
  const where = scope === "file" ? "in this file" : "here";
  const part = stale.length === 1 ? "the name" : "these names";
  const remedy = areAll ? "remove the comment" : `remove ${part} from the comment`;
  return {
    message: `${listNames(stale)} ${stale.length === 1 ? "reports" : "report"} nothing ${where}: ${remedy}.`,
  };
}

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

/** Each remaining name keeps the separators before it; the first one gets those at the start of the list. */
function removeNames(list: string, names: ReadonlySet<string>): string {
  let remaining = "";
  let trailing = "";
  for (const [whole, separators = "", name = ""] of list.matchAll(/([\s,]*)([^\s,]*)/gu)) {
    if (name === "") trailing += whole;
    else if (!names.has(withoutTrailingColon(name)))
      remaining += remaining === "" ? (/^\s*/u.exec(list)?.[0] ?? "") + name : separators + name;
  }
  return remaining + trailing;
}
