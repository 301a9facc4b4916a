import type { Trace } from "../diagnostic.js";
import { at, components, digraph, hasCycleAmong, isOnCycle, subgraph, successors } from "../graph/digraph.js";
import { canReach, pathTo } from "../graph/paths.js";
import {
  endOf,
  exploreSystem,
  LEFT_OUT,
  MachineRuns,
  type Monitor,
  stateAfter,
  type System,
  type SystemRuns,
  Work,
} from "../machine/explore.js";
import type { Facts } from "../machine/facts.js";
import { DANGLING, type Machine } from "../machine/machine.js";
import { buildStructure, mostEntriesByGuards, targetsOf } from "../machine/structure.js";
import { Witnesses } from "../machine/witnesses.js";
import { getOrCreate } from "../text/collections.js";
import type { Pattern, Property, Steps } from "./property.js";

export type Verdict =
  | { readonly kind: "holds" }
  /** With the run that breaks it, unless that is too long; no run shows that something is not possible. */
  | { readonly kind: "broken"; readonly run: Trace | undefined }
  /** There are too many runs, and the shape of the workflow alone does not tell. */
  | { readonly kind: "undecided" }
  /** While a state that runs enter names a missing state, it is unknown what is possible. */
  | { readonly kind: "not-judged" };

/** Judges a property all of whose names exist. `targetsKnown`: no state that runs enter names one that does not exist. */
export function checkProperty(
  { machine: whole, exact }: Facts,
  property: Property,
  targetsKnown: boolean,
): Verdict {
  const { pattern, from } = property;
  const wanted = new Set(from.map(({ text }) => text));
  const roots = [...new Set(whole.roots)].filter(
    (root) => wanted.size === 0 || wanted.has(whole.states[root]?.name ?? ""),
  );
  const asksWhatIsPossible = pattern.kind === "possible" || pattern.kind === "always-possible";
  if (roots.length === 0 || (asksWhatIsPossible && !targetsKnown)) return { kind: "not-judged" };
  const judge = new Judge({ ...whole, roots }, property, new Work(exact ? undefined : workOnPart));
  return pattern.kind === "possible" ? judge.findDoing() : judge.findBreaking();
}

/** Runs of a machine, or of its shape, under the watch of a pattern. */
interface WatchedRuns extends SystemRuns {
  readonly tagOf: (node: number) => number;
}

/** Where not all runs can be explored, only short ones are looked at: there may be many properties. */
const workOnPart = 500_000;

class Judge {
  private readonly watch: Watch;

  constructor(
    private readonly machine: Machine,
    private readonly property: Property,
    private readonly work: Work,
  ) {
    this.watch = watchFor(machine, property.pattern);
  }

  findBreaking(): Verdict {
    const runs = this.explore();
    const node = this.breakingNode(runs) ?? this.nodeWithoutWayOut(runs);
    if (node !== undefined) {
      const root = this.machine.states[runs.stateOf(pathTo(runs.reached, node).start)];
      return broken(new Witnesses(this.machine, runs).runTo(node), root?.name);
    }
    return this.findEndless(runs) ?? { kind: runs.isComplete || this.holdsByShape() ? "holds" : "undecided" };
  }

  findDoing(): Verdict {
    const runs = this.explore();
    if (this.breakingNode(runs) !== undefined || this.isCertainlyDone()) return { kind: "holds" };
    const shape = runs.isComplete ? runs : this.exploreShape();
    const isRuledOut = shape.isComplete && this.breakingNode(shape) === undefined;
    return isRuledOut ? broken(undefined) : { kind: "undecided" };
  }

  private explore(): WatchedRuns {
    const runs = new MachineRuns(this.machine, this.work, monitorOf(this.machine, this.watch));
    return { ...exploreSystem(runs, this.work), tagOf: (node) => runs.table.tagOf(node) };
  }

  private exploreShape(): WatchedRuns {
    const work = new Work();
    const shape = shapeRuns(this.machine, work, this.watch);
    return { ...exploreSystem(shape, work), tagOf: shape.tagOf };
  }

  /** Nodes are numbered breadth first, so the first is among the nearest. */
  private breakingNode({ reached, stateOf, tagOf }: WatchedRuns): number | undefined {
    return reached.order.find((node) =>
      this.watch.breaks(tagOf(node), endOf(this.machine, stateOf(node)), stateOf(node)),
    );
  }

