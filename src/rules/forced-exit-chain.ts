import type { GraphRule } from "./rule.js";

export const forcedExitChain: GraphRule = {
  id: "forced-exit-chain",
  subject: "graph",
  summary: "A spent state hands over to a state that is not guarded itself.",
  severity: "info",
  source: "RFC 0009, rule 2",
  *check({ states, stateNamed }, { forcedExitEnds, machine }) {
    for (const { index, name, onMaxVisits } of states) {
      if (onMaxVisits === undefined) continue;
      const target = stateNamed(onMaxVisits.text);
      const end = forcedExitEnds[index];
      if (target?.maxVisits === undefined || (end?.kind !== "enters" && end?.kind !== "stops")) continue;
      const last = end.kind === "enters" ? machine.states[end.state] : undefined;
      const then = last === undefined ? "stops" : `${last.ends ? "ends" : "continues"} in "${last.name}"`;
      const endsThere = end.kind === "enters" && end.state === target.index;
      const further = endsThere
        ? " but ends the run on its first visit"
        : `; once all states on the way are spent, the run ${then}`;
      yield {
        at: onMaxVisits,
        wants: "a state without max_visits",
        message: `Once spent, "${name.text}" hands over to "${target.name.text}", which has a max_visits of its own${further}.`,
        advice: endsThere ? undefined : "To avoid a chain, hand over to a state without max_visits.",
      };
    }
  },
};
