import { isNull } from "../../document/node.js";
import type { AgenticRule } from "../rule.js";

const mostBytes = 4096;
const encoder = new TextEncoder();

export const agenticInlineSize: AgenticRule = {
  id: "agentic-inline-size",
  subject: "agentic",
  summary: "A result carries at most 4 kB inline; anything larger is in an artifact file.",
  severity: "warning",
  source: "RFC-103, workspace contract",
  *check(log) {
    const { text } = log.document;
    for (const event of log.events) {
      const { kind, payload } = event;
      if (kind !== "result" || payload === undefined) continue;
      // A character takes at least one byte and at most three: most results need no counting.
      if ((payload.end - payload.start) * 3 <= mostBytes) continue;
      const parts = event.given
        .filter(({ value }) => !isNull(value))
        .map(({ key, value }) => ({ key, size: sizeOf(text.slice(value.start, value.end)) }))
        .sort((a, b) => b.size - a.size);
      const size = parts.reduce((sum, part) => sum + part.size, 0);
      const [largest] = parts;
      if (largest === undefined || size <= mostBytes) continue;
      yield {
        at: largest.key,
        message: `This result carries ${size} bytes inline; put anything over 4 kB in a file in "artifacts/" and give its path.`,
      };
    }
  },
};

/** The bytes of a value in UTF-8: whether a logger escapes letters such as `é` does not make it larger. */
function sizeOf(written: string): number {
  const plain = written.replace(/\\(?:u([\da-f]{4})|.)/giu, (escape, hex?: string) => {
    const code = hex === undefined ? 0 : Number.parseInt(hex, 16);
    return code < 0x80 ? escape : String.fromCharCode(code);
  });
  return encoder.encode(plain).length;
}
