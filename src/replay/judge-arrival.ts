import type { Place } from "../diagnostic.js";
import { enteredOutcome, type Outcome } from "../machine/attempt.js";
import type { Edge, Machine, MachineState } from "../machine/machine.js";
import type { LocatedString } from "../document/spelled-values.js";
import type { Deviation } from "./deviation.js";

/** An event led to a state, as the record says. */
export interface Arrival {
  readonly machine: Machine;
  readonly left: MachineState;
  readonly edge: Edge;
  readonly to: LocatedString;
  readonly entered: MachineState;
  /** The spent states that it says it passed; absent where the record does not tell. */
  readonly forced: readonly LocatedString[] | undefined;
  readonly forcedAt: Place;
}

/** Compares with what the machine does; the state that is entered has had so many visits before. */
export function checkArrival(arrival: Arrival, outcome: Outcome, visits: number): Deviation | undefined {
  const { machine, entered, left, edge, to } = arrival;
  if (outcome.kind === "entered" && outcome.state === entered.index) {
    return checkForcedStates(arrival, outcome);
  }
  const passed = outcome.forced;
  const place = passed.indexOf(entered.index);
  if (place >= 0) {
    const by = machine.states[passed[place - 1] ?? -1];
    return { kind: "spent", to, state: entered, visits, by, outcome };
  }
  const target = machine.states[edge.target];
  const isEarly = target?.maxVisits !== undefined && target.forcedExit === entered.index;
  return { kind: "wrong-state", to, from: left, edge, outcome, unspent: isEarly ? target : undefined };
}

/** As `judgeArrival`, where visits are not known: any guard on the way may be spent, or not. */
export function checkArrivalWithoutCounts(arrival: Arrival): Deviation | undefined {
  const { machine, entered, left, edge, to } = arrival;
  const passed = new Set<number>();
  for (let state = machine.states[edge.target]; state !== undefined && !passed.has(state.index);) {
    if (state === entered) {
      return checkForcedStates(arrival, enteredOutcome(machine.states, edge.target, entered.index));
    }
    if (state.maxVisits === undefined || state.forcedExit === undefined) break;
    passed.add(state.index);
    state = machine.states[state.forcedExit];
  }
  const target = machine.states[edge.target];
  const outcome: Outcome =
    target === undefined
      ? { kind: "dangling", forced: [] }
      : { kind: "entered", state: target.index, forced: [] };
  return { kind: "wrong-state", to, from: left, edge, outcome, unspent: undefined };
}

function checkForcedStates({ machine, forced, forcedAt }: Arrival, outcome: Outcome): Deviation | undefined {
  if (forced === undefined) return undefined;
  const said = forced.map(({ text }) => text);
  return matchesForcedStates(machine, outcome.forced, said)
    ? undefined
    : { kind: "forced", at: forcedAt, said, outcome };
}

/** Whether these are the spent states that an attempt passed. */
export function matchesForcedStates({ states }: Machine, passed: readonly number[], names: readonly string[]): boolean {
  return (
    passed.length === names.length && passed.every((state, index) => states[state]?.name === names[index])
  );
}
