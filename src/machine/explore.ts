import { at, filled } from "../graph/digraph.js";
import { attempt } from "./attempt.js";
import { ConfigurationTable } from "./configuration-table.js";
import { DANGLING, type Machine } from "./machine.js";
import type { RunGraph } from "./witness.js";

/** Ways a run can end in a configuration, or on the next event from it. */
export const COMPLETE = 1;
export const STOPPED = 2;
export const STUCK = 4;
export const LOST = 8;

/** The configurations that runs can be in, breadth first from the roots, and the events between them. */
export interface Exploration extends RunGraph {
  /** For each configuration, the ways a run can end there. */
  readonly endings: readonly number[];
  /** For each state, whether some run attempts it while it is spent. */
  readonly metSpent: readonly number[];
}

/** Words written into configurations before we give up: neither time nor memory depends on luck. */
const maxWork = 3_000_000;

/** Explores every run; nothing when that would take more than a fixed amount of work. */
export function explore(machine: Machine): Exploration | undefined {
  const { states } = machine;
  const guarded = states.filter((state) => state.maxVisits !== undefined);
  const width = 1 + guarded.length;
  const counterOf = filled(states.length, -1);
  guarded.forEach((state, i) => (counterOf[state.index] = i + 1));

  const table = new ConfigurationTable(width);
  const current = filled(width, 0);
  const visits = (state: number): number => current[at(counterOf, state)] ?? 0;
  /** The configuration after `current`, which is left as it was. */
  const enter = (state: number): number => {
    const before = at(current, 0);
    const counter = at(counterOf, state);
    current[0] = state;
    if (counter !== -1) current[counter] = at(current, counter) + 1;
    const id = table.intern(current);
    current[0] = before;
    if (counter !== -1) current[counter] = at(current, counter) - 1;
    return id;
  };

  const starts = machine.roots.map(enter);
  const offsets = [0];
  const targets: number[] = [];
  const eventOf: number[] = [];
  const endings: number[] = [];
  const metSpent = filled(states.length, 0);
  let work = 0;

  for (let id = 0; id < table.size; id++) {
    table.read(id, current);
    const state = states[at(current, 0)];
    if (state === undefined) break;
    let ending = state.ends ? COMPLETE : 0;
    for (let event = 0; event < state.edges.length; event++) {
      const outcome = attempt(machine, state.edges[event]?.target ?? DANGLING, visits);
      for (const spent of outcome.forced) metSpent[spent] = 1;
      work += width + outcome.forced.length;
      switch (outcome.kind) {
        case "entered":
          targets.push(enter(outcome.state));
          eventOf.push(event);
          break;
        case "stopped":
          ending |= STOPPED;
          break;
        case "stuck":
          ending |= STUCK;
          break;
        case "dangling":
          ending |= LOST;
          break;
      }
    }
    if ((work += width) > maxWork) return undefined;
    endings.push(ending);
    offsets.push(targets.length);
  }
  const graph = { size: table.size, offsets, targets };
  return { graph, starts, stateOf: (id) => table.stateOf(id), eventOf, endings, metSpent };
}
