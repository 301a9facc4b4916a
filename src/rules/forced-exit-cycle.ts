import { listNames } from "../words/wording.js";
import type { WorkflowRule } from "./rule.js";
import { lostStateRules } from "./shared/held-back.js";
import { namesOf, shownBy } from "./shared/loop-words.js";

export const forcedExitCycle: WorkflowRule = {
  id: "forced-exit-cycle",
  subject: "workflow",
  summary: "Following `on_max_visits` from state to state never goes round in a circle.",
  severity: "error",
  source: "RFC 0009, rule 2",
  heldBackBy: lostStateRules,
  *check(workflow, { forcedExitCycles }) {
    for (const { states: ring, witness } of forcedExitCycles) {
      const [first, ...others] = ring.flatMap((index) => workflow.states?.[index] ?? []);
      if (first?.onMaxVisits === undefined) continue;
      const names = namesOf(workflow, ring);
      yield {
        at: first.onMaxVisits,
        ...(others.length === 0
          ? {
              message: `State "${first.name.text}" names itself in on_max_visits: once spent, it hands over to itself forever.`,
              advice: "Name another state.",
            }
          : {
              message: `The states ${listNames(names)} hand over to each other when spent: once all of them are spent, the run is stuck.`,
              advice: "Make one of them hand over to a state outside the ring.",
            }),
        related: others.flatMap(({ name, onMaxVisits }) =>
          onMaxVisits === undefined ? [] : [{ at: onMaxVisits, message: `"${name.text}" hands over here` }],
        ),
        ...shownBy(witness),
        data: { states: names },
      };
    }
  },
};
