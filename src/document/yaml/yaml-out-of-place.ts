import { EVENT_ID, type Event } from "js-yaml";
import type { Span } from "../node.js";
import { endOfLine } from "../scan-text.js";
import { indentOf, nextLine, type Line } from "./yaml-sections.js";

/** The line breaks before closing brackets, and the tabs behind the start of a line, that only a strict parser refuses, in their order. */
export function findRelaxableSpans(text: string): Span[] {
  const parts: Span[] = [];
  /** The line of each bracket that is open. What stands in a text may add some, but only below those that count. */
  const open: Line[] = [];
  let endOfContent = 0;
  for (let line = nextLine(text, 0, text.length); line; line = nextLine(text, line.end, text.length)) {
    const code = maskQuotesAndComment(text, line);
    const opener = /[\]}]/.test(text.charAt(line.body)) ? open.at(-1) : undefined;
    if (opener && isAlignedWithOpener(text, opener, line)) parts.push({ start: endOfContent, end: line.body });
    for (const tabs of tabsBetweenTokens(code, line)) parts.push(tabs);
    for (const [bracket] of code.matchAll(/[[\]{}]/g)) {
      if (bracket === "[" || bracket === "{") open.push(line);
      else open.pop();
    }
    endOfContent = line.start + code.trimEnd().length;
  }
  return parts;
}

/** Whether a bracket that starts a line stands right under the start of the entry that it closes. */
function isAlignedWithOpener(text: string, opener: Line, bracket: Line): boolean {
  const column = indentOf(bracket);
  return indentOf(opener) <= column && /^(?:- +)*$/.test(text.slice(opener.body, opener.start + column));
}

function* tabsBetweenTokens(code: string, { start, body }: Line): Iterable<Span> {
  for (const { 0: blanks, index } of code.matchAll(/[ \t]+/g)) {
    const end = index + blanks.length;
    if (start + index > body && blanks.includes("\t")) yield { start: start + index, end: start + end };
  }
}

const quotedScalar = /(?<=[[{,:\s])(?:"(?:[^"\\]|\\.)*"|'[^']*')/g;

/** A line without its comment, and with nothing but dashes for what is in quotes. */
export function maskQuotesAndComment(text: string, { start, body }: Line): string {
  const line = text.slice(start, endOfLine(text, body));
  return line.replace(quotedScalar, (all) => "-".repeat(all.length)).replace(/\s#.*/, "");
}

/** The parts that are in no scalar. Both are in the order of the text. */
export function outsideScalars(parts: readonly Span[], events: readonly Event[]): Span[] {
  const scalars = events.filter((event) => event.type === EVENT_ID.SCALAR && event.valueStart >= 0);
  let next = 0;
  const scalarAfter = (at: number): Span => {
    for (let scalar = scalars[next]; scalar?.type === EVENT_ID.SCALAR; scalar = scalars[++next])
      if (scalar.valueEnd > at) return { start: scalar.valueStart, end: scalar.valueEnd };
    return { start: Infinity, end: Infinity };
  };
  return parts.filter(({ start, end }) => scalarAfter(start).start >= end);
}
