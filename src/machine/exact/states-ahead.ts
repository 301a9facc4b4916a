import type { Components } from "../../graph/components.js";
import { at, filled } from "../../graph/digraph.js";
import { reachableFromSuccessors } from "../../graph/reachability.js";
import type { Exploration } from "./explore.js";
import { findReenteredStates } from "./reentry.js";

/** So many states fit into the bits of a number. */
const maxBitsetStates = 31;

/** Which states a run can still enter from where it is. */
export class ReachableStates {
  /** By component, where there are few states: one look at each edge answers every question. */
  private readonly bits: readonly number[] | undefined;

  constructor(
    private readonly states: number,
    private readonly exploration: Exploration,
    private readonly parts: Components,
  ) {
    if (states <= maxBitsetStates) this.bits = reachableStateBits(exploration, parts);
  }

  /** The states that one run can enter twice. */
  reentered(): ReadonlySet<number> {
    const { bits, exploration, parts } = this;
    if (bits === undefined) return findReenteredStates(this.states, exploration, parts);
    let again = 0;
    for (let c = 0; c < exploration.graph.size; c++) {
      again |= (bits[parts.of[c] ?? 0] ?? 0) & (1 << exploration.stateOf(c));
    }
    return this.statesIn(again);
  }

  /** The states that can be entered after one of these. */
  after(states: ReadonlySet<number>): ReadonlySet<number> {
    const { bits, parts } = this;
    const { graph, stateOf } = this.exploration;
    const from: number[] = [];
    for (let c = 0; c < graph.size; c++) if (states.has(stateOf(c))) from.push(c);
    if (bits !== undefined) return this.statesIn(from.reduce((all, c) => all | at(bits, at(parts.of, c)), 0));
    const found = new Set<number>();
    reachableFromSuccessors(graph, from).forEach((mark, c) => {
      if (mark === 1) found.add(stateOf(c));
    });
    return found;
  }

  private statesIn(bits: number): ReadonlySet<number> {
    const found = new Set<number>();
    for (let state = 0; state < this.states; state++) if ((bits & (1 << state)) !== 0) found.add(state);
    return found;
  }
}

function reachableStateBits({ graph, stateOf }: Exploration, { of, order, count }: Components): readonly number[] {
  const { offsets, targets } = graph;
  const ahead = filled(count, 0);
  for (const node of order) {
    const part = of[node] ?? 0;
    let bits = ahead[part] ?? 0;
    const end = offsets[node + 1] ?? 0;
    for (let edge = offsets[node] ?? 0; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      bits |= (ahead[of[target] ?? 0] ?? 0) | (1 << stateOf(target));
    }
    ahead[part] = bits;
  }
  return ahead;
}
