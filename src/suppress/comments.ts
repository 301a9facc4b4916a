import {
  compareDiagnostics,
  type Diagnostic,
  type Finding,
  type Span,
  type Suppression,
  type Words,
} from "../diagnostic.js";
import { type Comment, type Document, quoteSource } from "../document/document.js";
import { removeComment } from "../document/edit.js";
import { toDiagnostic } from "../lint/collect-diagnostics.js";
import { levelOf, type Levels } from "../lint/run-rules.js";
import { rules } from "../rules/index.js";
import { unusedSuppression } from "../rules/linting-rules.js";
import { createGuesser, type NameGuess, nearestName, suggestName } from "../text/names.js";
import { listNames } from "../text/wording.js";
import { nodeSpansOf, targetFinder, writtenPointers } from "./comment-targets.js";
import { isSilent, PointerSuppressor, type SilentRules, suppress } from "./suppress.js";

const ruleIds = new Set(rules.map(({ id }) => id));
const stopping = new Set(rules.filter(({ stopsLinting }) => stopsLinting !== undefined).map(({ id }) => id));

/** Also reports comments that silence nothing. In a file that cannot be parsed, comments have no effect. */
export function suppressByComments(
  document: Document,
  found: Suppression,
  levels: Levels,
  silent: SilentRules,
): Suppression {
  const guess = createGuesser();
  const comments = document.faults.length > 0 ? [] : document.comments;
  const read = comments.flatMap((comment) => readDirective(comment, guess) ?? []);
  if (read.length === 0) return found;
  const directives = read.filter(isDirective);
  const suppressor = suppressorOf(document, directives);
  const first = suppress(found, suppressor);
  const severity = found.kept.some(({ rule }) => stopping.has(rule))
    ? "off"
    : levelOf(unusedSuppression, levels);
  const report = (problem: Finding) =>
    severity === "off" ? [] : [toDiagnostic(document, unusedSuppression, severity, problem)];
  const staleRules = (directive: Directive) =>
    directive.rules.filter((rule) => !isSilent(silent, rule) && !suppressor.hasUsed(directive, rule));
  const problems = read.flatMap((item) => {
    if (!isDirective(item)) return [item];
    const stale = staleRules(item).filter((rule) => rule !== unusedSuppression.id);
    return problemsOf(document, item, stale);
  });
  // A comment may silence the reports about other comments; only then is it known whether it was needed itself.
  const second = suppress({ kept: problems.flatMap(report), suppressed: first.suppressed }, suppressor);
  const last = directives.flatMap((directive) => {
    const stale = staleRules(directive).filter((rule) => rule === unusedSuppression.id);
    return stale.length === 0 ? [] : report(staleProblem(document, directive, stale));
  });
  const kept = [...first.kept, ...second.kept, ...last].sort(compareDiagnostics);
  return { kept, suppressed: second.suppressed };
}

function isDirective(item: Directive | Finding): item is Directive {
  return "scope" in item;
}

function suppressorOf(document: Document, directives: readonly Directive[]): PointerSuppressor<Directive> {
  const { root, text } = document;
  const isLocal = directives.some(({ scope }) => scope === "node");
  const spans = isLocal && root !== undefined ? nodeSpansOf(root, text) : [];
  const targetsOf = targetFinder(document, spans);
  const pointersOf = (found: Diagnostic) => writtenPointers(document, spans, found);
  const suppressor = new PointerSuppressor<Directive>("comment", pointersOf);
  for (const directive of directives) {
    const covered = directive.scope === "file" ? [""] : targetsOf(directive.comment);
    for (const rule of directive.rules)
      for (const pointer of covered) suppressor.add(rule, pointer, directive);
  }
  return suppressor;
}

function placeOf({ start, end }: Comment): Finding["at"] {
  return { pointer: "", start, end };
}

function problemsOf(document: Document, directive: Directive, stale: readonly string[]): readonly Finding[] {
  const { comment, rules, misspelled, unknownWords, list } = directive;
  const at = placeOf(comment);
  const problems = stale.length === 0 ? [] : [staleProblem(document, directive, stale)];
  // A comment that should be removed needs no other correction.
  if (areAll(directive, stale)) return problems;
  for (const [name, correctName] of misspelled) {
    const words = document.text.slice(list.start, list.end).matchAll(/[^\s,]+/gu);
    const word = [...words].find(([each]) => withoutTrailingColon(each) === name);
    const message = `No rule is called "${name}".`;
    problems.push({ at, message, ...correction(list.start + (word?.index ?? 0), name, correctName) });
  }
  if (unknownWords.length > 0) problems.push({ at, ...unknownWordsMessage(directive) });
  if (rules.length === 0 && problems.length === 0) {
    const message = "This comment names no rule, so it silences nothing.";
    problems.push({ at, message, advice: `Name the rules to silence: ${ruleListHint}` });
  }
  return problems;
}

function areAll({ rules, misspelled }: Directive, stale: readonly string[]): boolean {
  return stale.length > 0 && stale.length === rules.length && misspelled.size === 0;
}

