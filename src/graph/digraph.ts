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
