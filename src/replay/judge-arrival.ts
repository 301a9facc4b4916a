import type { Place } from "../diagnostic.js";
import type { Outcome } from "../machine/attempt.js";
import type { Edge, Machine, MachineState } from "../machine/machine.js";
import type { Text } from "../document/spelled-values.js";
import type { Deviation } from "./deviation.js";

/** An event led to a state, as the record says. */
export interface Arrival {
  readonly machine: Machine;
  readonly left: MachineState;
  readonly edge: Edge;
  readonly to: Text;
  readonly entered: MachineState;
  /** The spent states that it says it passed; absent where the record does not tell. */
  readonly forced: readonly Text[] | undefined;
  readonly forcedAt: Place;
}

/** Compares with what the machine does. */
export function judgeArrival(
  arrival: Arrival,
  outcome: Outcome,
  visits: (state: number) => number,
): Deviation | undefined {
  const { machine, entered, left, edge, to } = arrival;
  if (outcome.kind === "entered" && outcome.state === entered.index) {
    return judgeForced(arrival, outcome.forced);
  }
  const place = outcome.forced.indexOf(entered.index);
  if (place >= 0) {
    const by = machine.states[outcome.forced[place - 1] ?? -1];
    return { kind: "spent", to, state: entered, visits: visits(entered.index), by, outcome };
  }
  const target = machine.states[edge.target];
  const isEarly = target?.maxVisits !== undefined && target.forcedExit === entered.index;
  return { kind: "wrong-state", to, from: left, edge, outcome, early: isEarly ? target : undefined };
}

/** As `judgeArrival`, where visits are not known: any guard on the way may be spent, or not. */
export function judgeArrivalLoosely(arrival: Arrival): Deviation | undefined {
  const { machine, entered, left, edge, to } = arrival;
  const passed = new Set<number>();
  for (let state = machine.states[edge.target]; state !== undefined && !passed.has(state.index);) {
    if (state === entered) return judgeForced(arrival, [...passed]);
    if (state.maxVisits === undefined || state.forcedExit === undefined) break;
    passed.add(state.index);
    state = machine.states[state.forcedExit];
  }
  const target = machine.states[edge.target];
  const outcome: Outcome =
    target === undefined
      ? { kind: "dangling", forced: [] }
      : { kind: "entered", state: target.index, forced: [] };
  return { kind: "wrong-state", to, from: left, edge, outcome, early: undefined };
}

function judgeForced(
  { machine, forced, forcedAt }: Arrival,
  passed: readonly number[],
): Deviation | undefined {
  if (forced === undefined) return undefined;
  const said = forced.map(({ text }) => text);
  const is = passed.map((state) => machine.states[state]?.name ?? "");
  const agrees = said.length === is.length && said.every((name, index) => name === is[index]);
  return agrees ? undefined : { kind: "forced", at: forcedAt, said, is };
}
