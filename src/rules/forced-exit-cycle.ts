import type { Finding } from "../diagnostic.js";
import type { ForcedExitCycle } from "../machine/facts.js";
import type { Workflow } from "../pack/workflow.js";
import { listNames } from "../text/wording.js";
import type { GraphRule } from "./rule.js";
import { stateNamesOf } from "./shared/describe-loop.js";

export const forcedExitCycle: GraphRule = {
  id: "forced-exit-cycle",
  subject: "graph",
  summary: "Following `on_max_visits` from state to state never leads in a circle.",
  severity: "error",
  source: "RFC 0009, rule 2",
  *check(workflow, { forcedExitCycles }) {
    for (const cycle of forcedExitCycles) {
      const { states: ring, witness } = cycle;
      const [first, ...others] = ring.flatMap((index) => workflow.states[index] ?? []);
      if (first?.onMaxVisits === undefined) continue;
      const names = stateNamesOf(workflow, ring);
      yield {
        at: first.onMaxVisits,
        ...(others.length === 0
          ? {
              message: `State "${first.name.text}" names itself in on_max_visits: once spent, it redirects to itself forever.`,
              advice: "Name a state without max_visits.",
            }
          : {
              message: `The states ${listNames(names)} redirect to each other when spent: once all of them are spent, the run is stuck.`,
              advice: "Let one of them redirect to a state without max_visits.",
            }),
        related: [
          ...others.flatMap(({ name, onMaxVisits }) =>
            onMaxVisits === undefined ? [] : [{ at: onMaxVisits, message: `"${name.text}" redirects here` }],
          ),
          ...stuckEventRelated(workflow, cycle),
        ],
        trace: witness,
        data: { states: names },
      };
    }
  },
};

/** The event that gets the run stuck; it leads nowhere, so the trace has no step for it. */
function stuckEventRelated(
  { states }: Workflow,
  { witness, stuckBy }: ForcedExitCycle,
): NonNullable<Finding["related"]> {
  const event = stuckBy?.edge?.transition?.event;
  const name = states[stuckBy?.state ?? -1]?.name.text;
  if (event === undefined || name === undefined || witness === undefined) return [];
  const when = witness.steps.length === 0 ? `right after a start in "${name}"` : "after the run shown";
  return [{ at: event, message: `${when}, ${event.text} finds no state to enter` }];
}
