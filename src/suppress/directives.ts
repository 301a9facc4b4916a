import type { Comment } from "../document/document.js";
import type { Span } from "../document/node.js";
import { nearestName } from "../nearest-name.js";

/** A comment that silences rules, as it is written. */
export interface Directive {
  readonly comment: Comment;
  /** The whole file, or the node the comment stands at. */
  readonly scope: "file" | "node";
  readonly rules: readonly string[];
  /** Where the names stand in the file. */
  readonly list: Span;
  readonly reason: string | undefined;
}

/** A comment that was meant to silence rules and cannot be understood. */
export interface MisspeltDirective {
  readonly comment: Comment;
  readonly word: string;
  readonly meant: string;
}

const scopes = new Map<string, Directive["scope"]>([
  ["promptpack-disable", "file"],
  ["promptpack-disable-next-line", "node"],
  ["promptpack-disable-line", "node"],
]);

/** `# promptpack-disable-next-line rule-a, rule-b -- reason`; any other comment is nothing to us. */
export function readDirective(comment: Comment): Directive | MisspeltDirective | undefined {
  const lead = /^#+\s*/u.exec(comment.text)?.[0].length ?? 0;
  const body = comment.text.slice(lead).trimEnd();
  if (!body.startsWith("promptpack-")) return undefined;
  const word = /^[^\s,:]+/u.exec(body)?.[0] ?? "";
  const scope = scopes.get(word);
  if (scope === undefined) {
    const meant = nearestName(word, scopes.keys());
    return meant === undefined ? undefined : { comment, word, meant };
  }
  const rest = body.slice(word.length).replace(/^:/u, "");
  const dashes = /(?:^|\s)--(?:\s|$)/u.exec(rest);
  const list = dashes === null ? rest : rest.slice(0, dashes.index);
  const start = comment.start + lead + body.length - rest.length;
  const reason = dashes === null ? "" : rest.slice(dashes.index + dashes[0].length).trim();
  const rules = [...new Set(list.split(/[\s,]+/u).filter((name) => name !== ""))];
  return {
    comment,
    scope,
    rules,
    list: { start, end: start + list.length },
    reason: reason === "" ? undefined : reason,
  };
}
