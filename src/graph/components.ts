import { at, type Digraph, digraph, filled } from "./digraph.js";

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
    if (!isOnCycle(parts, node)) return;
    const group = groups.get(part);
    if (group === undefined) groups.set(part, [node]);
    else group.push(node);
  });
  return [...groups.values()];
}

export function hasCycleAmong(
  nodes: readonly number[],
  successors: (node: number) => readonly number[],
): boolean {
  const position = new Map(nodes.map((node, index) => [node, index]));
  const rows = nodes.map((node) => successors(node).flatMap((next) => position.get(next) ?? []));
  return components(digraph(rows)).hasCycle;
}
