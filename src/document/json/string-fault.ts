import type { Problem } from "./json-words.js";

/** The first thing wrong in the string whose opening quote stands at `quote`. */
export function faultInString(text: string, quote: number): Problem | undefined {
  let at = quote + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 34) return undefined;
    if (code === 10 || code === 13) return { problem: "string-end", start: quote, end: at };
    if (code < 32) return { problem: "control", start: at, end: at + 1 };
    if (code !== 92) at++;
    else if (text.charAt(at + 1) === "u") {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)))
        return { problem: "unicode", start: at, end: at + 2 };
      at += 6;
    } else {
      const isLast = at + 1 >= text.length || text.charAt(at + 1) === "\n" || text.charAt(at + 1) === "\r";
      if (isLast) return { problem: "string-end", start: quote, end: at + 1 };
      if (!'"\\/bfnrt'.includes(text.charAt(at + 1))) return { problem: "escape", start: at, end: at + 2 };
      at += 2;
    }
  }
  return { problem: "string-end", start: quote, end: text.length };
}
