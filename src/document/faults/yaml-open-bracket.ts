import type { Fault } from "../document.js";
import { withoutText } from "../yaml/yaml-out-of-place.js";
import { lineAt, lineBefore, type Line } from "../yaml/yaml-sections.js";

/** With the place of the bracket that is open at a fault, for which `closing` is missing. */
export function withOpening(text: string, fault: Fault, closing: string | undefined): Fault {
  const start = closing === undefined ? undefined : openBefore(text, fault.start);
  if (start === undefined || text.charAt(start) !== (closing === "]" ? "[" : "{")) return fault;
  const at = { pointer: "", start, end: start + 1 };
  return { ...fault, related: [{ at, message: "opened here" }] };
}

function openBefore(text: string, at: number): number | undefined {
  let closed = 0;
  for (let line: Line | undefined = lineAt(text, at); line !== undefined; line = lineBefore(text, line)) {
    const code = withoutText(text, line);
    for (let index = Math.min(code.length, at - line.start) - 1; index >= 0; index--) {
      const mark = code.charAt(index);
      if (mark === "]" || mark === "}") closed++;
      else if ((mark === "[" || mark === "{") && --closed < 0) return line.start + index;
    }
  }
  return undefined;
}
