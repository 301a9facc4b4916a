import { hasUnknownTarget } from "../pack/pack.js";
import { endsEveryRun, type State, type Workflow } from "../pack/workflow.js";
import { getOrCreate } from "../text/collections.js";
import { ExactFacts } from "./exact-facts.js";
import { explore } from "./explore.js";
import type { Facts, Loop, Trap, WitnessedStates } from "./facts.js";
import type { Machine } from "./machine.js";
import { structuralFacts } from "./structural-facts.js";

/** Assigns each fault to one rule, so that no mistake is reported twice. */
interface Verdicts {
  /** Every target that runs may attempt is known, so a missing state is not just a typo. */
  readonly fullyResolved: boolean;
  /** States that no run enters. */
  readonly unreachable: readonly State[];
  /** No state ends the run. */
  readonly hasNoEnd: boolean;
  readonly trapped: readonly Trap[];
  readonly neverCompletes: WitnessedStates | undefined;
  /** Loops that nothing ends. */
  readonly unbounded: readonly Loop[];
  /** Loops that only the budget ends. */
  readonly heldByBudget: readonly Loop[];
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
  // An unknown root adds runs, which can enter more states, but does not free trapped runs.
  const hasNoEnd = targetsKnown && !facts.machine.states.some(({ ends }) => ends);
  const trapped = targetsKnown && !hasNoEnd ? facts.trapped : [];
  const hasBudget = endsEveryRun(workflow.budget);
  // The finding about a trap covers the loops inside it.
  const loops = hasBudget || trapped.length === 0 ? facts.unboundedLoops : facts.escapableLoops;
  return {
    fullyResolved,
    unreachable: fullyResolved ? states.filter(({ index }) => !facts.entered.has(index)) : [],
    hasNoEnd,
    trapped,
    neverCompletes: fullyResolved && !hasNoEnd ? facts.neverCompletes : undefined,
    unbounded: hasBudget ? [] : loops,
    heldByBudget: hasBudget ? loops : [],
  };
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
