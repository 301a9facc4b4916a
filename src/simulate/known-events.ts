import type { MachineState } from "../machine/machine.js";

/** The events of a state as it numbers them. A part that could not be read has none. */
export interface KnownEvents {
  readonly numbers: readonly number[];
  readonly byName: ReadonlyMap<string, number>;
}

export function knownEventsOf(state: MachineState): KnownEvents {
  const numbers: number[] = [];
  const byName = new Map<string, number>();
  for (const [number, { event, transition }] of state.edges.entries()) {
    if (event === "" && transition === undefined) continue;
    numbers.push(number);
    if (!byName.has(event)) byName.set(event, number);
  }
  return { numbers, byName };
}
