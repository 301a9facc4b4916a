import { escapeCharacter } from "../text/escape.js";
import type { Fault, FaultKind } from "./document.js";
import type { Span } from "./node.js";
import { unicodeSpaces } from "./typos.js";

/** Syntax errors reported of one file. */
export const maxFaults = 20;

/** Ends the reading of a file. */
export class ParseError extends Error {
  private constructor(
    readonly fault: Fault,
    /** Whether the text itself is broken, so that more faults may follow. */
    readonly isSyntax: boolean,
  ) {
    super(fault.message);
  }

  static syntaxErrorAt({ start, end }: Span, message: string): ParseError {
    return ParseError.syntaxError(faultAt(start, end, message));
  }

  static syntaxError(fault: Fault): ParseError {
    return new ParseError(fault, true);
  }

  static rejectionAt({ start, end }: Span, message: string, kind?: FaultKind): ParseError {
    return ParseError.rejection(faultAt(start, end, message, kind));
  }

  static rejection(fault: Fault): ParseError {
    return new ParseError(fault, false);
  }
}

export function faultAt(start: number, end: number, message: string, kind?: FaultKind): Fault {
  return { pointer: "", start, end, message, kind };
}

export function nestedTooDeep(at: number, maxDepth: number): ParseError {
  const message = `The values are nested more than ${maxDepth} levels deep.`;
  return ParseError.rejectionAt({ start: at, end: at + 1 }, message, "maxDepth");
}

export function tooManyValues(at: number, maxValues: number): ParseError {
  const message = `The file holds more than ${maxValues} values.`;
  return ParseError.rejectionAt({ start: at, end: at + 1 }, message, "maxValues");
}

/**
 * What would change the line it is shown in, and spaces that look like plain ones. ZWJ and ZWNJ stay, as in every report:
 * emoji and several scripts need them.
 */
const unprintablePattern = () =>
  new RegExp(`(?![\\u{200c}\\u{200d}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}${unicodeSpaces}]`, "gu");
const maxQuotedLength = 40;

/** A part of a file, as it is written there, as a message may show it: short, on one line, and harmless to a terminal. */
export function quoteSource(written: string): string {
  const safe = escapeUnprintable(truncate(written));
  return /^"(?:\\"|[^"])+"$/.test(safe) ? safe : `"${safe.replaceAll('"', '\\"')}"`;
}

/** The same for a text that was read from a file, in which a backslash stands for itself. */
export function quoteValue(text: string): string {
  return escapeUnprintable(JSON.stringify(truncate(text)));
}

/** Most text is plain: told without the pattern above, which takes long to compile. */
function escapeUnprintable(text: string): string {
  return /^[ -~]*$/.test(text) ? text : text.replace(unprintablePattern(), escapeCharacter);
}

function truncate(text: string): string {
  const short = [...text.slice(0, 2 * maxQuotedLength)].slice(0, maxQuotedLength).join("");
  return short.length < text.length ? short + "…" : short;
}
