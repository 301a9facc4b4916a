import { Key } from "../../document/node.js";
import type { AgenticRule } from "../rule.js";

const mostBytes = 4096;

export const agenticInlineSize: AgenticRule = {
  id: "agentic-inline-size",
  subject: "agentic",
  summary: "A result carries at most 4 kB itself; what is larger is an artifact file.",
  severity: "warning",
  source: "RFC-103, workspace contract",
  *check(log) {
    const { text } = log.document;
    for (const event of log.events) {
      const result = event.kind === "result" ? event.field("result") : undefined;
      // A character takes at least one byte and at most three: most results need no counting.
      if (result === undefined || (result.end - result.start) * 3 <= mostBytes) continue;
      const size = new TextEncoder().encode(text.slice(result.start, result.end)).length;
      if (size <= mostBytes) continue;
      const { key } = result;
      yield {
        at: key instanceof Key ? key : event.at,
        message: `This result carries ${size} bytes; write what is over 4 kB to a file in "artifacts/" and give its path.`,
      };
    }
  },
};
