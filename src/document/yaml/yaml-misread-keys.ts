import type { Fault } from "../document.js";
import type { Span } from "../node.js";
import { faultAt } from "../refusal.js";
import { quoteSource } from "../shown.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { findFirstUnicodeIndent } from "./yaml-strange-space.js";

/** What the object is in which a key stands: in brackets, or an item of a list. */
interface KeyContext {
  readonly isFlow: boolean;
  readonly isItem: boolean;
}

/** What a key without quotes was surely meant to be, where it is one only to the letter of YAML. */
export function findMisreadKey(text: string, { start }: Span, { isFlow, isItem }: KeyContext): readonly Fault[] {
  // An item such as `- returns {status: ok}` is prose as often.
  const colon = isFlow || isItem ? undefined : findMissingColon(text, start, "{");
  const fault = findFirstUnicodeIndent(text, start) ?? (isFlow ? findForeignComment(text, start) : colon);
  return fault === undefined ? [] : [fault];
}

const keyThenBracket = /([\w.$-]+?)(:|[ \t]*(?:(-{1,3}>|={1,3}>?|:=|\u2192)[ \t]*)?)([{[])[^{}[\]:\r\n]*:(?=[ \t])/y;

/** `on_event { Go: e }`: a bracket that is opened in the key and closed at the end of its value. */
export function findMissingColon(text: string, start: number, brackets = "{["): Fault | undefined {
  keyThenBracket.lastIndex = start;
  const match = keyThenBracket.exec(text);
  if (match === null) return undefined;
  const [, name = "", between = "", arrow, bracket = ""] = match;
  if (!brackets.includes(bracket)) return undefined;
  const rest = text.slice(keyThenBracket.lastIndex, endOfLine(text, start));
  const value = rest.replace(/[ \t]#.*/, "").trimEnd();
  if (!value.endsWith(bracket === "{" ? "}" : "]")) return undefined;
  const head = `${name}${between}${bracket}`;
  const advice =
    between === ":"
      ? "put a space after the colon"
      : arrow === undefined
        ? `add the missing colon after ${quoteSource(name)}`
        : `write ": " instead of "${arrow}"`;
  const message = `${quoteSource(head)} is not a key with a value; ${advice}, or put text that contains brackets in quotes.`;
  return faultAt(start, start + head.length, message);
}

const foreignCommentStart = /\/[/*]+(?=[ \t"])/y;

/** Between brackets, the comment of another language goes on until a comma or a colon. */
function findForeignComment(text: string, start: number): Fault | undefined {
  if (endOfMatch(foreignCommentStart, text, start) === undefined) return undefined;
  const line = text.slice(start, endOfLine(text, start)).trimEnd();
  const message = `${quoteSource(line)} is not a key with a value; start a comment with "#".`;
  return faultAt(start, start + line.length, message);
}
