import { appendTo } from "../text/collections.js";

/**
 * A directed graph in compressed rows: the edges of node `n` are `targets[offsets[n] … offsets[n + 1]]`, and an edge is
 * identified by its index in `targets`. Graph libraries recurse, and overflow the stack on chains of 10,000 nodes.
 */
export interface Digraph {
  readonly size: number;
  readonly offsets: readonly number[];
  readonly targets: readonly number[];
}

export function digraph(successors: readonly (readonly number[])[]): Digraph {
  const offsets = [0];
  const targets: number[] = [];
  for (const row of successors) {
    for (const target of row) targets.push(target);
    offsets.push(targets.length);
  }
  return { size: successors.length, offsets, targets };
}

/** The same nodes, with only the edges between those that `belong`. */
export function subgraph({ size, offsets, targets }: Digraph, belongs: (node: number) => boolean): Digraph {
  const kept: number[] = [];
  const ends = [0];
  for (let node = 0; node < size; node++) {
    const end = belongs(node) ? at(offsets, node + 1) : 0;
    for (let edge = at(offsets, node); edge < end; edge++)
      if (belongs(at(targets, edge))) kept.push(at(targets, edge));
    ends.push(kept.length);
  }
  return { size, offsets: ends, targets: kept };
}

/** For cold paths: hot loops read `targets` without a copy. */
export function successors({ offsets, targets }: Digraph, node: number): readonly number[] {
  return targets.slice(at(offsets, node), at(offsets, node + 1));
}

/** A plain array: a typed array takes longer to allocate than a small graph takes to traverse. */
export function filled(size: number, value: number): number[] {
  return new Array<number>(size).fill(value);
}

/** Reads an element that must exist. */
export function at(numbers: readonly number[], index: number): number {
  const value = numbers[index];
  if (value === undefined) throw new RangeError(`no element ${index}`);
  return value;
}

/** Strongly connected components, numbered in reverse topological order: edges lead to lower numbers. */
export interface Components {
  readonly count: number;
  readonly of: readonly number[];
  /** 1 for a component with a cycle: several nodes, or one with an edge to itself. */
  readonly cyclic: readonly number[];
  readonly hasCycle: boolean;
  /** All nodes, component by component, successors first. */
  readonly order: readonly number[];
}

/** Tarjan's algorithm with an explicit stack, since recursion could overflow the call stack. */
export function components(graph: Digraph): Components {
  const component = filled(graph.size, -1);
  const index = filled(graph.size, -1);
  const low = filled(graph.size, 0);
  const nextEdge = filled(graph.size, 0);
  const open: number[] = [];
  const path: number[] = [];
  const order: number[] = [];
  let found = 0;
  let count = 0;

  const enter = (node: number): void => {
    index[node] = low[node] = found++;
    nextEdge[node] = at(graph.offsets, node);
    open.push(node);
    path.push(node);
  };
  const close = (root: number): void => {
    for (let node = open.pop(); node !== undefined; node = node === root ? undefined : open.pop()) {
      component[node] = count;
      order.push(node);
    }
    count++;
  };
  const lower = (node: number, value: number): void => {
    if (value < at(low, node)) low[node] = value;
  };

  for (let start = 0; start < graph.size; start++) {
    if (at(index, start) !== -1) continue;
    enter(start);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const edge = at(nextEdge, node);
      if (edge < at(graph.offsets, node + 1)) {
        nextEdge[node] = edge + 1;
        const target = at(graph.targets, edge);
        if (at(index, target) === -1) enter(target);
        else if (at(component, target) === -1) lower(node, at(index, target));
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent, at(low, node));
      if (at(low, node) === at(index, node)) close(node);
    }
  }
  const cyclic = filled(count, 0);
  for (let node = 0; node < graph.size; node++) {
    for (let edge = at(graph.offsets, node); edge < at(graph.offsets, node + 1); edge++) {
      if (at(component, at(graph.targets, edge)) === at(component, node)) cyclic[at(component, node)] = 1;
    }
  }
  return { count, of: component, cyclic, hasCycle: cyclic.includes(1), order };
}

export function isOnCycle({ of, cyclic }: Components, node: number): boolean {
  return at(cyclic, at(of, node)) === 1;
}

/** The nodes of each component with a cycle, in order of their first nodes. */
export function cyclicGroups(parts: Components): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>();
  parts.of.forEach((part, node) => {
    if (isOnCycle(parts, node)) appendTo(groups, part, node);
  });
  return [...groups.values()];
}

export function hasCycleAmong(nodes: readonly number[], successors: (node: number) => readonly number[]) {
  const position = new Map(nodes.map((node, index) => [node, index]));
  const rows = nodes.map((node) => successors(node).flatMap((next) => position.get(next) ?? []));
  return components(digraph(rows)).hasCycle;
}
