import type { Trace } from "../diagnostic.js";
import { createConfigurationTable } from "./configurations.js";
import type { Facts } from "./facts.js";
import { DANGLING } from "./machine.js";
import { attempt, stepsOf } from "./run.js";
import type { Structure } from "./structure.js";

/** Bounds the number of words written into configurations. */
const maxWork = 500_000;

/** How a configuration was reached. */
interface SearchStep {
  readonly entries: number;
  readonly from: number;
  readonly event: number;
}

/** A best-first search (A*) for when there are too many runs to explore; undefined if it takes too much work. */
export function findShortestCompletion(structure: Structure, workLimit = maxWork): Facts["shortestComplete"] {
  const { machine } = structure;
  const { states, roots } = machine;
  const remaining = minEntriesLeft(structure);
  const table = createConfigurationTable(machine);
  const visits = (state: number): number => table.visits(state);
  const width = 1 + states.filter((state) => state.maxVisits !== undefined).length;
  const steps: SearchStep[] = [];
  // Configurations by the minimum number of entries of a complete run through them.
  const open: number[][] = [];
  const isDone: boolean[] = [];
  const record = (id: number, step: SearchStep): void => {
    const total = step.entries + (remaining[table.stateOf(id)] ?? Infinity);
    if (total === Infinity || step.entries >= (steps[id]?.entries ?? Infinity)) return;
    steps[id] = step;
    (open[total] ??= []).push(id);
  };

  let work = roots.length * width;
  if (work > workLimit) return undefined;
  for (const root of roots) record(table.enter(root), { entries: 1, from: -1, event: -1 });
  for (let total = 0; total < open.length; total++) {
    for (let id = open[total]?.pop(); id !== undefined; id = open[total]?.pop()) {
      const state = states[table.stateOf(id)];
      const step = steps[id];
      if (state === undefined || step === undefined || isDone[id] === true) continue;
      if (state.ends) return { entries: step.entries, witness: runTo(id) };
      isDone[id] = true;
      table.select(id);
      // Backwards, because the last one recorded is continued first.
      for (let event = state.edges.length - 1; event >= 0; event--) {
        const outcome = attempt(machine, state.edges[event]?.target ?? DANGLING, visits);
        if ((work += width + outcome.forced.length) > workLimit) return undefined;
        if (outcome.kind !== "entered") continue;
        record(table.enter(outcome.state), { entries: step.entries + 1, from: id, event });
      }
    }
  }
  return undefined;

  function runTo(end: number): Trace {
    const events: number[] = [];
    let start = end;
    for (let step = steps[end]; step !== undefined && step.from !== -1; step = steps[start]) {
      events.push(step.event);
      start = step.from;
    }
    return { steps: stepsOf(machine, table.stateOf(start), events.reverse()) };
  }
}

/** For each state, a lower bound of the entries until completion. Any guard may be spent, and forced exits are free. */
function minEntriesLeft({ machine, mayBeSpent }: Structure): readonly number[] {
  const { states } = machine;
  const eventsInto: number[][] = states.map(() => []);
  const exitsInto: number[][] = states.map(() => []);
  for (const { index, edges, maxVisits, forcedExit = DANGLING } of states) {
    for (const { target } of edges) eventsInto[target]?.push(index);
    if (maxVisits !== undefined && mayBeSpent[index] === 1) exitsInto[forcedExit]?.push(index);
  }
  const remaining = states.map(({ ends }) => (ends ? 0 : Infinity));
  const isKnown: boolean[] = [];
  let next = states.flatMap(({ index, ends }) => (ends ? index : []));
  for (let entries = 1; next.length > 0; entries++) {
    // Appended to while iterating: the states from which an attempt completes after so many entries.
    const attempted = next;
    next = [];
    for (const state of attempted) {
      if (isKnown[state] === true) continue;
      isKnown[state] = true;
      for (const guarded of exitsInto[state] ?? []) attempted.push(guarded);
      for (const from of eventsInto[state] ?? []) {
        remaining[from] = Math.min(remaining[from] ?? Infinity, entries);
        next.push(from);
      }
    }
  }
  return remaining;
}
