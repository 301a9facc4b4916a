import { strayPropertyWords } from "../meant/state-words.js";
import { exchangedEvents } from "../pack/exchanged-events.js";
import type { WorkflowRule } from "./rule.js";
import { stateCorrector } from "./shared/correct-name.js";

export const unknownEventTarget: WorkflowRule = {
  id: "unknown-event-target",
  subject: "workflow",
  summary: "Every event leads to a state of the workflow.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0005, rule 2",
  *check(workflow, _facts, pack) {
    const { states, isUnknown } = workflow;
    const correct = stateCorrector(pack, workflow);
    const exchanged = exchangedEvents(workflow);
    for (const state of states) {
      for (const { event, target } of state.notEvents) {
        if (target !== undefined) yield { at: target, ...strayPropertyWords(event.text) };
      }
      for (const transition of state.transitions) {
        const { event, target } = transition;
        if (target === undefined || !isUnknown(target.text)) continue;
        yield {
          at: target,
          wants: "a state",
          message: `State "${state.name.text}" sends ${event.text} to "${target.text}", which is not a state.`,
          ...(exchanged.has(transition)
            ? {
                advice: `"${event.text}" is one, and "${target.text}" is called like an event: exchange them.`,
              }
            : correct(target)),
        };
      }
    }
  },
};
