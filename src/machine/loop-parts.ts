import { components, cyclicGroups } from "../graph/components.js";
import { digraph } from "../graph/digraph.js";
import type { Facts } from "./facts.js";
import { statesNext } from "./structural/structure.js";

/** The parts of a workflow in which runs can go round, guarded or not: the states of each in file order. */
export function loopParts({ machine, entered, metSpent }: Facts): readonly (readonly number[])[] {
  const next = machine.states.map(({ index }) =>
    entered.has(index) ? statesNext(machine, index, metSpent?.has(index) !== false) : [],
  );
  return cyclicGroups(components(digraph(next)));
}
