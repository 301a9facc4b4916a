import { components, cyclicGroups } from "../graph/components.js";
import { digraph } from "../graph/digraph.js";
import type { Facts } from "./facts.js";
import { nextStates } from "./structural/structure.js";

/** The parts of a workflow in which runs can go round, guarded or not: the states of each in file order. */
export function cyclicStateGroups({ machine, entered, attemptedWhileSpent }: Facts): readonly (readonly number[])[] {
  const next = machine.states.map(({ index }) =>
    entered.has(index) ? nextStates(machine, index, attemptedWhileSpent?.has(index) !== false) : [],
  );
  return cyclicGroups(components(digraph(next)));
}