  private findEndless(runs: WatchedRuns): Verdict | undefined {
    if (this.property.pattern.kind !== "eventually") return undefined;
    const { graph, reached, tagOf } = runs;
    const parts = components(subgraph(graph, (node) => tagOf(node) === AWAITED));
    if (!parts.hasCycle) return undefined;
    const nodes = reached.order.filter((node) => isOnCycle(parts, node));
    const inSameComponent = (a: number, b: number): boolean => at(parts.of, a) === at(parts.of, b);
    const run = new Witnesses(this.machine, runs).lasso(nodes, inSameComponent);
    return broken(run, run?.steps[0]?.from);
  }

  /** The nearest node of a run that goes on, but can never do again what is to stay possible. */
  private nodeWithoutWayOut({ graph, reached, expanded, stateOf, tagOf }: WatchedRuns): number | undefined {
    if (this.property.pattern.kind !== "always-possible") return undefined;
    const doesNext = (node: number): boolean =>
      node >= expanded || successors(graph, node).some((target) => (tagOf(target) & DONE_LAST) !== 0);
    const canDo = canReach(graph, components(graph), doesNext);
    return reached.order.find(
      (node) =>
        canDo[node] === 0 &&
        (tagOf(node) & RELEASED) === 0 &&
        endOf(this.machine, stateOf(node)) === undefined,
    );
  }

  private holdsByShape(): boolean {
    if (this.isCountedByGuards()) return true;
    const shape = this.exploreShape();
    const { graph, reached, stateOf, tagOf, isComplete } = shape;
    if (!isComplete || this.breakingNode(shape) !== undefined) return false;
    const { kind } = this.property.pattern;
    if (kind === "eventually") {
      const awaiting = reached.order.filter((node) => tagOf(node) === AWAITED);
      return !hasCycleAmong(awaiting, (node) => successors(graph, node));
    }
    if (kind !== "always-possible") return true;
    const canDo = this.statesThatCertainlyDo();
    return reached.order.every((node) => {
      const state = stateOf(node);
      return (tagOf(node) & RELEASED) !== 0 || endOf(this.machine, state) !== undefined || canDo[state] !== 0;
    });
  }

  /** Whether guards allow no more entries than an `at-most`. */
  private isCountedByGuards(): boolean {
    const { pattern } = this.property;
    if (pattern.kind !== "at-most") return false;
    const mostEntries = mostEntriesByGuards(this.machine);
    const guards = new Map(this.machine.states.map(({ name, index }) => [name, mostEntries(index)]));
    const most = pattern.of.map((step) =>
      step.kind === "state" ? (guards.get(step.state.text) ?? Infinity) : Infinity,
    );
    return most.reduce((sum, visits) => sum + visits, 0) <= pattern.times;
  }

  /** The states from which events that no guard can redirect lead to one of the steps. */
  private statesThatCertainlyDo(): readonly number[] {
    const { machine } = this;
    const { mayBeSpent } = buildStructure(machine);
    const isTaken = certainEvents(machine, mayBeSpent);
    const does = stepTest(machine, this.property.pattern.of);
    const certain = machine.states.map(({ index }) =>
      targetsOf(machine, index).filter((target) => !mayBeSpent.has(target)),
    );
    const doesNext = (state: number): boolean =>
      (machine.states[state]?.edges ?? []).some(
        ({ target }, event) => isTaken(target) && does({ kind: "sent", state, event }),
      ) || (certain[state] ?? []).some((target) => does({ kind: "entered", state: target }));
    const graph = digraph(certain);
    return canReach(graph, components(graph), doesNext);
  }

  /** Whether some run does it that meets no guard. */
  private isCertainlyDone(): boolean {
    const { machine } = this;
    const { certain, mayBeSpent } = buildStructure(machine);
    const isTaken = certainEvents(machine, mayBeSpent);
    const does = stepTest(machine, this.property.pattern.of);
    return machine.states.some(
      ({ index: state, edges }) =>
        certain.has(state) &&
        (does({ kind: "entered", state }) ||
          edges.some(({ target }, event) => isTaken(target) && does({ kind: "sent", state, event }))),
    );
  }
}

