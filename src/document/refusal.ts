import type { Fault, FaultKind } from "./document.js";
import type { Span } from "./node.js";

/** Syntax errors reported of one file. */
export const maxFaults = 20;

/** Ends the reading of a file. */
export class Refusal extends Error {
  private constructor(
    readonly fault: Fault,
    /** Whether the text itself is broken, so that more faults may follow. */
    readonly isSyntax: boolean,
  ) {
    super(fault.message);
  }

  static ofBrokenText({ start, end }: Span, message: string): Refusal {
    return Refusal.ofSyntaxFault(faultAt(start, end, message));
  }

  static ofSyntaxFault(fault: Fault): Refusal {
    return new Refusal(fault, true);
  }

  static ofSoundText({ start, end }: Span, message: string, kind?: FaultKind): Refusal {
    return Refusal.ofSoundFault(faultAt(start, end, message, kind));
  }

  static ofSoundFault(fault: Fault): Refusal {
    return new Refusal(fault, false);
  }
}

export function faultAt(start: number, end: number, message: string, kind?: FaultKind): Fault {
  return { pointer: "", start, end, message, kind };
}

export function tooDeep(at: number, maxDepth: number): Refusal {
  const message = `The values are nested more than ${maxDepth} levels deep.`;
  return Refusal.ofSoundText({ start: at, end: at + 1 }, message, "maxDepth");
}

export function tooMany(at: number, maxValues: number): Refusal {
  const message = `The file holds more than ${maxValues} values.`;
  return Refusal.ofSoundText({ start: at, end: at + 1 }, message, "maxValues");
}
