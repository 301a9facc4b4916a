import { type Components, components } from "../../graph/components.js";
import { type Digraph, digraph } from "../../graph/digraph.js";
import { forcedExitChains } from "../forced-exits.js";
import { isUnguarded, type Structure, targetsOf } from "./structure.js";

/** How runs go on once every guard they meet is spent: between unguarded states, by events and forced exits. */
export interface ExhaustedRuns {
  readonly graph: Digraph;
  readonly parts: Components;
  /** The unguarded state where an attempt arrives; none where it may not, or where no run meets the guard spent. */
  readonly arrivalsOf: (target: number) => readonly number[];
  readonly successorsOf: (state: number) => readonly number[];
}

export function exhaustedRuns({ machine, all, mayBeSpent, entered }: Structure): ExhaustedRuns {
  const chains = forcedExitChains(machine);
  const arrivalsOf = (target: number): readonly number[] => {
    if (isUnguarded(machine, target)) return [target];
    const end = mayBeSpent[target] === 1 ? chains[target] : undefined;
    return end?.kind === "enters" ? [end.state] : [];
  };
  const successorsOf = (state: number): readonly number[] =>
    isUnguarded(machine, state) && entered[state] === 1 ? targetsOf(machine, state).flatMap(arrivalsOf) : [];
  const graph = digraph(all.map(successorsOf));
  return { graph, parts: components(graph), arrivalsOf, successorsOf };
}
