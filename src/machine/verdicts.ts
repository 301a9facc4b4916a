import { hasUnknownTarget } from "../pack/pack.js";
import { endsEveryRun, type State, type Workflow } from "../pack/workflow.js";
import { getOrCreate } from "../text/collections.js";
import { ExactFacts } from "./exact-facts.js";
import { explore } from "./explore.js";
import type { Facts, Loop, Trap, WitnessedStates } from "./facts.js";
import type { Machine } from "./machine.js";
import { structuralFacts } from "./structural-facts.js";

/** Which of the faults in the facts are told, and by whom: no two rules tell the same mistake. */
export interface Verdicts {
  /** All that runs may meet could be read and leads somewhere: what seems to be missing is not just behind a typo. */
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

/** Many rules ask; the facts of a workflow are found once, and so is what follows from them. */
const verdictsByFacts = new WeakMap<Facts, Verdicts>();

export function verdictsOf(workflow: Workflow, facts: Facts): Verdicts {
  return getOrCreate(verdictsByFacts, facts, () => findVerdicts(workflow, facts));
}

function findVerdicts(workflow: Workflow, facts: Facts): Verdicts {
  const { roots, hasUnknownRoot, states } = workflow;
  const entered = states.filter(({ index }) => facts.entered.has(index));
  const named = roots.length > 0 && !entered.some((state) => hasUnknownTarget(state, workflow));
  const fullyResolved = named && !hasUnknownRoot;
  // A root that is missing adds runs: it can reach more, but takes no run back that is caught.
  const hasNoEnd = named && !facts.machine.states.some(({ ends }) => ends);
  const trapped = named && !hasNoEnd ? facts.trapped : [];
  const held = endsEveryRun(workflow.budget);
  // A loop inside a trap is part of the trap's finding.
  const loops = held || trapped.length === 0 ? facts.unboundedLoops : facts.escapableLoops;
  return {
    fullyResolved,
    unreachable: fullyResolved ? states.filter(({ index }) => !facts.entered.has(index)) : [],
    hasNoEnd,
    trapped,
    neverCompletes: fullyResolved && !hasNoEnd ? facts.neverCompletes : undefined,
    unbounded: held ? [] : loops,
    heldByBudget: held ? loops : [],
  };
}

/** Explores every run where that takes no more than a fixed amount of work; otherwise the structure must do. */
export function findFacts(machine: Machine): Facts {
  const exploration = explore(machine);
  return exploration === undefined ? structuralFacts(machine) : new ExactFacts(machine, exploration);
}

/** Why naming a state brings no run there. */
export type Obstacle =
  /** `by`, which runs enter, is terminal; or is never spent, with a guard or for want of one. */
  | { readonly kind: "terminal" | "unspent" | "unguarded"; readonly by: State }
  /** Only states that no run enters name it. */
  | { readonly kind: "adrift" };

/** For the states that others name and no run enters, by their names. */
export function obstaclesByTarget(
  unreachable: readonly State[],
  { states }: Workflow,
): ReadonlyMap<string, Obstacle> {
  const isNever = new Set(unreachable);
  const blocked = new Map<string, Obstacle>();
  const adrift = new Map<string, Obstacle>();
  for (const by of states) {
    const { name, transitions, maxVisits, onMaxVisits } = by;
    const note = (target: string | undefined, obstacle: Obstacle): void => {
      if (target === undefined || target === name.text) return;
      if (isNever.has(by)) adrift.set(target, { kind: "adrift" });
      else if (!blocked.has(target)) blocked.set(target, obstacle);
    };
    for (const { target } of transitions) note(target?.text, { kind: "terminal", by });
    note(onMaxVisits?.text, { kind: maxVisits === undefined ? "unguarded" : "unspent", by });
  }
  return new Map([...adrift, ...blocked]);
}
