import type { Components } from "../graph/components.js";
import { at } from "../graph/digraph.js";
import type { Exploration } from "./explore.js";

/** The most configurations that `count` on one run; infinite when a loop that never has to end holds one of them. */
export function worstCaseEntries(
  exploration: Exploration,
  parts: Components,
  counts: (configuration: number) => boolean,
): number {
  const { graph } = exploration;
  const byPart: number[][] = Array.from({ length: parts.count }, () => []);
  for (let node = 0; node < graph.size; node++) byPart[at(parts.of, node)]?.push(node);

  // Components are numbered so that edges lead to lower numbers: what lies ahead is known before it is needed.
  const ahead = new Float64Array(parts.count);
  byPart.forEach((nodes, part) => {
    let longest = 0;
    let own = 0;
    for (const node of nodes) {
      if (counts(node)) own = at(parts.cyclic, part) === 1 ? Infinity : own + 1;
      for (let edge = at(graph.offsets, node); edge < at(graph.offsets, node + 1); edge++) {
        const target = at(parts.of, at(graph.targets, edge));
        if (target !== part) longest = Math.max(longest, at(ahead, target));
      }
    }
    ahead[part] = own + longest;
  });
  return exploration.starts.reduce((most, start) => Math.max(most, at(ahead, at(parts.of, start))), 0);
}
