import type { Comment } from "../document/document.js";
import type { Span } from "../document/node.js";
import { directiveScopes } from "../text/directive-names.js";
import { type NameGuess, nearestName } from "../text/names.js";

/** A comment that silences rules, as it is written. */
export interface Directive extends RuleList {
  readonly comment: Comment;
  /** The whole file, or the node the comment stands at. */
  readonly scope: "file" | "node";
  /** Where the names stand in the file. */
  readonly list: Span;
  readonly reason: string | undefined;
}

/** A comment that was meant for this tool and cannot be understood. */
export interface MisspelledDirective {
  readonly comment: Comment;
  readonly word: string;
  /** Absent for a comment that would end a suppression: there is none. */
  readonly correctName: string | undefined;
}

/** What other linters call it, or nearly so. */
const disablePattern =
  /^promptpack-(?:disable|ignore|suppress|silence|skip|off)(?:-(?:this|next|line|lines|nextline|file|all|rule|rules))*$/u;

/** `# promptpack-disable-next-line rule-a, rule-b -- reason`; any other comment is nothing to us. */
export function readDirective(
  comment: Comment,
  known: ReadonlySet<string>,
  guess: NameGuess,
): Directive | MisspelledDirective | undefined {
  const lead = /^#+\s*/u.exec(comment.text)?.[0].length ?? 0;
  const body = comment.text.slice(lead).trimEnd();
  if (body.startsWith("promptpack:")) return readColonDirective(comment, body, known);
  if (!body.startsWith("promptpack-")) return undefined;
  const word = /^[^\s,:]+/u.exec(body)?.[0] ?? "";
  const scope = directiveScopes.get(word);
  if (scope === undefined) return toMisspelledDirective(comment, word);
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

/** `# promptpack: disable`; as a sentence may stand behind the colon, nothing but rules may follow. */
function readColonDirective(
  comment: Comment,
  body: string,
  known: ReadonlySet<string>,
): MisspelledDirective | undefined {
  const [word, verb = ""] = /^promptpack:\s*([^\s,:]*)/u.exec(body) ?? [body];
  const directive = `promptpack-${verb}`;
  const [first = "--"] = /[^\s,:]+/u.exec(body.slice(word.length)) ?? [];
  const isMeant = directive === "promptpack-enable" || disablePattern.test(directive);
  if (!isMeant || !(first.startsWith("--") || known.has(first))) return undefined;
  const meant = toMisspelledDirective(comment, directive);
  return meant && { ...meant, word };
}

function toMisspelledDirective(comment: Comment, word: string): MisspelledDirective | undefined {
  if (word.startsWith("promptpack-enable")) return { comment, word, correctName: undefined };
  const correctName = directiveScopes.has(word) ? word : nearestDirective(word);
  return correctName === undefined ? undefined : { comment, word, correctName };
}

function nearestDirective(word: string): string | undefined {
  const isKnown = disablePattern.test(word);
  // By its letters it is nearer to the comment for one line.
  if (isKnown && /-(?:file|all)$/u.test(word)) return "promptpack-disable";
  const near = nearestName(word, directiveScopes.keys());
  if (near !== undefined || !isKnown) return near;
  return /-line$/u.test(word) && !word.includes("-next")
    ? "promptpack-disable-line"
    : "promptpack-disable-next-line";
}

/** What the names in a comment stand for. */
interface RuleList {
  readonly rules: readonly string[];
  readonly misspelled: readonly Misspelling[];
  /** Words that are no names at all: as a rule a reason. */
  readonly unknownWords: readonly string[];
}

interface Misspelling {
  readonly name: string;
  readonly correctName: string;
}

/**
 * Reads `rule-a, rule-b`, commas or not. What follows a word that is no rule and near none, up to a comma, is text: a
 * rule that a reason speaks of is not silenced by it.
 */
function readRuleList(list: string, known: ReadonlySet<string>, guess: NameGuess): RuleList {
  const rules = new Set<string>();
  const misspelt = new Map<string, string>();
  const unknownWords: string[] = [];
  for (const part of list.split(",")) {
    const words = part.split(/\s+/u).filter((word) => word !== "");
    for (const [index, word] of words.entries()) {
      const name = withoutTrailingColon(word);
      const meant = known.has(name) ? name : guess(name, known);
      if (meant === undefined) {
        unknownWords.push(words.slice(index).join(" "));
        break;
      }
      if (meant === name) rules.add(name);
      else misspelt.set(name, meant);
    }
  }
  return {
    rules: [...rules],
    misspelled: [...misspelt].map(([name, meant]) => ({ name, correctName: meant })),
    unknownWords,
  };
}

/** `rule:` is read as `rule`. */
export function withoutTrailingColon(word: string): string {
  return word.replace(/:$/u, "");
}
