import { verdictsOf } from "../machine/verdicts.js";
import { listNames } from "../wording.js";
import { namesOf, witnessed } from "./loop-words.js";
import type { WorkflowRule } from "./rule.js";

export const neverCompletes: WorkflowRule = {
  id: "never-completes",
  subject: "workflow",
  summary: "From every state that runs enter, some run completes.",
  severity: "warning",
  source: "RFC 0009, terminal states; workflow guide, checklist",
  *check(workflow, facts) {
    const found = verdictsOf(workflow, facts).neverCompletes;
    if (found === undefined) return;
    const names = namesOf(workflow, found.states);
    yield* witnessed(workflow, found, {
      message:
        `No run from ${listNames(names)} ever completes: it can only be stopped by a spent max_visits. ` +
        "Lead an event, or an on_max_visits, to a state that ends the run.",
      data: { states: names },
    });
  },
};
