import type { Fault } from "../document.js";
import type { Span } from "../node.js";
import { maskQuotesAndComment } from "../yaml/yaml-out-of-place.js";
import { lineAt, previousLine, nextLine, type Line, type Section } from "../yaml/yaml-sections.js";
import { parseIfValid } from "./yaml-events.js";

/** Brackets longer than this are not followed: many may be open in one text, and each is followed by itself. */
const maxBracketLength = 4 * 1024;

/** With the place of the bracket that is open at a fault; `closing` may be missing, or stand below lines to be indented. */
export function withOpeningBracket(text: string, fault: Fault, closing: string | undefined): Fault {
  const start = closing === undefined ? undefined : findOpenBracketBefore(text, fault.start);
  if (closing === undefined || start === undefined) return fault;
  if (text.charAt(start) !== (closing === "]" ? "[" : "{")) return fault;
  const at = { pointer: "", start, end: start + 1 };
  const opened: Fault = { ...fault, related: [{ at, message: "opened here" }] };
  const brackets = findBracketsClosedLater(text, at);
  if (brackets === undefined || brackets.end <= fault.end) return opened;
  const message = `A bracket is still open here; indent the lines up to its "${closing}" further.`;
  return { ...opened, message };
}

/** The outermost brackets that are opened in a section and closed behind it, if only indentation may be wrong in them. */
export function findBracketsClosedLater(text: string, section: Section): Span | undefined {
  const brackets = findSpanClosedLater(text, section);
  return brackets && parseIfValid(text.slice(brackets.start, brackets.end)) ? brackets : undefined;
}

function findSpanClosedLater(text: string, { start, end }: Section): Span | undefined {
  let depth = 0;
  let opening = start;
  for (let line = nextLine(text, start, text.length); line; line = nextLine(text, line.end, text.length)) {
    if (depth === 0 ? line.start >= end : line.end - opening > maxBracketLength) return undefined;
    for (const { 0: bracket, index } of maskQuotesAndComment(text, line).matchAll(/[[\]{}]/g)) {
      const at = line.start + index;
      if (bracket === "[" || bracket === "{") {
        if (depth++ === 0) opening = at;
      } else if (depth > 0 && --depth === 0 && at >= end) return { start: opening, end: at + 1 };
    }
  }
  return undefined;
}

function findOpenBracketBefore(text: string, at: number): number | undefined {
  let closed = 0;
  for (let line: Line | undefined = lineAt(text, at); line !== undefined; line = previousLine(text, line)) {
    const code = maskQuotesAndComment(text, line);
    for (let index = Math.min(code.length, at - line.start) - 1; index >= 0; index--) {
      const mark = code.charAt(index);
      if (mark === "]" || mark === "}") closed++;
      else if ((mark === "[" || mark === "{") && --closed < 0) return line.start + index;
    }
  }
  return undefined;
}
