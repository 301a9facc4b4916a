/**
 * A directed graph in rows: the edges leaving node `n` are `targets[offsets[n] … offsets[n + 1]]`, and an edge is
 * known by its position in `targets`. Written here because the graph libraries of the field keep a map per node
 * and recurse: a chain of 10,000 nodes overflows their stack, and we are given 100,000.
 */
export interface Digraph {
  readonly size: number;
  readonly offsets: readonly number[];
  readonly targets: readonly number[];
}

/** Builds a graph from the successors of each node, in order. */
export function digraph(successors: readonly (readonly number[])[]): Digraph {
  const offsets = [0];
  const targets: number[] = [];
  for (const row of successors) {
    for (const target of row) targets.push(target);
    offsets.push(targets.length);
  }
  return { size: successors.length, offsets, targets };
}

/** Builds a graph from pairs of nodes; edges of one node keep their order. */
export function digraphFromEdges(size: number, from: readonly number[], to: readonly number[]): Digraph {
  const offsets = filled(size + 1, 0);
  for (let edge = 0; edge < from.length; edge++) add(offsets, at(from, edge) + 1, 1);
  for (let node = 0; node < size; node++) add(offsets, node + 1, at(offsets, node));
  const next = offsets.slice(0, size);
  const targets = filled(from.length, 0);
  for (let edge = 0; edge < from.length; edge++) {
    const source = at(from, edge);
    targets[at(next, source)] = at(to, edge);
    add(next, source, 1);
  }
  return { size, offsets, targets };
}

/** Plain arrays throughout: typed ones take longer to make than a small graph takes to walk, and mixing them is slow. */
export function filled(size: number, value: number): number[] {
  return new Array<number>(size).fill(value);
}

/** Reads a number that is known to be there. */
export function at(numbers: readonly number[], index: number): number {
  const value = numbers[index];
  if (value === undefined) throw new RangeError(`no element ${index}`);
  return value;
}

function add(numbers: number[], index: number, amount: number): void {
  numbers[index] = at(numbers, index) + amount;
}
