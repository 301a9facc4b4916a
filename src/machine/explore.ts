import { filled } from "../graph/digraph.js";
import { attempt, isSpent } from "./attempt.js";
import type { Configurations } from "./configurations.js";
import { DANGLING, type Machine } from "./machine.js";
import { PackedConfigurations } from "./packed-configurations.js";
import { WideConfigurations } from "./wide-configurations.js";
import type { RunGraph } from "./witness.js";

/** Ways a run can end in a configuration, or on the next event from it. */
export const COMPLETE = 1;
export const STOPPED = 2;
export const STUCK = 4;
export const LOST = 8;

const endingOf = { stopped: STOPPED, stuck: STUCK, dangling: LOST } as const;

/** The configurations that runs can be in, breadth first from the roots, and the events between them. */
export interface Exploration extends RunGraph {
  /** For each configuration, the ways a run can end there. */
  readonly endings: readonly number[];
  /** All of them together. */
  readonly everyEnding: number;
  /** For each state, whether some run attempts it while it is spent. */
  readonly metSpent: readonly number[];
  /** For each state, the nearest configuration from which an event gets stuck at it; -1 where there is none. */
  readonly stuckAt: readonly number[];
  /** Whether a state is spent in a configuration. */
  readonly isSpentIn: (state: number, configuration: number) => boolean;
}

/** For each state, the configurations in which a run is in it, the nearest first. */
export function configurationsByState(states: number, { graph, stateOf }: Exploration): number[][] {
  const byState: number[][] = Array.from({ length: states }, () => []);
  for (let c = 0; c < graph.size; c++) byState[stateOf(c)]?.push(c);
  return byState;
}

/** Words written into configurations before we give up: neither time nor memory depends on luck. */
const maxWork = 3_000_000;

/** Most workflows fit a configuration into a small number, which an engine looks up faster than anything written here. */
function configurationsOf(machine: Machine): Configurations {
  return PackedConfigurations.of(machine) ?? new WideConfigurations(machine);
}

/** Explores every run; nothing when that would take more than a fixed amount of work. */
export function explore(
  machine: Machine,
  table: Configurations = configurationsOf(machine),
): Exploration | undefined {
  const { states } = machine;
  const width = 1 + states.filter((state) => state.maxVisits !== undefined).length;
  if (machine.roots.length * width > maxWork) return undefined;
  const visits = (state: number): number => table.visits(state);
  const starts = machine.roots.map((root) => table.enter(root));
  const offsets = [0];
  const targets: number[] = [];
  const eventOf: number[] = [];
  const endings: number[] = [];
  const metSpent = filled(states.length, 0);
  const stuckAt = filled(states.length, -1);
  // How each was first reached: as they are numbered breadth first, that is a shortest way.
  const distance = filled(table.size, 0);
  const parent = filled(table.size, -1);
  const edge = filled(table.size, -1);
  const order: number[] = [];
  let work = 0;
  let everyEnding = 0;

  for (let id = 0; id < table.size; id++) {
    table.select(id);
    order.push(id);
    const state = states[table.stateOf(id)];
    if (state === undefined) break;
    let ending = state.ends ? COMPLETE : 0;
    for (let event = 0; event < state.edges.length; event++) {
      let entered = state.edges[event]?.target ?? DANGLING;
      const wanted = states[entered];
      if (wanted === undefined || isSpent(wanted, visits)) {
        const outcome = attempt(machine, entered, visits);
        const { forced } = outcome;
        for (const spent of forced) {
          metSpent[spent] = 1;
          if (outcome.kind === "stuck" && stuckAt[spent] === -1) stuckAt[spent] = id;
        }
        work += forced.length;
        entered = outcome.kind === "entered" ? outcome.state : DANGLING;
        if (outcome.kind !== "entered") ending |= endingOf[outcome.kind];
      }
      if ((work += width) > maxWork) return undefined;
      if (entered === DANGLING) continue;
      const target = table.enter(entered);
      if (target === distance.length) {
        distance.push((distance[id] ?? 0) + 1);
        parent.push(id);
        edge.push(targets.length);
      }
      targets.push(target);
      eventOf.push(event);
    }
    if ((work += width) > maxWork) return undefined;
    endings.push(ending);
    everyEnding |= ending;
    offsets.push(targets.length);
  }
  const graph = { size: table.size, offsets, targets };
  const reached = { distance, parent, edge, order };
  return {
    graph,
    starts,
    stateOf: (id) => table.stateOf(id),
    eventOf,
    reached,
    endings,
    everyEnding,
    metSpent,
    stuckAt,
    isSpentIn: (index, id) => {
      const state = states[index];
      table.select(id);
      return state !== undefined && isSpent(state, visits);
    },
  };
}