/** Whether an event that leads there is certainly a step of a run, and not refused. */
function certainEvents({ reading }: Machine, mayBeSpent: ReadonlySet<number>): (target: number) => boolean {
  return (target) => target !== DANGLING && (reading.stops === "run ends" || !mayBeSpent.has(target));
}

function broken(run: Trace | undefined, root = ""): Verdict {
  return { kind: "broken", run: run && { root, ...run } };
}

/**
 * The shape of a workflow as a system with more runs than the machine: any guard that may be spent is spent or not, at
 * will. What no run does here, no run of the machine does.
 */
function shapeRuns(machine: Machine, work: Work, watch: Watch) {
  const { mayBeSpent, onForcedExitCycle } = buildStructure(machine);
  const count = machine.states.length;
  const [stopped, stuck, firstAttempt] = [count, count + 1, count + 2];
  const numbers = new Map<number, number>();
  const keys: number[] = [];
  const numberOf = (place: number, tag: number): number => {
    const key = place * watch.tags + tag;
    return getOrCreate(numbers, key, () => keys.push(key) - 1);
  };
  /** A state, one of the two ends, or above these a state that is attempted. */
  const stateOf = (node: number): number => Math.floor((keys[node] ?? 0) / watch.tags);
  const tagOf = (node: number): number => (keys[node] ?? 0) % watch.tags;
  const expand: System["expand"] = (node, take) => {
    const [place, tag] = [stateOf(node), tagOf(node)];
    const go = (event: number, target: number, after: number): void => {
      if (after !== LEFT_OUT && work.spend(1)) take(event, numberOf(target, after));
    };
    for (const [event, { target }] of (machine.states[place]?.edges ?? []).entries())
      if (target !== DANGLING)
        go(event, firstAttempt + target, watch.observe(tag, { kind: "sent", state: place, event }));
    const index = place - firstAttempt;
    const attempted = machine.states[index];
    if (attempted === undefined) return;
    go(0, index, watch.observe(tag, { kind: "entered", state: index }));
    if (!mayBeSpent.has(index)) return;
    const redirected = watch.observe(tag, { kind: "spent", state: index });
    const { forcedExit } = attempted;
    if (forcedExit === undefined) go(0, stopped, redirected);
    else if (forcedExit !== DANGLING) go(0, firstAttempt + forcedExit, redirected);
    if (onForcedExitCycle.has(index)) go(0, stuck, redirected);
  };
  const starts = machine.roots.flatMap((root) => {
    const tag = watch.observe(watch.initial, { kind: "entered", state: root });
    return tag === LEFT_OUT ? [] : [numberOf(root, tag)];
  });
  return {
    get size() {
      return keys.length;
    },
    starts,
    stateOf,
    tagOf,
    expand,
  };
}

/** One transition is several moments: the event is sent, spent states are attempted, a state is entered. */
interface Moment {
  readonly kind: "sent" | "spent" | "entered";
  readonly state: number;
  readonly event?: number;
}

/** Watches the moments of a run, and remembers in a tag what a pattern needs to know of them. */
interface Watch {
  readonly tags: number;
  readonly initial: number;
  observe(tag: number, moment: Moment): number;
  /** Whether a run that is here, or has ended here, breaks the pattern. */
  breaks(tag: number, end: ReturnType<typeof endOf>, state: number): boolean;
}

type StepTest = (moment: Moment) => boolean;

function stepTest({ states }: Machine, steps: Steps): StepTest {
  const entered = new Set<string>();
  const spent = new Set<string>();
  const sent = new Set<string>();
  const sentIn = new Map<string, Set<string>>();
  for (const step of steps) {
    if (step.kind === "state") entered.add(step.state.text);
    else if (step.kind === "spent") spent.add(step.state.text);
    else if (step.state === undefined) sent.add(step.event.text);
    else getOrCreate(sentIn, step.state.text, () => new Set()).add(step.event.text);
  }
  return ({ kind, state: index, event = -1 }) => {
    const state = states[index];
    if (state === undefined) return false;
    if (kind === "entered") return entered.has("*") || entered.has(state.name);
    if (kind === "spent") return spent.has(state.name);
    const name = state.edges[event]?.event ?? "";
    return sent.has(name) || sentIn.get(state.name)?.has(name) === true;
  };
}

