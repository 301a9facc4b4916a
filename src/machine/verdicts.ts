import { digraph } from "../graph/digraph.js";
import { reachable } from "../graph/reachability.js";
import { getOrMake } from "../maps/get-or-make.js";
import { doubtfulParts, endsEveryRun, mayBeEnd, type State, type Workflow } from "../pack/workflow.js";
import { leadsNowhere } from "../pack/referrers.js";
import type { Facts, Loop, Trap, Witnessed } from "./facts.js";
import { findFacts } from "./find-facts.js";
import { targetsOf } from "./structural/structure.js";

/** Which of the faults in the facts are told, and by whom: no two rules tell the same mistake. */
export interface Verdicts {
  /** All that runs may meet could be read and leads somewhere: what seems to be missing is not just behind a typo. */
  readonly sound: boolean;
  /** States that no run enters. */
  readonly unreachable: readonly State[];
  /** No state ends the run. */
  readonly endless: boolean;
  readonly trapped: readonly Trap[];
  readonly neverCompletes: Witnessed | undefined;
  /** What runs can do if each state ends them that may be marked to: what comes round even so is not just a typo. */
  readonly rounds: Facts;
  /** Loops that nothing ends. */
  readonly unbounded: readonly Loop[];
  /** Loops that only the budget ends. */
  readonly heldByBudget: readonly Loop[];
}

/** Many rules ask; the facts of a workflow are found once, and so is what follows from them. */
const known = new WeakMap<Facts, Verdicts>();

export function verdictsOf(workflow: Workflow, facts: Facts): Verdicts {
  return getOrMake(known, facts, () => findVerdicts(workflow, facts));
}

function findVerdicts(workflow: Workflow, facts: Facts): Verdicts {
  const { roots, rootDangles, states } = workflow;
  const met = statesMet(workflow, facts);
  const named = roots.length > 0 && !met.some((state) => leadsNowhere(state, workflow));
  const sound = named && !rootDangles && met.every((state) => doubtfulParts(state).size === 0);
  // A root that is missing adds runs: it can reach more, but takes no run back that is caught.
  const endless = named && !facts.machine.states.some(({ ends }) => ends) && !states.some(mayEnd);
  const trapped = named && !endless && !met.some(mayEnd) ? facts.trapped : [];
  const rounds = findRounds(workflow, facts);
  const held = endsEveryRun(workflow.budget);
  // A lap in a trap is no news where the trap is told.
  const loops = held || trapped.length === 0 ? rounds.unboundedLoops : rounds.openLoops;
  return {
    sound,
    unreachable: named && !rootDangles && met.length < states.length ? missed(states, met) : [],
    endless,
    trapped,
    neverCompletes: sound && !endless ? facts.neverCompletes : undefined,
    rounds,
    unbounded: held || workflow.budgetIsUnclear ? [] : loops,
    heldByBudget: held ? loops : [],
  };
}

function findRounds({ states }: Workflow, facts: Facts): Facts {
  const marked = new Set(states.flatMap((state) => (mayBeEnd(state) ? state.index : [])));
  const { machine, entered, exact, reentered } = facts;
  if (![...marked].some((index) => entered.has(index)) || (exact && reentered.size === 0)) return facts;
  const ending = machine.states.map((state) =>
    marked.has(state.index) ? { ...state, ends: true, edges: [] } : state,
  );
  return findFacts({ ...machine, states: ending });
}

/** The states that runs may enter, however often a guard that could not be read lets them. */
function statesMet({ states, stateNamed }: Workflow, { machine, entered }: Facts): readonly State[] {
  const certainly = states.filter(({ index }) => entered.has(index));
  if (!certainly.some(({ unclear }) => unclear.has("max_visits"))) return certainly;
  const next = ({ index, onMaxVisits }: State): readonly number[] => {
    const exit = onMaxVisits && stateNamed(onMaxVisits.text);
    const isGuarded = machine.states[index]?.maxVisits !== undefined;
    return [...targetsOf(machine, index), ...(exit && isGuarded ? [exit.index] : [])];
  };
  const met = reachable(digraph(states.map(next)), entered);
  return states.filter(({ index }) => met[index] === 1);
}

/** Whether the state may end the run, but could not be read. */
function mayEnd(state: State): boolean {
  const doubtful = doubtfulParts(state);
  return doubtful.has("state") || doubtful.has("terminal") || doubtful.has("on_event");
}

function missed(states: readonly State[], met: readonly State[]): readonly State[] {
  const left = new Set(met);
  return states.filter((state) => !state.isBlank && !left.has(state));
}
