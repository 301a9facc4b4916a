import { guardsSpentEarlier } from "../machine/spent-guards.js";
import { verdictsOf } from "../machine/verdicts.js";
import type { State } from "../pack/workflow.js";
import type { GraphRule } from "./rule.js";
import { stateNamesOf } from "./shared/describe-loop.js";

export const deadGuard: GraphRule = {
  id: "dead-guard",
  subject: "graph",
  summary: "Every `max_visits` can be reached by some run.",
  severity: "info",
  source: "RFC 0009, loop guards",
  *check(workflow, facts) {
    const { entered, machine, attemptedWhileSpent } = facts;
    if (attemptedWhileSpent === undefined || !verdictsOf(workflow, facts).fullyResolved) return;
    const { states } = workflow;
    // Through an alias or a merge key, several states can share one guard.
    const acting = new Set([...attemptedWhileSpent].map((index) => states[index]?.maxVisits?.start));
    const dead = states.filter(
      ({ index, maxVisits }) => maxVisits !== undefined && entered.has(index) && !acting.has(maxVisits.start),
    );
    if (dead.length === 0) return;
    const sooner = guardsSpentEarlier(facts);
    for (const state of dead) {
      const { index, maxVisits } = state;
      if (maxVisits === undefined) continue;
      const ends = machine.states[index]?.ends === true;
      const { why, advice } = ends
        ? endingStateReason(state)
        : ordinaryStateReason(state, facts.worstCaseOf(index), stateNamesOf(workflow, sooner(index)));
      yield { at: maxVisits, message: `This guard never acts: ${why}.`, advice };
    }
  },
};

interface Reason {
  readonly why: string;
  readonly advice?: string;
}

function endingStateReason(state: State): Reason {
  const { name, terminal } = state;
  if (terminal?.value === true)
    return {
      why: entryLimitText(name.text, 1),
      advice: `Remove ${guardFields(state)}: a terminal state ends the run.`,
    };
  return {
    why: `"${name.text}" has no events, so the run ends when it is first entered`,
    advice: `Add its events, or write terminal: true in place of ${guardFields(state)}.`,
  };
}

function ordinaryStateReason(state: State, worstCase: number | undefined, sooner: readonly string[]): Reason {
  const most = worstCase ?? state.maxVisits?.value ?? 0;
  const why = entryLimitText(state.name.text, most);
  const [first, ...others] = sooner;
  if (first !== undefined)
    return {
      why,
      advice:
        others.length === 0
          ? `The guard of "${first}" always acts first.`
          : "The guards of other states always act first.",
    };
  return most === 1
    ? { why, advice: `Add an event that leads back to it, or remove ${guardFields(state)}.` }
    : { why };
}

/** Without `max_visits`, `on_max_visits` has no effect either. */
function guardFields({ onMaxVisits }: State): string {
  return onMaxVisits === undefined ? "the guard" : "max_visits and on_max_visits";
}

function entryLimitText(name: string, most: number): string {
  return `no run tries to enter "${name}" more than ${most === 1 ? "once" : `${most} times`}`;
}
