import { filled } from "../../graph/digraph.js";
import type { Exploration } from "./explore.js";

/** Configurations and edges looked at before we stop asking: a long run round a loop looks at them again and again. */
const maxBoundedRunWork = 20_000_000;

/** What runs of at most so many entries add up to, whatever they would do after them. */
export class BoundedRuns {
  private work = 0;

  constructor(private readonly exploration: Exploration) {}

  /** The most that the weights of the configurations on one run add up to; once too much was asked, a bound of it. */
  heaviestRun(weights: readonly number[], entries: number): number {
    const bound = weights.reduce((most, weight) => Math.max(most, weight), 0) * entries;
    if (this.work > maxBoundedRunWork) return bound;
    const { offsets, targets } = this.exploration.graph;
    // The most that a run with so many entries brings to each configuration it can be in; -1 where it cannot be.
    let brought = filled(weights.length, -1);
    let beyond = filled(weights.length, -1);
    this.work += weights.length;
    let nodes = [...new Set(this.exploration.starts)];
    for (const start of nodes) brought[start] = weights[start] ?? 0;
    let most = 0;
    for (let left = entries; nodes.length > 0; left--) {
      for (const node of nodes) most = Math.max(most, brought[node] ?? 0);
      if (left <= 1) break;
      const next: number[] = [];
      for (const node of nodes) {
        const end = offsets[node + 1] ?? 0;
        for (let edge = offsets[node] ?? 0; edge < end; edge++) {
          const target = targets[edge] ?? 0;
          const known = beyond[target] ?? -1;
          if (known === -1) next.push(target);
          beyond[target] = Math.max(known, (brought[node] ?? 0) + (weights[target] ?? 0));
        }
        this.work += 1 + end - (offsets[node] ?? 0);
        brought[node] = -1;
      }
      if (this.work > maxBoundedRunWork) return bound;
      nodes = next;
      [brought, beyond] = [beyond, brought];
    }
    return most;
  }
}
