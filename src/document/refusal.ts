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

/** ZWJ and ZWNJ stay, as in every report: emoji and several scripts need them. */
const unprintable = () => /(?![\u{200c}\u{200d}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const longestShown = 40;

/** Text of the file as a message may show it: short, on one line, and harmless to a terminal. */
export function shown(text: string): string {
  const short = [...text.slice(0, 2 * longestShown)].slice(0, longestShown).join("");
  const cut = short.length < text.length ? short + "…" : short;
  const safe = cut.replace(unprintable(), escaped);
  return /^"(?:\\"|[^"])+"$/.test(safe) ? safe : `"${safe.replaceAll('"', '\\"')}"`;
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return character.length > 1 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
