import type { LocatedProblem } from "./json-words.js";

/** The first thing wrong in the string whose opening quote stands at `quote`. */
export function findStringProblem(text: string, quote: number): LocatedProblem | undefined {
  let at = quote + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 34) return undefined;
    if (code === 10 || code === 13) return { problem: "string-end", start: quote, end: at };
    if (code < 32) return { problem: "control", start: at, end: at + 1 };
    if (code !== 92) at++;
    else if (text.charAt(at + 1) === "u") {
      const digits = /^[0-9a-fA-F]*/.exec(text.slice(at + 2, at + 6))?.[0].length ?? 0;
      if (at + 2 + digits >= text.length) break;
      if (digits < 4) return { problem: "unicode", start: at, end: at + 2 };
      at += 6;
    } else {
      if (/^[\r\n]/.test(text.charAt(at + 1))) return { problem: "string-end", start: quote, end: at + 1 };
      if (!'"\\/bfnrt'.includes(text.charAt(at + 1))) return { problem: "escape", start: at, end: at + 2 };
      at += 2;
    }
  }
  return { problem: "string-cut", start: quote, end: text.length };
}
