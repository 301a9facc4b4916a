import { type Components, components } from "../../graph/components.js";
import { type Digraph, digraph } from "../../graph/digraph.js";
import { forcedExitChains } from "../forced-exits.js";
import { isFree, type Structure, targetsOf } from "./structure.js";

/** How runs go on once every guard they meet is spent: between unguarded states, by events and forced exits. */
export interface SettledRuns {
  readonly graph: Digraph;
  readonly parts: Components;
  /** The unguarded state where an attempt arrives; none where it may not, or where no run meets the guard spent. */
  readonly arrives: (target: number) => readonly number[];
  readonly next: (state: number) => readonly number[];
}

export function settledRuns({ machine, all, metAgain, entered }: Structure): SettledRuns {
  const chains = forcedExitChains(machine);
  const arrives = (target: number): readonly number[] => {
    if (isFree(machine, target)) return [target];
    const end = metAgain[target] === 1 ? chains[target] : undefined;
    return end?.kind === "enters" ? [end.state] : [];
  };
  const next = (state: number): readonly number[] =>
    isFree(machine, state) && entered[state] === 1 ? targetsOf(machine, state).flatMap(arrives) : [];
  const graph = digraph(all.map(next));
  return { graph, parts: components(graph), arrives, next };
}
