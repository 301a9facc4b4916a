import { getOrCreate } from "../maps/get-or-make.js";
import { hasUnknownTarget } from "../pack/referrers.js";
import { endsEveryRun, type State, type Workflow } from "../pack/workflow.js";
import type { Facts, Loop, Trap, WitnessedStates } from "./facts.js";

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
