import { hasUnknownTarget } from "../pack/pack.js";
import { endsEveryRun, type State, type Workflow } from "../pack/workflow.js";
import { getOrCreate } from "../text/collections.js";
import { ExactFacts } from "./exact-facts.js";
import { explore } from "./explore.js";
import type { Facts, Loop, Trap, WitnessedStates } from "./facts.js";
import type { Machine } from "./machine.js";
import { structuralFacts } from "./structural-facts.js";

interface Verdicts {
  /** Every target that runs may attempt is known, so a missing state is not just a typo. */
  readonly fullyResolved: boolean;
  readonly unreachable: readonly State[];
  readonly hasNoEnd: boolean;
  /** Traps are only claimed where every target is known. */
  readonly targetsKnown: boolean;
}

const verdictsByFacts = new WeakMap<Facts, Verdicts>();

export function verdictsOf(workflow: Workflow, facts: Facts): Verdicts {
  return getOrCreate(verdictsByFacts, facts, () => findVerdicts(workflow, facts));
}

function findVerdicts(workflow: Workflow, facts: Facts): Verdicts {
  const { roots, hasUnknownRoot, states } = workflow;
  const entered = states.filter(({ index }) => facts.entered.has(index));
  const targetsKnown = roots.length > 0 && !entered.some((state) => hasUnknownTarget(state, workflow));
  const fullyResolved = targetsKnown && !hasUnknownRoot;
  return {
    fullyResolved,
    unreachable: fullyResolved ? states.filter(({ index }) => !facts.entered.has(index)) : [],
    // An unknown root adds runs, which can enter more states, but does not free trapped runs.
    hasNoEnd: targetsKnown && !facts.machine.states.some(({ ends }) => ends),
    targetsKnown,
  };
}

/** The faults of the runs by the rule that reports them, so that none is reported twice. */
interface RunFaults {
  readonly "no-terminal-state": readonly { readonly loops: readonly Loop[] }[];
  readonly "trapped-states": readonly Trap[];
  readonly "never-completes": readonly WitnessedStates[];
  /** Loops in which the agent keeps the turn; at most the budget ends them. */
  readonly "agent-turn-loop": readonly Loop[];
  readonly "unbounded-loop": readonly Loop[];
  readonly "loop-held-by-budget-only": readonly Loop[];
}

/** A rule that is off has no faults: the rules that would leave them to it report them. */
export function runFaults(workflow: Workflow, facts: Facts, isOn: (rule: string) => boolean): RunFaults {
  const { fullyResolved, hasNoEnd, targetsKnown } = verdictsOf(workflow, facts);
  const endless = hasNoEnd && isOn("no-terminal-state");
  const trapped = targetsKnown && !endless && isOn("trapped-states") ? facts.trapped : [];
  // The finding about a trap covers the loops inside it.
  const escapable = trapped.length > 0;
  const all = escapable ? facts.escapableLoops : facts.unboundedLoops;
  const { turnLoops, loops } = endless
    ? { turnLoops: [], loops: [] }
    : isOn("agent-turn-loop")
      ? splitLoops(workflow, facts, escapable, all)
      : { turnLoops: [], loops: all };
  const loopRule = endsEveryRun(workflow.budget) ? "loop-held-by-budget-only" : "unbounded-loop";
  const incomplete = fullyResolved && !endless ? facts.neverCompletes : undefined;
  return {
    "no-terminal-state": endless ? [{ loops: facts.unboundedLoops }] : [],
    "trapped-states": trapped,
    "never-completes": incomplete === undefined ? [] : [incomplete],
    "agent-turn-loop": turnLoops,
    "unbounded-loop": [],
    "loop-held-by-budget-only": [],
    ...(isOn(loopRule) && { [loopRule]: loops }),
  };
}

interface SplitLoops {
  readonly turnLoops: readonly Loop[];
  /** The loops that remain without the states of those. */
  readonly loops: readonly Loop[];
}

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

/** Explores every run if that is affordable, and otherwise analyzes the structure. */
export function findFacts(machine: Machine): Facts {
  const exploration = explore(machine);
  return exploration === undefined ? structuralFacts(machine) : new ExactFacts(machine, exploration);
}

/** Why a state that is named as a target is still unreachable. */
export type Obstacle =
  /** `by`, which runs enter, is terminal, is never spent, or has no guard. */
  | { readonly kind: "terminal" | "unspent" | "unguarded"; readonly by: State }
  /** Only unreachable states name it. */
  | { readonly kind: "adrift" };

/** The obstacles by the name of the target. */
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
