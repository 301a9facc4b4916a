import { isNull } from "../../document/node.js";
import type { AgenticRule } from "../rule.js";

const mostBytes = 4096;

/** What tells whose result it is, and when it came; the rest of a payload is what the tool gave. */
const labels: ReadonlySet<string> = new Set([
  "run_id",
  "step",
  "tool",
  "tool_command",
  "status",
  "attempt",
  "requested_at",
  "completed_at",
]);

export const agenticInlineSize: AgenticRule = {
  id: "agentic-inline-size",
  subject: "agentic",
  summary: "A result carries at most 4 kB inline; anything larger is in an artifact file.",
  severity: "warning",
  source: "RFC-103, workspace contract",
  *check(log) {
    const { text } = log.document;
    const encoder = new TextEncoder();
    for (const { kind, payload } of log.events) {
      if (kind !== "result" || payload === undefined) continue;
      // A character takes at least one byte and at most three: most results need no counting.
      if ((payload.end - payload.start) * 3 <= mostBytes) continue;
      const parts = payload.entries
        .filter(({ key, value }) => !labels.has(key.text) && !isNull(value))
        .map(({ key, value }) => ({ key, size: encoder.encode(text.slice(value.start, value.end)).length }))
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