const ruleListHint = '"promptpack rules" lists all rules.';

function unknownWordsMessage({ unknownWords, reason }: Directive): Words {
  return {
    message: `${quoteSource(unknownWords.join(", "))} is not a rule.`,
    advice: reason === undefined ? `Put " -- " before a reason; ${ruleListHint}` : ruleListHint,
  };
}

function staleProblem(document: Document, directive: Directive, stale: readonly string[]): Finding {
  const { comment, scope, list } = directive;
  const isWhole = areAll(directive, stale);
  const where = scope === "file" ? "in this file" : "here";
  const part = stale.length === 1 ? "the name" : "these names";
  const remedy = isWhole ? "remove the comment" : `remove ${part} from the comment`;
  const message = `${listNames(stale)} ${stale.length === 1 ? "reports" : "report"} nothing ${where}: ${remedy}.`;
  if (isWhole) {
    const edits = removeComment(document, comment);
    return { at: placeOf(comment), message, fix: edits && { description: "Remove the comment.", edits } };
  }
  const text = removeNames(document.text.slice(list.start, list.end), new Set(stale));
  const description = `Remove ${stale.map((rule) => `"${rule}"`).join(", ")} from the comment.`;
  return { at: placeOf(comment), message, fix: { description, edits: [{ ...list, text }] } };
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

const directiveScopes: ReadonlyMap<string, "file" | "node"> = new Map([
  ["promptpack-disable", "file"],
  ["promptpack-disable-next-line", "node"],
  ["promptpack-disable-line", "node"],
]);

interface Directive extends RuleList {
  readonly comment: Comment;
  readonly scope: "file" | "node";
  readonly list: Span;
  readonly reason: string | undefined;
}

/** Reads `# promptpack-disable-next-line rule-a, rule-b -- reason`; other comments are ignored. */
function readDirective(comment: Comment, guess: NameGuess): Directive | Finding | undefined {
  const lead = /^#+\s*/u.exec(comment.text)?.[0].length ?? 0;
  const body = comment.text.slice(lead).trimEnd();
  if (!body.startsWith("promptpack-")) return undefined;
  const word = /^[^\s,:]+/u.exec(body)?.[0] ?? "";
  const scope = directiveScopes.get(word);
  if (scope === undefined) {
    const fault = misspelledDirective(word, comment.start + lead);
    return fault && { at: placeOf(comment), ...fault };
  }
  const rest = body.slice(word.length).replace(/^:/u, "");
  const dashes = /(?:^|\s)--/u.exec(rest);
  const list = dashes === null ? rest : rest.slice(0, dashes.index);
  const start = comment.start + lead + body.length - rest.length;
  const reason = dashes === null ? "" : rest.slice(dashes.index + dashes[0].length).trim();
  return {
    comment,
    scope,
    ...readRuleList(list, guess),
    list: { start, end: start + list.length },
    reason: reason === "" ? undefined : reason,
  };
}

function misspelledDirective(word: string, start: number): Omit<Finding, "at"> | undefined {
  if (word.startsWith("promptpack-enable"))
    return {
      message: `"${word}" does nothing: a comment cannot turn a rule back on.`,
      advice:
        'To silence a rule in one part of the file only, put "promptpack-disable-next-line" above that part.',
    };
  const correctName = nearestName(word, directiveScopes.keys());
  if (correctName === undefined) return undefined;
  return { message: `"${word}" silences nothing.`, ...correction(start, word, correctName) };
}

function correction(start: number, wrong: string, right: string): Pick<Finding, "advice" | "fix"> {
  const edits = [{ start, end: start + wrong.length, text: right }];
  const description = `Replace "${wrong}" with "${right}".`;
  return { advice: suggestName(wrong, right), fix: { description, unsafe: true, edits } };
}

interface RuleList {
  readonly rules: readonly string[];
  /** The nearest rule by the name that is not one. */
  readonly misspelled: ReadonlyMap<string, string>;
  /** Words that are not near any rule, usually a reason. */
  readonly unknownWords: readonly string[];
}

/** Commas are optional. From an unknown word up to the next comma all is text, so a reason may mention a rule. */
function readRuleList(list: string, guess: NameGuess): RuleList {
  const rules = new Set<string>();
  const misspelled = new Map<string, string>();
  const unknownWords: string[] = [];
  for (const part of list.split(",")) {
    const words = part.split(/\s+/u).filter((word) => word !== "");
    for (const [index, word] of words.entries()) {
      const name = withoutTrailingColon(word);
      const nearest = ruleIds.has(name) ? name : guess(name, ruleIds);
      if (nearest === undefined) {
        unknownWords.push(words.slice(index).join(" "));
        break;
      }
      if (nearest === name) rules.add(name);
      else misspelled.set(name, nearest);
    }
  }
  return { rules: [...rules], misspelled, unknownWords };
}

/** `rule:` is read as `rule`. */
function withoutTrailingColon(word: string): string {
  return word.replace(/:$/u, "");
}
