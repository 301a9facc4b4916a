import type { Trace, TraceStep } from "../diagnostic.js";
import { hasUnknownTarget } from "../pack/pack.js";
import { endsEveryRun, type State, type Workflow } from "../pack/workflow.js";
import { cached, getOrCreate } from "../text/collections.js";
import type { Exploration } from "./explore.js";
import type { Edge, Machine } from "./machine.js";

/** Where the chain of forced exits of a spent state ends. */
export type ChainEnd =
  { readonly kind: "enters"; readonly state: number } | { readonly kind: "stops" | "dangles" | "cycles" };

/** A fault, and a run that shows it if one is known. */
export interface WitnessedStates {
  /** In file order. */
  readonly states: readonly number[];
  readonly witness: Trace | undefined;
}

/** A region in which runs neither leave nor end. */
export interface Trap extends WitnessedStates {
  /** The states grouped by the guards that trap runs there, those of the witness first. */
  readonly closedBy: () => readonly TrapClosure[];
  /** The loops in which trapped runs finally stay; empty if unknown. */
  readonly sinkLoops: () => readonly (readonly number[])[];
}

export interface TrapClosure {
  readonly states: readonly number[];
  /** Once these are spent, every run in one of the states is trapped; undefined if unknown. */
  readonly guards: readonly number[] | undefined;
}

export interface ForcedExitCycle extends WitnessedStates {
  /** The event after which the run of the witness is stuck. */
  readonly stuckBy?: { readonly state: number; readonly edge: Edge | undefined };
}

export interface Loop extends WitnessedStates {
  /** Whether some run certainly repeats it. */
  readonly certain: boolean;
  /** One lap, if no run into the loop is known. */
  readonly lap?: readonly TraceStep[];
  /** Whether some lap (if not exact, possibly) avoids these states. */
  readonly canAvoid: (states: ReadonlySet<number>) => boolean;
  /** The given states that every lap enters, as far as the search budget lasts. */
  readonly onEveryLap: (states: readonly number[]) => readonly number[];
  /** The given guards that redirect every lap; empty if some state is entered by forced exits only. */
  readonly spentOnEveryLap: (guards: readonly number[]) => readonly number[];
}

/**
 * Everything that the runs of a workflow can do, ignoring budgets (docs/semantics.md, "What is proved"). If `exact`, every
 * configuration was explored; otherwise facts follow from the graph's structure, and those it cannot prove are omitted.
 */
export interface Facts {
  readonly machine: Machine;
  readonly exact: boolean;
  /** If exact. */
  readonly exploration?: Exploration;
  /** States that some run enters (if not exact, possibly). */
  readonly entered: ReadonlySet<number>;
  /** States that some run certainly enters (if not exact, not all of them). */
  readonly certainlyEntered: ReadonlySet<number>;
  /** States that one run can enter twice (if not exact, not all of them). */
  readonly reentered: ReadonlySet<number>;
  /** The shortest run (if not exact, a short one) that enters one of these states twice. */
  findReentry(states: Iterable<number>): Trace | undefined;
  /** Guarded states that some run attempts while they are spent; undefined if unknown. */
  readonly attemptedWhileSpent: ReadonlySet<number> | undefined;
  /** Loops that can repeat forever, one per set of states. */
  readonly unboundedLoops: readonly Loop[];
  /** Unbounded loops from which a run can still end: laps inside traps are left out. */
  readonly escapableLoops: readonly Loop[];
  /** The loops over these states alone that can repeat forever, without laps inside traps if `escapable`. */
  loopsAmong(states: ReadonlySet<number>, escapable: boolean): readonly Loop[];
  readonly trapped: readonly Trap[];
  /** States that can be entered but never lead to completion, although guards or dangling names may end the run. */
  readonly neverCompletes: WitnessedStates | undefined;
  /** Includes those that no run reaches. */
  readonly forcedExitCycles: readonly ForcedExitCycle[];
  /** For each guarded state, the end of its chain if all guards on the way are spent. */
  readonly forcedExitEnds: readonly (ChainEnd | undefined)[];
  readonly shortestComplete: { readonly entries: number; readonly witness: Trace | undefined } | undefined;
  /** The maximum number of entries in one run; undefined if unknown. */
  readonly worstCase: number | undefined;
  /** The maximum number of entries of one state in runs of at most `entries` entries (if not exact, an upper bound). */
  worstCaseOf(state: number, entries?: number): number | undefined;
  /** The maximum sum of the weights of all entries in a run of at most `entries` entries. */
  weightedWorstCase(weightOf: (state: number) => number, entries: number): number | undefined;
  /** The states that some run (if not exact, possibly) enters after one of these; undefined if too costly. */
  statesAfter(states: readonly number[]): ReadonlySet<number> | undefined;
}

export function verdictsOf(workflow: Workflow, facts: Facts) {
  return verdictsByFacts(facts)(workflow);
}

