import { readPath } from "./path.js";
import type { Syntax } from "./syntax.js";
import { tagsOf } from "./tags.js";
import type { Reference, Span } from "./template.js";

/** A text without what is not shown: its comments, and these references, which stand for their values. */
export function literalText(text: string, { open }: Syntax, references: Iterable<Reference>): string {
  const hidden = open === "{{" ? commentsIn(text) : [];
  for (const { start, end } of references)
    hidden.push({ start, end: Math.max(end, readPath(text, start, text.length)?.end ?? end) });
  if (hidden.length === 0) return text;
  hidden.sort((a, b) => a.start - b.start);
  let shown = "";
  let at = 0;
  for (const { start, end } of hidden) {
    shown += `${text.slice(at, Math.max(at, start))} `;
    at = Math.max(at, end);
  }
  return shown + text.slice(at);
}

const commentOpening = /\{\{[-~]?!/;

function commentsIn(text: string): Span[] {
  return commentOpening.test(text) ? [...tagsOf(text)].filter(({ kind }) => kind === "comment") : [];
}
