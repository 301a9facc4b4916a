import { listNames } from "../text/wording.js";
import type { WorkflowRule } from "./rule.js";
import { removePartFix } from "./shared/fixes.js";

export const terminalWithTransitions: WorkflowRule = {
  id: "terminal-with-transitions",
  subject: "workflow",
  summary: "A terminal state has no events.",
  severity: "warning",
  fix: "safe",
  source: "RFC 0009, rule 1",
  *check(workflow, facts, { document }) {
    const isOnlyEnd = facts.machine.states.filter(({ ends }) => ends).length === 1;
    for (const state of workflow.clearStates) {
      const { name, terminal, onEvent, transitions } = state;
      if (terminal?.value !== true || onEvent === undefined || transitions.length === 0) continue;
      const events = transitions.map(({ event }) => event.text);
      const targets = transitions.map(({ target }) => target);
      yield {
        at: onEvent,
        message: `State "${name.text}" is terminal, so its ${events.length === 1 ? "event" : "events"} ${listNames(events)} can never fire.`,
        advice: isOnlyEnd ? "Remove on_event." : "Remove on_event, or terminal.",
        related: [{ at: terminal, message: "marked terminal here" }],
        ...removePartFix(document, state, { name: "on_event", targets }, workflow, facts),
      };
    }
  },
};
