import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { lineAt } from "../yaml/yaml-sections.js";

/** What to say where text follows the mark that ends its value: as a rule the mark was meant to be part of the text. */
export function describeEarlyEnd(text: string, at: number): string | undefined {
  const { start, end } = lineAt(text, at);
  const line = text.slice(start, end);
  const mark = text.slice(start, at).trimEnd().at(-1) ?? "";
  if (/["'\]}]/.test(mark) && /^,\s*$/.test(text.slice(at, end)))
    return "Outside of brackets, an entry ends with its line; remove this comma.";
  if (/^\/[/*]/.test(text.slice(at, at + 2))) return 'Start a comment with "#".';
  switch (mark) {
    case '"':
      return describeEarlyQuoteEnd('\\"', /['\\]/.test(line) ? undefined : "single");
    case "'":
      return describeEarlyQuoteEnd("''", /["\\]/.test(line) ? undefined : "double");
    case "]":
      return 'The list ends before this; put text that starts with "[" in quotes.';
    case "}":
      return 'The mapping ends before this; put text that starts with "{" in quotes.';
    default:
      return undefined;
  }
}

/** The other kind of quotes is named only where the text could stand in it as it is. */
function describeEarlyQuoteEnd(escape: string, others: "single" | "double" | undefined): string {
  const inside = `write ${escape} for a quote inside it`;
  const advice =
    others === undefined
      ? `put quotes around the whole value, and ${inside}`
      : `${inside}, or put the whole value in ${others} quotes`;
  return `The text in quotes ends before this; ${advice}.`;
}

const quotedScalar = /"(?:[^"\\\r\n]|\\.)*"[ \t]*|'[^'\r\n]*'[ \t]*/y;

/** For a text in quotes that starts here and is followed by more text on its line, and not by the colon of a key. */
export function findEarlyQuoteEnd(text: string, start: number): Fault | undefined {
  const at = endOfMatch(quotedScalar, text, start);
  if (at === undefined) return undefined;
  const message = /[^\s:]/.test(text.charAt(at)) ? describeEarlyEnd(text, at) : undefined;
  return message === undefined ? undefined : faultAt(at, endOfLine(text, at), message);
}
