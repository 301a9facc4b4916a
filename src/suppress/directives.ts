import type { Comment } from "../document/document.js";
import type { Span } from "../document/node.js";
import { scopes } from "../words/directives.js";
import { type Guess, nearestName } from "../words/nearest-name.js";
import { readRuleList, type RuleList } from "./rule-list.js";

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
export interface MisspeltDirective {
  readonly comment: Comment;
  readonly word: string;
  /** Absent for a comment that would end a suppression: there is none. */
  readonly meant: string | undefined;
}

/** What other linters call it, or nearly so. */
const silencing =
  /^promptpack-(?:disable|ignore|suppress|silence|skip|off)(?:-(?:this|next|line|lines|nextline|file|all|rule|rules))*$/u;

/** `# promptpack-disable-next-line rule-a, rule-b -- reason`; any other comment is nothing to us. */
export function readDirective(
  comment: Comment,
  known: ReadonlySet<string>,
  guess: Guess,
): Directive | MisspeltDirective | undefined {
  const lead = /^#+\s*/u.exec(comment.text)?.[0].length ?? 0;
  const body = comment.text.slice(lead).trimEnd();
  if (body.startsWith("promptpack:")) return withColon(comment, body, known);
  if (!body.startsWith("promptpack-")) return undefined;
  const word = /^[^\s,:]+/u.exec(body)?.[0] ?? "";
  const scope = scopes.get(word);
  if (scope === undefined) return misspelt(comment, word);
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
function withColon(
  comment: Comment,
  body: string,
  known: ReadonlySet<string>,
): MisspeltDirective | undefined {
  const [word, verb = ""] = /^promptpack:\s*([^\s,:]*)/u.exec(body) ?? [body];
  const directive = `promptpack-${verb}`;
  const [first = "--"] = /[^\s,:]+/u.exec(body.slice(word.length)) ?? [];
  const isMeant = directive === "promptpack-enable" || silencing.test(directive);
  if (!isMeant || !(first.startsWith("--") || known.has(first))) return undefined;
  const meant = misspelt(comment, directive);
  return meant && { ...meant, word };
}

function misspelt(comment: Comment, word: string): MisspeltDirective | undefined {
  if (word.startsWith("promptpack-enable")) return { comment, word, meant: undefined };
  const meant = scopes.has(word) ? word : meantBy(word);
  return meant === undefined ? undefined : { comment, word, meant };
}

function meantBy(word: string): string | undefined {
  const isKnown = silencing.test(word);
  // By its letters it is nearer to the comment for one line.
  if (isKnown && /-(?:file|all)$/u.test(word)) return "promptpack-disable";
  const near = nearestName(word, scopes.keys());
  if (near !== undefined || !isKnown) return near;
  return /-line$/u.test(word) && !word.includes("-next")
    ? "promptpack-disable-line"
    : "promptpack-disable-next-line";
}
