import { getOrCreate } from "../maps/get-or-make.js";
import type { MachineState } from "./machine.js";

/** The events of a state as it numbers them. A part that could not be read has none. */
export interface KnownEvents {
  readonly numbers: readonly number[];
  readonly byName: ReadonlyMap<string, number>;
}

/** A run may come to a state a million times; states never change. */
const eventsByState = new WeakMap<MachineState, KnownEvents>();

export function knownEventsOf(state: MachineState): KnownEvents {
  return getOrCreate(eventsByState, state, () => indexEvents(state));
}

function indexEvents({ edges }: MachineState): KnownEvents {
  const numbers: number[] = [];
  const byName = new Map<string, number>();
  for (const [number, { event, transition }] of edges.entries()) {
    if (event === "" && transition === undefined) continue;
    numbers.push(number);
    if (!byName.has(event)) byName.set(event, number);
  }
  return { numbers, byName };
}
