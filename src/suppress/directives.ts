import type { Comment } from "../document/document.js";
import type { Span } from "../document/node.js";
import { type NameGuess, nearestName } from "../text/names.js";

const directiveScopes: ReadonlyMap<string, "file" | "node"> = new Map([
  ["promptpack-disable", "file"],
  ["promptpack-disable-next-line", "node"],
  ["promptpack-disable-line", "node"],
]);

export interface Directive extends RuleList {
  readonly comment: Comment;
  readonly scope: "file" | "node";
  readonly list: Span;
  readonly reason: string | undefined;
}

export interface MisspelledDirective {
  readonly comment: Comment;
  readonly word: string;
  /** Absent for `promptpack-enable`, which has no correct form. */
  readonly correctName: string | undefined;
}

/** Reads `# promptpack-disable-next-line rule-a, rule-b -- reason`; other comments are ignored. */
export function readDirective(
  comment: Comment,
  known: ReadonlySet<string>,
  guess: NameGuess,
): Directive | MisspelledDirective | undefined {
  const lead = /^#+\s*/u.exec(comment.text)?.[0].length ?? 0;
  const body = comment.text.slice(lead).trimEnd();
  if (!body.startsWith("promptpack-")) return undefined;
  const word = /^[^\s,:]+/u.exec(body)?.[0] ?? "";
  const scope = directiveScopes.get(word);
  if (scope === undefined) return readMisspelledDirective(comment, word);
  const rest = body.slice(word.length).replace(/^:/u, "");
  const dashes = /(?:^|\s)--/u.exec(rest);
  const list = dashes === null ? rest : rest.slice(0, dashes.index);
  const start = comment.start + lead + body.length - rest.length;
  const reason = dashes === null ? "" : rest.slice(dashes.index + dashes[0].length).trim();
  return {
    comment,
    scope,
    ...readRuleList(list, known, guess),
    list: { start, end: start + list.length },
    reason: reason === "" ? undefined : reason,
  };
}

function readMisspelledDirective(comment: Comment, word: string): MisspelledDirective | undefined {
  if (word.startsWith("promptpack-enable")) return { comment, word, correctName: undefined };
  const correctName = nearestName(word, directiveScopes.keys());
  return correctName === undefined ? undefined : { comment, word, correctName };
}

interface RuleList {
  readonly rules: readonly string[];
  /** The nearest rule by the name that is not one. */
  readonly misspelled: ReadonlyMap<string, string>;
  /** Words that are not near any rule, usually a reason. */
  readonly unknownWords: readonly string[];
}

/**
 * Reads `rule-a, rule-b`, with or without commas. An unknown word and everything after it up to the next comma is text,
 * so that a reason that mentions a rule does not silence it.
 */
function readRuleList(list: string, known: ReadonlySet<string>, guess: NameGuess): RuleList {
  const rules = new Set<string>();
  const misspelled = new Map<string, string>();
  const unknownWords: string[] = [];
  for (const part of list.split(",")) {
    const words = part.split(/\s+/u).filter((word) => word !== "");
    for (const [index, word] of words.entries()) {
      const name = withoutTrailingColon(word);
      const nearest = known.has(name) ? name : guess(name, known);
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
export function withoutTrailingColon(word: string): string {
  return word.replace(/:$/u, "");
}
