import type { GraphRule } from "./rule.js";

export const forcedExitChain: GraphRule = {
  id: "forced-exit-chain",
  subject: "graph",
  summary: "`on_max_visits` names a state that has no `max_visits` itself.",
  severity: "info",
  source: "RFC 0009, rule 2",
  *check({ states, stateNamed }, { forcedExitEnds, machine }) {
    for (const { index, name, onMaxVisits } of states) {
      if (onMaxVisits === undefined) continue;
      const target = stateNamed(onMaxVisits.text);
      const end = forcedExitEnds[index];
      if (target?.maxVisits === undefined || machine.states[target.index]?.ends === true) continue;
      if (end?.kind !== "enters" && end?.kind !== "stops") continue;
      const last = end.kind === "enters" ? machine.states[end.state] : undefined;
      const then = last === undefined ? "stops" : `${last.ends ? "ends" : "continues"} in "${last.name}"`;
      yield {
        at: onMaxVisits,
        wants: "a state without max_visits",
        message: `Once spent, "${name.text}" redirects to "${target.name.text}", which has its own max_visits; once every state on the way is spent, the run ${then}.`,
        advice: "To avoid a chain, name a state without max_visits.",
      };
    }
  },
};
