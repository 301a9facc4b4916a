import type { TraceStep } from "../diagnostic.js";
import type { PictureEdge } from "./picture.js";

export type UnmarkedEdge = Omit<PictureEdge, "mark">;

interface MutableEdge extends UnmarkedEdge {
  readonly events: string[];
}

/** The edges of a picture: events between the same two states share one. */
export class EdgeSet {
  private readonly edges = new Map<string, MutableEdge>();

  add(kind: PictureEdge["kind"], from: string, to: string, event?: string): void {
    const key = `${kind} ${from} ${to}`;
    const edge = this.edges.get(key) ?? { id: `e${this.edges.size}`, kind, from, to, events: [] };
    this.edges.set(key, edge);
    if (event !== undefined) edge.events.push(event);
  }

  find(kind: PictureEdge["kind"], from: string, to: string): UnmarkedEdge | undefined {
    return this.edges.get(`${kind} ${from} ${to}`);
  }

  all(): readonly UnmarkedEdge[] {
    return [...this.edges.values()];
  }

  /** The edges a step takes: its event's to the state attempted, then forced exits from spent state to spent state. */
  edgesOfStep(step: TraceStep, idOf: (name: string) => string | undefined): readonly UnmarkedEdge[] {
    const way = [step.from, ...(step.forced ?? []), step.to].map(idOf);
    return way.slice(1).flatMap((to, index) => {
      const from = way[index];
      if (from === undefined || to === undefined) return [];
      return this.find(index === 0 ? "event" : "forced", from, to) ?? [];
    });
  }
}
