import type { Ranker } from "./layered-graph.js";

/**
 * Puts each node right below the lowest that leads to it, and what nothing leads to right above what it leads to. Edges
 * may be longer than they have to be, but the time grows only with their number.
 */
export const fastRanker: Ranker = (graph) => {
  const order = graph.nodes().filter((name) => graph.inEdges(name).length === 0);
  const waiting = new Map(graph.nodes().map((name) => [name, graph.inEdges(name).length]));
  for (const name of order) {
    const rank = (graph.node(name).rank ??= 0);
    for (const edge of graph.outEdges(name)) {
      const next = graph.node(edge.w);
      next.rank = Math.max(next.rank ?? 0, rank + graph.edge(edge).minlen);
      const left = (waiting.get(edge.w) ?? 0) - 1;
      waiting.set(edge.w, left);
      if (left === 0) order.push(edge.w);
    }
  }
  for (const name of order) {
    const below = graph
      .outEdges(name)
      .map((edge) => (graph.node(edge.w).rank ?? 0) - graph.edge(edge).minlen);
    const isLedTo = graph.inEdges(name).some((edge) => graph.edge(edge).weight > 0);
    if (!isLedTo && below.length > 0) graph.node(name).rank = Math.min(...below);
  }
};
