import { hasCycleAmong } from "../../graph/cycle-among.js";
import type { Closure, Loop, Trap } from "../facts.js";
import { GuidedRuns, longestGuided } from "./guided-runs.js";
import { inFileOrder, type Machine } from "../machine.js";
import type { SettledRuns } from "./settled-runs.js";
import { exitOf, isFree, type Structure, targetsOf } from "./structure.js";

/** A loop that becomes a trap on the way. */
export interface ShutLoop extends Trap {
  /** Whether some lap may go round while a run can still leave. */
  readonly hasOpenLaps: boolean;
}

/** Of more guards, it is not worked out whether each lap passes them all. */
const mostOnEachLap = 16;

/**
 * The loops out of which no event leads once every guard that it meets is spent: whatever traps runs ends in one, as no
 * run enters a guarded state for ever. Told are those that a guided run gets into. `mayEnd` marks the states from which
 * some run may end.
 */
export function shutLoops(
  { machine }: Structure,
  settled: SettledRuns,
  mayEnd: readonly number[],
  loops: readonly Loop[],
): ReadonlyMap<Loop, ShutLoop> {
  const guided = new GuidedRuns(machine);
  const shut = new Map<Loop, ShutLoop>();
  for (const loop of loops) {
    const { states } = loop;
    const doors = leadsOnlyBack(machine, settled, states) ? doorsOf(machine, states) : undefined;
    const witness = doors && guided.into(new Set(states), doors);
    if (doors === undefined || witness === undefined) continue;
    const guards = inFileOrder(doors).filter((door) => mayEnd[door] === 1);
    const hasOpenLaps =
      guards.length > mostOnEachLap || guards.some(isAvoided(machine, [...states, ...doors]));
    const closedBy = (): readonly Closure[] => [{ states, guards }];
    shut.set(loop, { states, witness, closedBy, pits: () => [states], hasOpenLaps });
  }
  return shut;
}

/** Whether no event leads out of a loop while every guard is spent. */
function leadsOnlyBack(
  { states }: Machine,
  { parts, arrives }: SettledRuns,
  loop: readonly number[],
): boolean {
  const isBack = (from: number, to: number | undefined): boolean =>
    to !== undefined && parts.of[to] === parts.of[from];
  return loop.every((from) => states[from]?.edges.every(({ target }) => isBack(from, arrives(target)[0])));
}

/** The guards that events of a loop meet; nothing where no run that is shown is long enough to spend them. */
function doorsOf(machine: Machine, loop: readonly number[]): ReadonlySet<number> | undefined {
  const doors = new Set<number>();
  let visits = 0;
  for (const target of loop.flatMap((state) => targetsOf(machine, state))) {
    for (let door = target; !isFree(machine, door) && !doors.has(door); door = exitOf(machine, door)) {
      doors.add(door);
      visits += machine.states[door]?.maxVisits ?? 0;
      if (visits > longestGuided) return undefined;
    }
  }
  return doors;
}

/** Whether laps over these states and spent guards can do without one of the guards. */
function isAvoided(machine: Machine, passed: readonly number[]): (guard: number) => boolean {
  const next = (state: number): readonly number[] =>
    isFree(machine, state) ? targetsOf(machine, state) : [exitOf(machine, state)];
  return (guard) =>
    hasCycleAmong(
      passed.filter((state) => state !== guard),
      next,
    );
}