const verdictsByFacts = cached((facts: Facts) =>
  cached((workflow: Workflow) => {
    const { roots, hasUnknownRoot, states } = workflow;
    const entered = states.filter(({ index }) => facts.entered.has(index));
    const targetsKnown = roots.length > 0 && !entered.some((state) => hasUnknownTarget(state, workflow));
    const fullyResolved = targetsKnown && !hasUnknownRoot;
    return {
      /** Every target that runs may attempt is known, so a missing state is not just a typo. */
      fullyResolved,
      unreachable: fullyResolved ? states.filter(({ index }) => !facts.entered.has(index)) : [],
      // An unknown root adds runs, which can enter more states, but does not free trapped runs.
      hasNoEnd: targetsKnown && !facts.machine.states.some(({ ends }) => ends),
      /** Traps are only claimed where every target is known. */
      targetsKnown,
    };
  }),
);

/**
 * The faults of the runs by the rule that reports them, so that none is reported twice. A rule that is off has none: the
 * rules that would leave them to it report them.
 */
export function runFaults(workflow: Workflow, facts: Facts, isOn: (rule: string) => boolean) {
  const { fullyResolved, hasNoEnd, targetsKnown } = verdictsOf(workflow, facts);
  const endless = hasNoEnd && isOn("no-terminal-state");
  const trapped = targetsKnown && !endless && isOn("trapped-states") ? facts.trapped : [];
  // The finding about a trap covers the loops inside it.
  const escapable = trapped.length > 0;
  const all = endless ? [] : escapable ? facts.escapableLoops : facts.unboundedLoops;
  const { turnLoops, loops } = isOn("agent-turn-loop")
    ? splitLoops(workflow, facts, escapable, all)
    : { turnLoops: [], loops: all };
  const isHeld = endsEveryRun(workflow);
  const loopsOf = (rule: string, holds: boolean) => (isHeld === holds && isOn(rule) ? loops : []);
  const incomplete = fullyResolved && !endless ? facts.neverCompletes : undefined;
  return {
    "no-terminal-state": endless ? [{ loops: facts.unboundedLoops }] : [],
    "trapped-states": trapped,
    "never-completes": incomplete === undefined ? [] : [incomplete],
    /** Loops in which the agent keeps the turn; at most the budget ends them. */
    "agent-turn-loop": turnLoops,
    "unbounded-loop": loopsOf("unbounded-loop", false),
    "loop-held-by-budget-only": loopsOf("loop-held-by-budget-only", true),
  };
}

/** The loops that keep the turn, and those that remain without their states. */
type SplitLoops = Readonly<Record<"turnLoops" | "loops", readonly Loop[]>>;

/** Several rules ask, and tracing loops uses up the steps that traces may have. */
const splitsByLoops = new WeakMap<readonly Loop[], SplitLoops>();

function splitLoops(workflow: Workflow, facts: Facts, escapable: boolean, all: readonly Loop[]): SplitLoops {
  return getOrCreate(splitsByLoops, all, () => {
    const keeping = workflow.states.filter(({ keepsTurn }) => keepsTurn).map(({ index }) => index);
    if (all.length === 0 || keeping.length === 0) return { turnLoops: [], loops: all };
    const turnLoops = facts.loopsAmong(new Set(keeping), escapable);
    if (turnLoops.length === 0) return { turnLoops, loops: all };
    const others = new Set(facts.machine.states.map(({ index }) => index));
    for (const { states } of turnLoops) for (const state of states) others.delete(state);
    return { turnLoops, loops: facts.loopsAmong(others, escapable) };
  });
}

/** Why a state that is named as a target is still unreachable. */
export type Obstacle =
  /** `by`, which runs enter, is terminal, is never spent, or has no guard. */
  | { readonly kind: "terminal" | "unspent" | "unguarded"; readonly by: State }
  /** Only unreachable states name it. */
  | { readonly kind: "adrift" };

export function obstaclesByTarget(
  unreachable: readonly State[],
  { states }: Workflow,
): ReadonlyMap<string, Obstacle> {
  const isUnreachable = new Set(unreachable);
  const blocked = new Map<string, Obstacle>();
  const adrift = new Map<string, Obstacle>();
  for (const by of states) {
    const { name, transitions, maxVisits, onMaxVisits } = by;
    const record = (target: string | undefined, obstacle: Obstacle): void => {
      if (target === undefined || target === name.text) return;
      if (isUnreachable.has(by)) adrift.set(target, { kind: "adrift" });
      else if (!blocked.has(target)) blocked.set(target, obstacle);
    };
    for (const { target } of transitions) record(target?.text, { kind: "terminal", by });
    record(onMaxVisits?.text, { kind: maxVisits === undefined ? "unguarded" : "unspent", by });
  }
  return new Map([...adrift, ...blocked]);
}
