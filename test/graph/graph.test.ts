import { alg, Graph } from "@dagrejs/graphlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, components, cyclicGroups, type Digraph, digraph, isOnCycle } from "../../src/graph/digraph.js";
import {
  breadthFirstSearch,
  canReach,
  pathTo,
  reachable,
  reachableFromSuccessors,
  shortestCycle,
} from "../../src/graph/paths.js";
import { isFull, runs } from "../runs.js";

const rows = fc.integer({ min: 1, max: 8 }).chain((size) =>
  fc.array(fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 4 }), {
    minLength: size,
    maxLength: size,
  }),
);

/** The same graph in the library of the field, which is right on small graphs. */
function peer(successors: readonly (readonly number[])[]): Graph {
  const graph = new Graph();
  successors.forEach((_, node) => graph.setNode(String(node)));
  successors.forEach((row, node) => row.forEach((target) => graph.setEdge(String(node), String(target))));
  return graph;
}

const marked = (marks: readonly number[]): number[] => [...marks.keys()].filter((node) => marks[node] === 1);
const sourceOf = (graph: Digraph, edge: number): number => {
  let node = 0;
  while (at(graph.offsets, node + 1) <= edge) node++;
  return node;
};

describe("components", () => {
  it("are those of graphlib, in reverse topological order", () => {
    fc.assert(
      fc.property(rows, (successors) => {
        const graph = digraph(successors);
        const found = components(graph);
        const groups = new Map<number, string[]>();
        found.of.forEach((part, node) => groups.set(part, [...(groups.get(part) ?? []), String(node)]));
        const ours = [...groups.values()].map((group) => group.sort().join()).sort();
        expect(ours).toEqual(
          (alg.tarjan(peer(successors)) as string[][]).map((group) => group.sort().join()).sort(),
        );
        successors.forEach((row, node) => {
          for (const target of row) expect(at(found.of, target)).toBeLessThanOrEqual(at(found.of, node));
        });
        const cycles = (alg.findCycles(peer(successors)) as string[][])
          .map((cycle) => cycle.map(Number).sort((x, y) => x - y))
          .sort(([x = 0], [y = 0]) => x - y);
        expect(cyclicGroups(found)).toEqual(cycles);
        successors.forEach((_, node) => expect(isOnCycle(found, node)).toBe(cycles.flat().includes(node)));
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("walks", () => {
  it("find the distances of graphlib, by paths that exist", () => {
    fc.assert(
      fc.property(rows, (successors) => {
        const graph = digraph(successors);
        const found = breadthFirstSearch(graph, [0]);
        const distances = alg.dijkstra(peer(successors), "0");
        successors.forEach((_, node) => {
          const expected = distances[String(node)]?.distance ?? Infinity;
          expect(found.distance[node]).toBe(expected === Infinity ? -1 : expected);
          if (expected === Infinity) return;
          let current = 0;
          for (const edge of pathTo(found, node).edges) {
            expect(sourceOf(graph, edge)).toBe(current);
            current = at(graph.targets, edge);
          }
          expect(current).toBe(node);
        });
        expect([...reachable(graph, [0])].sort((a, b) => a - b)).toEqual(
          [...successors.keys()].filter((node) => found.distance[node] !== -1),
        );
        expect(marked(canReach(graph, components(graph), (node) => node === 0))).toEqual(
          [...successors.keys()].filter((node) => reachable(graph, [node]).includes(0)),
        );
        expect(reachableFromSuccessors(graph, [0])).toEqual(reachable(graph, successors[0] ?? []));
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("shortestCycle", () => {
  it("is the shortest way back, or nothing", () => {
    fc.assert(
      fc.property(rows, (successors) => {
        const graph = digraph(successors);
        const found = shortestCycle(graph, 0, () => true).edges;
        const back = digraph(
          successors.map((_, node) => successors.flatMap((row, from) => (row.includes(node) ? from : []))),
        );
        const toStart = breadthFirstSearch(back, [0]).distance;
        const lengths = (successors[0] ?? [])
          .map((next) => at(toStart, next))
          .filter((distance) => distance >= 0);
        expect(found?.length).toBe(lengths.length === 0 ? undefined : Math.min(...lengths) + 1);
        if (found === undefined) return;
        expect(at(graph.targets, found.at(-1) ?? -1)).toBe(0);
        expect(shortestCycle(graph, 0, () => true, found.length).edges).toBeUndefined();
        expect(shortestCycle(graph, 0, () => true, found.length + 1).edges).toEqual(found);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("large graphs", () => {
  const size = isFull ? 200_000 : 30_000;
  const chain = digraph(Array.from({ length: size }, (_, node) => (node + 1 < size ? [node + 1] : [])));
  const ring = digraph(Array.from({ length: size }, (_, node) => [(node + 1) % size]));

  it("do not overflow the stack", () => {
    expect(components(chain).count).toBe(size);
    expect(components(ring).count).toBe(1);
    expect(breadthFirstSearch(chain, [0]).distance[size - 1]).toBe(size - 1);
    expect(shortestCycle(ring, 0, () => true).edges?.length).toBe(size);
  });
});
