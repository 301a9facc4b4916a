import type { Fault, FaultKind } from "./document.js";
import type { Span } from "./node.js";

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
