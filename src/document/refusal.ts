import type { Fault, FaultKind } from "./document.js";

/** Syntax errors reported of one file. */
export const maxFaults = 20;

/** Ends the reading of a file. `isSyntax` says that the text itself is broken, so that more faults may follow. */
export class Refusal extends Error {
  constructor(
    readonly start: number,
    readonly end: number,
    message: string,
    readonly isSyntax: boolean,
    readonly kind?: FaultKind,
  ) {
    super(message);
  }

  get fault(): Fault {
    return faultAt(this.start, this.end, this.message, this.kind);
  }
}

export function faultAt(start: number, end: number, message: string, kind?: FaultKind): Fault {
  return { pointer: "", start, end, message, kind };
}

export function tooDeep(at: number, maxDepth: number): Refusal {
  const message = `The values are nested more than ${maxDepth} levels deep.`;
  return new Refusal(at, at + 1, message, false, "maxDepth");
}

export function tooMany(at: number, maxValues: number): Refusal {
  const message = `The file holds more than ${maxValues} values.`;
  return new Refusal(at, at + 1, message, false, "maxValues");
}
