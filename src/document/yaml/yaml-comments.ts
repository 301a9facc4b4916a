import { EVENT_ID, SCALAR_STYLE, type Event } from "js-yaml";
import type { Comment } from "../document.js";
import { commentsBetween } from "../scan-text.js";

/** The comments of a YAML text: what `#` starts outside every scalar. */
export function findComments(text: string, events: readonly Event[]): Comment[] {
  const comments: Comment[] = [];
  let at = 0;
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) continue;
    const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
    for (const comment of commentsBetween(text, at, event.valueStart)) comments.push(comment);
    at = isQuoted ? event.valueEnd + 1 : event.valueEnd;
  }
  for (const comment of commentsBetween(text, at, text.length)) comments.push(comment);
  return comments;
}
