import type { Trace } from "../diagnostic.js";
import { exploreSystem, MachineRuns, type Monitor, Work } from "../machine/explore.js";
import type { Facts } from "../machine/facts.js";
import { Witnesses } from "../machine/witnesses.js";

export interface Progress {
  /** How many of the states some run enters in this order. */
  readonly most: number;
  /** The shortest run that enters that many; without steps where it starts there. */
  readonly run: Trace | undefined;
}

/**
 * How far runs from a state come in entering these states in this order, with others in between. Undefined if there are
 * too many runs to tell. The state in which a run starts counts as entered if `countsStart`.
 */
export function reachInOrder(
  { machine }: Facts,
  root: number,
  order: readonly number[],
  countsStart: boolean,
): Progress | undefined {
  let most = 0;
  const monitor: Monitor = {
    tags: order.length + 1,
    start: (state) => (most = countsStart && order[0] === state ? 1 : 0),
    next(tag, _, __, { kind, ...outcome }) {
      const entered = kind === "entered" && "state" in outcome ? outcome.state : undefined;
      const now = tag < order.length && order[tag] === entered ? tag + 1 : tag;
      most = Math.max(most, now);
      return now;
    },
    isDone: () => most === order.length,
  };
  const work = new Work();
  const system = new MachineRuns({ ...machine, roots: [root] }, work, monitor);
  const runs = exploreSystem(system, work);
  if (most < order.length && !runs.isComplete) return undefined;
  const node = runs.reached.order.find((each) => system.table.tagOf(each) === most);
  const run = node === undefined ? undefined : new Witnesses({ ...machine, roots: [root] }, runs).runTo(node);
  return { most, run };
}
