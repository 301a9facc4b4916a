import type { Components } from "../graph/components.js";
import { at, filled } from "../graph/digraph.js";
import type { Exploration } from "./explore.js";

/** Edges looked at for single states before we stop asking: each one may cost a walk over every configuration. */
const maxLooked = 60_000_000;

/** The most entries that one run makes: of all states, or of one. */
export class WorstCases {
  private readonly ahead: number[];
  private readonly configurationsOf: readonly (readonly number[])[];
  private looked = 0;

  constructor(
    private readonly exploration: Exploration,
    private readonly parts: Components,
    states: number,
  ) {
    this.ahead = filled(parts.count, 0);
    const byState: number[][] = Array.from({ length: states }, () => []);
    for (let node = 0; node < exploration.graph.size; node++) byState[exploration.stateOf(node)]?.push(node);
    this.configurationsOf = byState;
  }

  /** Infinite when there is a loop that never has to end. */
  ofAll(): number {
    return this.most(() => true);
  }

  /** The same for the entries of one state; nothing once too much was asked. */
  of(state: number): number | undefined {
    const configurations = this.configurationsOf[state] ?? [];
    if (configurations.some((node) => this.isInLoop(node))) return Infinity;
    // Outside loops a run that comes back is in another configuration.
    if (configurations.length < 2) return configurations.length;
    if (this.looked > maxLooked) return undefined;
    this.looked += this.parts.order.length + this.exploration.graph.targets.length;
    const counted = filled(this.parts.order.length, 0);
    for (const node of configurations) counted[node] = 1;
    return this.most((node) => counted[node] === 1);
  }

  /** The most configurations that `count` on one run. */
  private most(counts: (configuration: number) => boolean): number {
    const { parts, ahead } = this;
    const { graph, starts } = this.exploration;
    let part = -1;
    let own = 0;
    let longest = 0;
    for (const node of this.parts.order) {
      if (at(parts.of, node) !== part) {
        part = at(parts.of, node);
        own = longest = 0;
      }
      if (counts(node)) own = this.isInLoop(node) ? Infinity : own + 1;
      for (let edge = at(graph.offsets, node); edge < at(graph.offsets, node + 1); edge++) {
        const target = at(parts.of, at(graph.targets, edge));
        if (target !== part) longest = Math.max(longest, ahead[target] ?? 0);
      }
      ahead[part] = own + longest;
    }
    return starts.reduce((most, start) => Math.max(most, ahead[at(parts.of, start)] ?? 0), 0);
  }

  private isInLoop(configuration: number): boolean {
    return at(this.parts.cyclic, at(this.parts.of, configuration)) === 1;
  }
}
