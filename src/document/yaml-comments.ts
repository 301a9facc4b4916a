import { EVENT_ID, SCALAR_STYLE, type Event } from "js-yaml";
import type { Comment } from "./document.js";
import { endOfLine } from "./yaml-scan.js";

/** The comments of a YAML text: what `#` starts outside every scalar. */
export function findComments(text: string, events: readonly Event[]): Comment[] {
  const comments: Comment[] = [];
  let at = 0;
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) continue;
    const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
    collect(text, at, event.valueStart, comments);
    at = isQuoted ? event.valueEnd + 1 : event.valueEnd;
  }
  collect(text, at, text.length, comments);
  return comments;
}

function collect(text: string, from: number, to: number, comments: Comment[]): void {
  let start = text.indexOf("#", from);
  while (start !== -1 && start < to) {
    const isComment = start === 0 || /\s/.test(text.charAt(start - 1));
    const end = isComment ? endOfLine(text, start) : start + 1;
    if (isComment) comments.push({ text: text.slice(start, end), start, end });
    start = text.indexOf("#", end);
  }
}
