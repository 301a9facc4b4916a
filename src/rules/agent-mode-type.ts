import { isMimeRange } from "../pack/artifacts.js";
import type { PackRule } from "./rule.js";

export const agentModeType: PackRule = {
  id: "agent-mode-type",
  subject: "pack",
  summary: "The input and output modes of an agent are MIME types.",
  severity: "warning",
  source: "RFC 0007, AgentDef",
  *check({ agents }) {
    for (const { name, inputModes, outputModes } of agents.clearMembers) {
      const modes = [
        ...inputModes.map((mode) => ({ mode, kind: "input" })),
        ...outputModes.map((mode) => ({ mode, kind: "output" })),
      ];
      for (const { mode, kind } of modes) {
        if (isMimeRange(mode.text)) continue;
        yield {
          at: mode,
          wants: "a MIME type",
          message: `The ${kind} mode "${mode.text}" of agent "${name.text}" is not a MIME type such as "text/plain" or "application/json".`,
        };
      }
    }
  },
};
