import { layout } from "@dagrejs/dagre";
import { Graph } from "@dagrejs/graphlib";

/** A graph with parallel edges, told apart by a name. */
export interface LayeredGraph<Label> {
  setGraph(settings: Readonly<Record<string, string | number | Ranker>>): void;
  setNode(name: string, label: Label): void;
  node(name: string): Label;
  setEdge(from: string, to: string, label: Label, name: string): void;
  edge(from: string, to: string, name: string): Label;
}

/** Gives every node its rank, in a graph without cycles. */
export type Ranker = (graph: RankedGraph) => void;

interface RankedGraph {
  nodes(): string[];
  node(name: string): { rank?: number };
  inEdges(name: string): readonly RankedEdge[];
  outEdges(name: string): readonly RankedEdge[];
  /** Of what is there only to hold the graph together, the weight is 0. */
  edge(edge: RankedEdge): { readonly minlen: number; readonly weight: number };
}

interface RankedEdge {
  readonly v: string;
  readonly w: string;
}

type GraphConstructor = new <Label>(options: { directed: true; multigraph: true }) => LayeredGraph<Label>;

// The declarations these packages ship cannot be resolved by Node's rules: here is what we ask of them.
const DagreGraph = Graph as unknown as GraphConstructor;
const dagreLayout = layout as unknown as <Label>(graph: LayeredGraph<Label>) => void;

export function createLayeredGraph<Label>(): LayeredGraph<Label> {
  return new DagreGraph<Label>({ directed: true, multigraph: true });
}

/** Writes the places into the labels. */
export function runDagre<Label>(graph: LayeredGraph<Label>): void {
  dagreLayout(graph);
}
