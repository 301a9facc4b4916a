import { type Diagnostic, lapOf } from "../diagnostic.js";
import type { EdgeSet } from "./edge-set.js";
import { gravestMark, type Mark } from "./picture.js";

/** How names and places of the pack are found on the picture. */
export interface Whereabouts {
  readonly idOf: (name: string) => string | undefined;
  /** The state that a JSON Pointer leads into. */
  readonly stateAt: (pointer: string) => string | undefined;
}

/** The colours of nodes and edges, by their id. */
export function paintFindings(
  diagnostics: readonly Diagnostic[],
  edges: EdgeSet,
  where: Whereabouts,
): ReadonlyMap<string, Mark> {
  const painter = new Painter(edges, where);
  for (const diagnostic of diagnostics) painter.paint(diagnostic);
  painter.paintInside();
  return painter.painted;
}

/** The states a finding names in its data. */
export function statesIn({ data }: Diagnostic): readonly string[] {
  const states = data?.["states"];
  return Array.isArray(states) ? states.filter((name) => typeof name === "string") : [];
}

/** The states that a loop passes on each lap, spent ones too. */
export function statesOnLap(diagnostic: Diagnostic): readonly string[] {
  return (lapOf(diagnostic.trace) ?? []).flatMap((step) => [step.from, ...(step.forced ?? []), step.to]);
}

class Painter {
  readonly painted = new Map<string, Mark>();
  /** States that are trapped, or stuck, together: the edges between them are painted, too. */
  private readonly trapped = new Map<string, Diagnostic>();
  private readonly stuck = new Map<string, Diagnostic>();

  constructor(
    private readonly edges: EdgeSet,
    private readonly where: Whereabouts,
  ) {}

  paint(diagnostic: Diagnostic): void {
    switch (diagnostic.rule) {
      case "unbounded-loop":
        return this.loop(diagnostic, "loop");
      case "loop-held-by-budget-only":
        return this.loop(diagnostic, "held");
      case "forced-exit-cycle":
        return this.region(diagnostic, "loop", this.stuck);
      case "trapped-states":
        return this.region(diagnostic, "trapped", this.trapped);
      case "never-completes":
        return this.region(diagnostic, "incomplete");
      case "unreachable-state":
        return this.brush(this.where.stateAt(diagnostic.pointer), "unreachable");
    }
  }

  paintInside(): void {
    if (this.trapped.size + this.stuck.size === 0) return;
    const together = (groups: ReadonlyMap<string, Diagnostic>, from: string, to: string): boolean =>
      groups.has(from) && groups.get(from) === groups.get(to);
    for (const { id, kind, from, to } of this.edges.all()) {
      if (kind !== "start" && together(this.trapped, from, to)) this.brush(id, "trapped");
      if (kind === "forced" && together(this.stuck, from, to)) this.brush(id, "loop");
    }
  }

  /** A loop is shown along its witness; without one, by its states. */
  private loop(diagnostic: Diagnostic, mark: Mark): void {
    const lap = lapOf(diagnostic.trace) ?? [];
    if (lap.length === 0) this.region(diagnostic, mark);
    for (const name of statesOnLap(diagnostic)) this.brush(this.where.idOf(name), mark);
    for (const step of lap) {
      for (const { id } of this.edges.takenBy(step, this.where.idOf)) this.brush(id, mark);
    }
  }

  private region(diagnostic: Diagnostic, mark: Mark, groups?: Map<string, Diagnostic>): void {
    for (const name of statesIn(diagnostic)) {
      const id = this.where.idOf(name);
      if (id === undefined) continue;
      this.brush(id, mark);
      groups?.set(id, diagnostic);
    }
  }

  private brush(id: string | undefined, mark: Mark): void {
    if (id === undefined) return;
    this.painted.set(id, gravestMark([mark, this.painted.get(id)]) ?? mark);
  }
}
