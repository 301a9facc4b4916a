import { endsEveryRun, type Workflow } from "../pack/workflow.js";
import type { Facts, Loop, Trap, Witnessed } from "./facts.js";
import { DANGLING, type MachineState } from "./machine.js";

/** Which of the faults in the facts are told, and by whom: no two rules tell the same mistake. */
export interface Verdicts {
  /** No name on the way leads nowhere: what seems to be missing is not just behind a typo. */
  readonly sound: boolean;
  /** No state ends the run. */
  readonly endless: boolean;
  readonly trapped: readonly Trap[];
  readonly neverCompletes: Witnessed | undefined;
  /** Loops that nothing ends. */
  readonly unbounded: readonly Loop[];
  /** Loops that only the budget ends. */
  readonly heldByBudget: readonly Loop[];
}

/** Many rules ask; the facts of a workflow are found once, and so is what follows from them. */
const known = new WeakMap<Facts, Verdicts>();

export function verdictsOf(workflow: Workflow, facts: Facts): Verdicts {
  let verdicts = known.get(facts);
  if (verdicts === undefined) known.set(facts, (verdicts = judge(workflow, facts)));
  return verdicts;
}

function judge(workflow: Workflow, facts: Facts): Verdicts {
  const { machine } = facts;
  const lost = machine.states.some(
    (state) => facts.entered.has(state.index) && leadsNowhere(state, workflow),
  );
  const sound = !lost && !machine.rootDangles && machine.roots.length > 0;
  const endless = sound && !machine.states.some((state) => state.ends || isUnclear(state));
  const trapped = sound && !endless ? facts.trapped : [];
  const held = endsEveryRun(workflow.budget);
  // A lap in a trap is no news where the trap is told.
  const loops = held || trapped.length === 0 ? facts.unboundedLoops : facts.openLoops;
  return {
    sound,
    endless,
    trapped,
    neverCompletes: sound && !endless ? facts.neverCompletes : undefined,
    unbounded: held || workflow.budgetIsUnclear ? [] : loops,
    heldByBudget: held ? loops : [],
  };
}

/** Whether a name in this state leads nowhere, even one that no run follows: what it stood for is not known. */
function leadsNowhere({ index, ends, edges, forcedExit }: MachineState, workflow: Workflow): boolean {
  if (forcedExit === DANGLING || edges.some((edge) => edge.target === DANGLING)) return true;
  const unfollowed = ends ? (workflow.states?.[index]?.onEvent?.transitions ?? []) : [];
  return unfollowed.some(({ target }) => target === undefined || !workflow.stateNamed(target.text));
}

/** Whether the state may end the run, but could not be read. */
function isUnclear({ edges }: MachineState): boolean {
  return edges.some((edge) => edge.transition === undefined);
}
