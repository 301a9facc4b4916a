import type { Trace } from "../diagnostic.js";
import { at, components } from "../graph/digraph.js";
import { shortestPath } from "../graph/paths.js";
import { appendTo, cached } from "../text/collections.js";
import type { Facts } from "./facts.js";
import { Witnesses } from "./witnesses.js";

/** Bounds the search for the shortest loops; after that, the best ones found are used. */
const maxEdgesSearched = 4_000_000;

/** An event of a configuration, as an edge of the exploration. */
interface Transition {
  readonly from: number;
  readonly edge: number;
}

/**
 * By state, the shortest run in which its forced exit enters a state that is spent, too: round a loop, if such a loop can
 * repeat forever. Only runtimes that do not look at the guard have such runs; empty if there are too many to explore.
 */
export const uncheckedExits = cached(({ machine, exploration }: Facts) => {
  const { states } = machine;
  const found = new Map<number, Trace | undefined>();
  if (exploration === undefined || machine.reading.forcedExits === "attempted") return found;
  const { graph, reached, stateOf, eventOf, runs } = exploration;
  const byState = new Map<number, Transition[]>();
  for (const from of reached.order) {
    const edges = states[stateOf(from)]?.edges ?? [];
    const isSpent = runs.spentIn(from);
    for (let edge = at(graph.offsets, from); edge < at(graph.offsets, from + 1); edge++) {
      const target = edges[at(eventOf, edge)]?.target ?? -1;
      const exit = states[target]?.forcedExit ?? -1;
      if (isSpent(target) && isSpent(exit)) appendTo(byState, target, { from, edge });
    }
  }
  if (byState.size === 0) return found;
  const parts = components(graph);
  const witnesses = new Witnesses(machine, exploration);
  let searchLeft = maxEdgesSearched;
  for (const [state, transitions] of byState) {
    const [first] = transitions;
    let best = first && { from: first.from, onward: [first.edge], length: Infinity };
    for (const { from, edge } of transitions) {
      const stem = at(reached.distance, from) + 1;
      if (best === undefined || stem >= best.length || searchLeft < 0) break;
      const to = at(graph.targets, edge);
      if (at(parts.of, to) !== at(parts.of, from)) continue;
      const back = shortestPath(graph, to, (node) => node === from, best.length - stem);
      searchLeft -= back.edgesVisited;
      const way = to === from ? [] : back.edges;
      if (way !== undefined) best = { from, onward: [edge, ...way], length: stem + way.length };
    }
    if (best === undefined) continue;
    const trace = witnesses.runTo(best.from, best.onward);
    const isLoop = best.length < Infinity;
    found.set(state, trace && isLoop ? { ...trace, loopFrom: at(reached.distance, best.from) } : trace);
  }
  return found;
});
