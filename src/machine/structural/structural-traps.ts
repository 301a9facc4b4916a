import { components } from "../../graph/components.js";
import { reachable } from "../../graph/reachability.js";
import { lazy } from "../../maps/once.js";
import { explore } from "../exact/explore.js";
import type { Trap } from "../facts.js";
import type { Machine } from "../machine.js";
import { findSinkLoops } from "../exact/pits.js";
import { findRegions } from "../exact/regions.js";
import { type Structure, targetsOf } from "./structure.js";

export interface StructuralTraps {
  /** Runs certainly get into each. */
  readonly regions: readonly Pick<Trap, "states" | "sinkLoops">[];
  /** Whether a run that is there, if there is one, is caught. */
  readonly contains: (state: number) => boolean;
}

/** What no run leaves, nor ends in, by event or forced exit; `mayEnd` marks the states from which some run may end. */
export function findStructuralTraps(structure: Structure, mayEnd: readonly number[]): StructuralTraps {
  const { all, certain, possible } = structure;
  const caught = all.filter((state) => certain[state] === 1 && mayEnd[state] === 0);
  if (caught.length === 0) return { regions: [], contains: () => false };
  const inside = reachable(possible, caught);
  const explored = explore(restrictMachine(structure, caught, inside));
  const everywhere = (): boolean => true;
  const contains = (state: number): boolean => inside[state] === 1;
  // Where runs are too many to explore, those states are told that some run certainly gets into.
  if (explored === undefined) {
    const isCaught = new Set(caught);
    const certainly = { graph: possible, stateOf: (state: number) => state };
    const found = findRegions(certainly, (state) => isCaught.has(state), everywhere);
    return { regions: found.map(({ states }) => ({ states, sinkLoops: () => [] })), contains };
  }
  const parts = lazy(() => components(explored.graph));
  const found = findRegions(explored, everywhere, everywhere).map(({ states, configurations }) => ({
    states,
    sinkLoops: () => findSinkLoops(explored, parts(), configurations),
  }));
  return { regions: found, contains };
}

/**
 * Nothing outside matters to a run that cannot leave, and where it comes in no guard inside has counted a visit yet:
 * how runs go on there can be explored alone.
 */
function restrictMachine(
  { machine, all, certain }: Structure,
  caught: readonly number[],
  inside: readonly number[],
): Machine {
  const outside = all.filter((state) => certain[state] === 1 && inside[state] === 0);
  const entries = new Set([...machine.roots, ...outside.flatMap((state) => targetsOf(machine, state))]);
  return {
    ...machine,
    roots: caught.filter((state) => entries.has(state)),
    states: machine.states.map((state) =>
      inside[state.index] === 1 ? state : { ...state, maxVisits: undefined },
    ),
  };
}
