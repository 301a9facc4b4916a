import { type Diagnostic, lapOf } from "../diagnostic.js";
import type { EdgeSet } from "./edge-set.js";
import { worstMark, type Mark } from "./picture.js";

/** How names and places of the pack are found on the picture. */
export interface NodeLookup {
  readonly stateId: (name: string) => string | undefined;
  /** The state that a JSON Pointer leads into. */
  readonly stateIdAt: (pointer: string) => string | undefined;
}

/** The colours of nodes and edges, by their id. */
export function markFindings(
  diagnostics: readonly Diagnostic[],
  edges: EdgeSet,
  where: NodeLookup,
): ReadonlyMap<string, Mark> {
  const painter = new FindingMarker(edges, where);
  for (const diagnostic of diagnostics) painter.markFinding(diagnostic);
  painter.markInnerEdges();
  return painter.markById;
}

/** The states a finding names in its data. */
export function statesInData({ data }: Diagnostic): readonly string[] {
  const states = data?.["states"];
  return Array.isArray(states) ? states.filter((name) => typeof name === "string") : [];
}

/** The states that a loop passes on each lap, spent ones too. */
export function lapStates(diagnostic: Diagnostic): readonly string[] {
  return (lapOf(diagnostic.trace) ?? []).flatMap((step) => [step.from, ...(step.forced ?? []), step.to]);
}

class FindingMarker {
  readonly markById = new Map<string, Mark>();
  /** States that are trapped, or stuck, together: the edges between them are painted, too. */
  private readonly trapped = new Map<string, Diagnostic>();
  private readonly stuck = new Map<string, Diagnostic>();

  constructor(
    private readonly edges: EdgeSet,
    private readonly where: NodeLookup,
  ) {}

  markFinding(diagnostic: Diagnostic): void {
    switch (diagnostic.rule) {
      case "unbounded-loop":
        return this.markLoop(diagnostic, "loop");
      case "loop-held-by-budget-only":
        return this.markLoop(diagnostic, "held");
      case "forced-exit-cycle":
        return this.markStates(diagnostic, "loop", this.stuck);
      case "trapped-states":
        return this.markStates(diagnostic, "trapped", this.trapped);
      case "never-completes":
        return this.markStates(diagnostic, "incomplete");
      case "unreachable-state":
        return this.addMark(this.where.stateIdAt(diagnostic.pointer), "unreachable");
    }
  }

  markInnerEdges(): void {
    if (this.trapped.size + this.stuck.size === 0) return;
    const together = (groups: ReadonlyMap<string, Diagnostic>, from: string, to: string): boolean =>
      groups.has(from) && groups.get(from) === groups.get(to);
    for (const { id, kind, from, to } of this.edges.all()) {
      if (kind !== "start" && together(this.trapped, from, to)) this.addMark(id, "trapped");
      if (kind === "forced" && together(this.stuck, from, to)) this.addMark(id, "loop");
    }
  }

  /** A loop is shown along its witness; without one, by its states. */
  private markLoop(diagnostic: Diagnostic, mark: Mark): void {
    const lap = lapOf(diagnostic.trace) ?? [];
    if (lap.length === 0) this.markStates(diagnostic, mark);
    for (const name of lapStates(diagnostic)) this.addMark(this.where.stateId(name), mark);
    for (const step of lap) {
      for (const { id } of this.edges.edgesOfStep(step, this.where.stateId)) this.addMark(id, mark);
    }
  }

  private markStates(diagnostic: Diagnostic, mark: Mark, groups?: Map<string, Diagnostic>): void {
    for (const name of statesInData(diagnostic)) {
      const id = this.where.stateId(name);
      if (id === undefined) continue;
      this.addMark(id, mark);
      groups?.set(id, diagnostic);
    }
  }

  private addMark(id: string | undefined, mark: Mark): void {
    if (id === undefined) return;
    this.markById.set(id, worstMark([mark, this.markById.get(id)]) ?? mark);
  }
}
