import type { Trace, TraceStep } from "../diagnostic.js";
import { createConfigurationTable } from "./explore.js";
import type { Facts } from "./facts.js";
import { DANGLING } from "./machine.js";
import { attempt, Run } from "./run.js";
import type { Structure } from "./structure.js";

/** Words written into configurations before we give up, as where all are explored, but for a single question. */
const maxWork = 500_000;

/** How a configuration is reached: after so many entries, by an event in another. */
interface SearchStep {
  readonly entries: number;
  readonly from: number;
  readonly event: number;
}

/**
 * The shortest run that completes where there are too many to explore: of the configurations seen, it goes on from the
 * one that may complete soonest. Nothing when there is none, or when that takes too much work.
 */
export function findShortestCompletion(structure: Structure, mostWork = maxWork): Facts["shortestComplete"] {
  const { machine } = structure;
  const { states, roots } = machine;
  const left = minEntriesLeft(structure);
  const table = createConfigurationTable(machine);
  const visits = (state: number): number => table.visits(state);
  const width = 1 + states.filter((state) => state.maxVisits !== undefined).length;
  const steps: SearchStep[] = [];
  // Configurations by the entries of a run that completes by way of them, if there is one: at least so many.
  const open: number[][] = [];
  const isDone: boolean[] = [];
  const note = (id: number, step: SearchStep): void => {
    const all = step.entries + (left[table.stateOf(id)] ?? Infinity);
    if (all === Infinity || step.entries >= (steps[id]?.entries ?? Infinity)) return;
    steps[id] = step;
    (open[all] ??= []).push(id);
  };

  let work = roots.length * width;
  if (work > mostWork) return undefined;
  for (const root of roots) note(table.enter(root), { entries: 1, from: -1, event: -1 });
  for (let all = 0; all < open.length; all++) {
    for (let id = open[all]?.pop(); id !== undefined; id = open[all]?.pop()) {
      const state = states[table.stateOf(id)];
      const step = steps[id];
      if (state === undefined || step === undefined || isDone[id] === true) continue;
      if (state.ends) return { entries: step.entries, witness: runTo(id) };
      isDone[id] = true;
      table.select(id);
      // What is noted last goes on first: the first event.
      for (let event = state.edges.length - 1; event >= 0; event--) {
        const outcome = attempt(machine, state.edges[event]?.target ?? DANGLING, visits);
        if ((work += width + outcome.forced.length) > mostWork) return undefined;
        if (outcome.kind !== "entered") continue;
        note(table.enter(outcome.state), { entries: step.entries + 1, from: id, event });
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
    const run = new Run(machine, table.stateOf(start));
    return { steps: events.reverse().flatMap((event): TraceStep | [] => run.fire(event) ?? []) };
  }
}

/**
 * For each state, how many entries a run that is in it still makes at least until it completes; infinite where none
 * completes. Every guard may be spent here, and a forced exit takes no entry.
 */
function minEntriesLeft({ machine, mayBeSpent }: Structure): readonly number[] {
  const { states } = machine;
  const eventsInto: number[][] = states.map(() => []);
  const exitsInto: number[][] = states.map(() => []);
  for (const { index, edges, maxVisits, forcedExit = DANGLING } of states) {
    for (const { target } of edges) eventsInto[target]?.push(index);
    if (maxVisits !== undefined && mayBeSpent[index] === 1) exitsInto[forcedExit]?.push(index);
  }
  const left = states.map(({ ends }) => (ends ? 0 : Infinity));
  const isKnown: boolean[] = [];
  let next = states.flatMap(({ index, ends }) => (ends ? index : []));
  for (let entries = 1; next.length > 0; entries++) {
    // States of which an attempt takes so many entries until it completes.
    const attempted = next;
    next = [];
    for (const state of attempted) {
      if (isKnown[state] === true) continue;
      isKnown[state] = true;
      for (const guarded of exitsInto[state] ?? []) attempted.push(guarded);
      for (const from of eventsInto[state] ?? []) {
        left[from] = Math.min(left[from] ?? Infinity, entries);
        next.push(from);
      }
    }
  }
  return left;
}