/** The tags of `eventually`. */
const SETTLED = 0;
/** Awaited, and not done in the last transition. */
const AWAITED = 1;
/** Awaited since a moment of the last transition, in which it was done before. */
const AWAITED_ANEW = 2;

/** The tags of `always-possible`: what was done in the last transition, and what was done at any time. */
const DONE_LAST = 1;
const RELEASED = 2;

/** No exploration gets as far. */
const maxCount = 2 ** 22;

function watchFor(machine: Machine, pattern: Pattern): Watch {
  const test = (steps: Steps): StepTest => stepTest(machine, steps);
  const does = test(pattern.of);
  switch (pattern.kind) {
    case "never":
    case "possible":
      return countingWatch(1, (_, moment) => (does(moment) ? 1 : 0));
    case "never-before": {
      const [allows, resets] = [test(pattern.before), test(pattern.since)];
      return countingWatch(2, (tag, moment) => {
        if (tag === 0 && does(moment)) return 2;
        return !resets(moment) && (tag === 1 || allows(moment)) ? 1 : 0;
      });
    }
    case "never-after": {
      const [forbids, lifts] = [test(pattern.after), test(pattern.until)];
      return countingWatch(2, (tag, moment) => {
        if (tag === 1 && does(moment)) return 2;
        return forbids(moment) || (tag === 1 && !lifts(moment)) ? 1 : 0;
      });
    }
    case "at-most": {
      const resets = test(pattern.since);
      const times = Math.min(pattern.times, maxCount);
      return countingWatch(times + 1, (tag, moment) => {
        const count = does(moment) ? tag + 1 : tag;
        return count <= times && resets(moment) ? 0 : count;
      });
    }
    case "eventually": {
      const asks = pattern.after && test(pattern.after);
      return {
        tags: 3,
        initial: asks === undefined ? AWAITED : SETTLED,
        observe(before, moment) {
          let tag = moment.kind === "sent" && before === AWAITED_ANEW ? AWAITED : before;
          if (does(moment)) tag = SETTLED;
          if (tag === SETTLED && asks === undefined) return LEFT_OUT;
          return tag === SETTLED && asks?.(moment) === true ? AWAITED_ANEW : tag;
        },
        breaks: (tag, end) => end !== undefined && tag !== SETTLED,
      };
    }
    case "ends-in":
      return {
        tags: 1,
        initial: 0,
        observe: () => 0,
        breaks: (_, end, state) =>
          end !== undefined && !(end === "complete" && does({ kind: "entered", state })),
      };
    case "always-possible": {
      const releases = test(pattern.until);
      return {
        tags: 4,
        initial: 0,
        observe(before, moment) {
          const tag = moment.kind === "sent" ? before & RELEASED : before;
          return tag | (does(moment) ? DONE_LAST : 0) | (releases(moment) ? RELEASED : 0);
        },
        breaks: () => false,
      };
    }
  }
}

/** A watch whose last tag is the broken pattern. */
function countingWatch(broken: number, observe: (tag: number, moment: Moment) => number): Watch {
  return {
    tags: broken + 1,
    initial: 0,
    observe: (tag, moment) => (tag === broken ? broken : observe(tag, moment)),
    breaks: (tag) => tag === broken,
  };
}

/** Watches the runs of a machine until one breaks the pattern. */
function monitorOf(machine: Machine, watch: Watch): Monitor {
  let isBroken = false;
  const arrive = (before: number, state: number): number => {
    const isEntered = state < machine.states.length;
    const tag = isEntered ? watch.observe(before, { kind: "entered", state }) : before;
    if (tag !== LEFT_OUT && watch.breaks(tag, endOf(machine, state), state)) isBroken = true;
    return tag;
  };
  return {
    tags: watch.tags,
    start: (root) => arrive(watch.initial, root),
    next(before, from, event, outcome) {
      let tag = watch.observe(before, { kind: "sent", state: from, event });
      for (const state of outcome.forced)
        if (tag !== LEFT_OUT) tag = watch.observe(tag, { kind: "spent", state });
      return tag === LEFT_OUT ? LEFT_OUT : arrive(tag, stateAfter(outcome, machine.states.length));
    },
    isDone: () => isBroken,
  };
}
