import { type Components } from "../../graph/components.js";
import { at } from "../../graph/digraph.js";
import { getOrCreate } from "../../maps/get-or-make.js";
import type { Exploration } from "./explore.js";
import { inFileOrder } from "../machine.js";

/** Of more, each needs an event of its own; nobody wants to read which. */
const maxSinkLoops = 16;

/**
 * Where runs that are caught end up, whatever they do: loops of states, none of which holds another, by the first
 * state. Nothing where there are too many to be told.
 */
export function findSinkLoops(
  { graph, stateOf }: Exploration,
  { of }: Components,
  caught: readonly number[],
): readonly (readonly number[])[] {
  const pits = new Map<number, Set<number>>();
  const leadOn = new Set<number>();
  for (const configuration of caught) {
    const part = at(of, configuration);
    getOrCreate(pits, part, () => new Set()).add(stateOf(configuration));
    const next = graph.targets.slice(at(graph.offsets, configuration), at(graph.offsets, configuration + 1));
    if (next.some((target) => at(of, target) !== part)) leadOn.add(part);
  }
  for (const part of leadOn) pits.delete(part);
  const distinct = new Map([...pits.values()].map(inFileOrder).map((states) => [states.join(), states]));
  if (distinct.size > maxSinkLoops) return [];
  const all = [...distinct.values()].sort((a, b) => at(a, 0) - at(b, 0));
  return all.filter(
    (pit) => !all.some((other) => other !== pit && other.every((state) => pit.includes(state))),
  );
}
