import type { Facts } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import type { State, Workflow } from "../pack/workflow.js";
import type { WorkflowRule } from "./rule.js";
import { removePartFix } from "./shared/fixes.js";

export const maxVisitsTargetUnused: WorkflowRule = {
  id: "max-visits-target-unused",
  subject: "workflow",
  summary: "A state with `on_max_visits` also has a `max_visits`.",
  severity: "warning",
  fix: "safe",
  source: "RFC 0009, loop guards",
  *check(workflow, facts, { document }) {
    for (const state of workflow.clearStates) {
      const { name, maxVisits, onMaxVisits } = state;
      if (onMaxVisits === undefined || maxVisits !== undefined) continue;
      yield {
        at: onMaxVisits,
        message: `State "${name.text}" has an on_max_visits but no max_visits, so it is never used.`,
        advice: adviceFor(state, workflow, facts),
        ...removePartFix(document, state, { name: "on_max_visits", targets: [onMaxVisits] }, workflow, facts),
      };
    }
  },
};

/** Suggests a guard only where it would act and lead elsewhere. */
function adviceFor({ index, name, onMaxVisits }: State, workflow: Workflow, facts: Facts): string {
  if (facts.machine.states[index]?.ends === true) return `Remove it: "${name.text}" ends the run.`;
  const target = workflow.stateNamed(onMaxVisits?.text ?? "")?.index ?? -1;
  const isKnown = facts.exact && verdictsOf(workflow, facts).fullyResolved;
  // If nothing else leads to the target, the guard was probably forgotten.
  if (isKnown && !facts.reentered.has(index) && facts.entered.has(target))
    return `Remove it: no run enters "${name.text}" twice.`;
  const end = facts.forcedExitEnds[target];
  const leadsBack = target === index || (end?.kind === "enters" && end.state === index);
  return `Add max_visits${leadsBack ? " and name a state that has none" : ""}, or remove it.`;
}
