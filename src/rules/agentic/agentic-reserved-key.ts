import type { Node } from "../../document/node.js";
import { asMapping } from "../../document/spelled-values.js";
import type { AgenticRule } from "../rule.js";

const reserved = ["run_id", "step", "tool", "tool_command"];

function isSame(a: Node, b: Node | undefined): boolean {
  return a.kind === "scalar" && b?.kind === "scalar" && a.value === b.value;
}

export const agenticReservedKey: AgenticRule = {
  id: "agentic-reserved-key",
  subject: "agentic",
  summary: "A tool payload does not override the fields that tie a request to its run.",
  severity: "error",
  source: "RFC-103, testing notes",
  *check(log) {
    for (const event of log.events) {
      if (event.kind !== "request") continue;
      const toolPayload = asMapping(event.field("tool_payload"));
      for (const name of reserved) {
        const entry = toolPayload?.entry(name);
        if (entry === undefined || isSame(entry.value, event.field(name))) continue;
        yield {
          at: entry.key,
          message: `The tool payload has its own "${name}", a key reserved for the run: when the payload is flattened, this value is lost or taken for the run's; rename it.`,
        };
      }
    }
  },
};
