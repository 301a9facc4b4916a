import { hasCycleAmong } from "../../graph/cycle-among.js";
import type { TrapClosure, Loop, Trap } from "../facts.js";
import { GuidedRuns, maxGuidedSteps } from "./guided-runs.js";
import { inFileOrder, type Machine } from "../machine.js";
import type { ExhaustedRuns } from "./settled-runs.js";
import { forcedExitOf, isUnguarded, type Structure, targetsOf } from "./structure.js";

/** A loop that becomes a trap on the way. */
export interface ClosingLoop extends Trap {
  /** Whether some lap may go round while a run can still leave. */
  readonly hasEscapableLaps: boolean;
}

/** Of more guards, it is not worked out whether each lap passes them all. */
const maxGuardsChecked = 16;

/**
 * The loops out of which no event leads once every guard that it meets is spent: whatever traps runs ends in one, as no
 * run enters a guarded state for ever. Told are those that a guided run gets into. `mayEnd` marks the states from which
 * some run may end.
 */
export function findClosingLoops(
  { machine }: Structure,
  settled: ExhaustedRuns,
  mayEnd: readonly number[],
  loops: readonly Loop[],
): ReadonlyMap<Loop, ClosingLoop> {
  const guided = new GuidedRuns(machine);
  const shut = new Map<Loop, ClosingLoop>();
  for (const loop of loops) {
    const { states } = loop;
    const doors = neverLeavesWhenExhausted(machine, settled, states) ? guardsAttemptedFrom(machine, states) : undefined;
    const witness = doors && guided.runInto(new Set(states), doors);
    if (doors === undefined || witness === undefined) continue;
    const guards = inFileOrder(doors).filter((door) => mayEnd[door] === 1);
    const hasEscapableLaps =
      guards.length > maxGuardsChecked || guards.some(canAvoidGuard(machine, [...states, ...doors]));
    const closedBy = (): readonly TrapClosure[] => [{ states, guards }];
    shut.set(loop, { states, witness, closedBy, sinkLoops: () => [states], hasEscapableLaps });
  }
  return shut;
}

/** Whether no event leads out of a loop while every guard is spent. */
function neverLeavesWhenExhausted(
  { states }: Machine,
  { parts, arrivalsOf }: ExhaustedRuns,
  loop: readonly number[],
): boolean {
  const isBack = (from: number, to: number | undefined): boolean =>
    to !== undefined && parts.of[to] === parts.of[from];
  return loop.every((from) => states[from]?.edges.every(({ target }) => isBack(from, arrivalsOf(target)[0])));
}

/** The guards that events of a loop meet; nothing where no run that is shown is long enough to spend them. */
function guardsAttemptedFrom(machine: Machine, loop: readonly number[]): ReadonlySet<number> | undefined {
  const doors = new Set<number>();
  let visits = 0;
  for (const target of loop.flatMap((state) => targetsOf(machine, state))) {
    for (let door = target; !isUnguarded(machine, door) && !doors.has(door); door = forcedExitOf(machine, door)) {
      doors.add(door);
      visits += machine.states[door]?.maxVisits ?? 0;
      if (visits > maxGuidedSteps) return undefined;
    }
  }
  return doors;
}

/** Whether laps over these states and spent guards can do without one of the guards. */
function canAvoidGuard(machine: Machine, passed: readonly number[]): (guard: number) => boolean {
  const next = (state: number): readonly number[] =>
    isUnguarded(machine, state) ? targetsOf(machine, state) : [forcedExitOf(machine, state)];
  return (guard) =>
    hasCycleAmong(
      passed.filter((state) => state !== guard),
      next,
    );
}
