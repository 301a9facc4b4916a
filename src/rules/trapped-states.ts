import { verdictsOf } from "../machine/verdicts.js";
import { listNames } from "../wording.js";
import { namesOf, witnessed } from "./loop-words.js";
import type { WorkflowRule } from "./rule.js";

export const trappedStates: WorkflowRule = {
  id: "trapped-states",
  subject: "workflow",
  summary: "From every state that runs enter, some run ends.",
  severity: "warning",
  source: "workflow guide, circular loops without exit",
  *check(workflow, facts) {
    for (const region of verdictsOf(workflow, facts).trapped) {
      const names = namesOf(workflow, region.states);
      const why = names.length === 1 ? "no event leads out" : "they lead only to each other";
      yield* witnessed(workflow, region, {
        message: `A run that gets into ${listNames(names)} can never end: ${why}. Lead an event to a state that ends the run.`,
        data: { states: names },
      });
    }
  },
};
