import { visit, type Document, type YAMLParseError } from "yaml";
import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { endOfLine } from "../scan-text.js";

export function isUnclosedQuote(error: YAMLParseError): boolean {
  return error.code === "MISSING_CHAR" && error.message.includes("closing");
}

/** The parser notices where the text ends; the author looks for the quote that was opened. */
export function openingQuoteOffset(error: YAMLParseError, document: Document): number {
  let [start] = error.pos;
  try {
    visit(document, {
      Scalar: (_, scalar) => {
        const isQuoted = scalar.type === "QUOTE_DOUBLE" || scalar.type === "QUOTE_SINGLE";
        if (!isQuoted || !scalar.range || scalar.range[1] !== error.pos[0]) return undefined;
        [start] = scalar.range;
        return visit.BREAK;
      },
    });
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
  }
  return start;
}

export function unclosedQuoteFault(text: string, start: number): Fault {
  const from = Math.min(start, text.length);
  const advice = hasOutdentedLines(text, from) ? "; indent the lines that continue it" : "";
  return faultAt(from, endOfLine(text, from), `This text in quotes is not closed${advice}.`);
}

const maxQuotedLength = 4000;
const quotedScalar = /^(?:"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')[ \t]*(?=[\r\n]|$)/;
const keyOrMarker = /[\r\n][ \t]*(?:(?:- +)*["']?[\w.$-]+["']?:(?:\s|$)|---|\.\.\.)/;

/** Whether the closing quote ends a later line, and no line up to there looks like an entry. */
function hasOutdentedLines(text: string, start: number): boolean {
  const [whole = ""] = quotedScalar.exec(text.slice(start, start + maxQuotedLength)) ?? [];
  return /[\r\n]/.test(whole) && !keyOrMarker.test(whole);
}
