import { type Finding, lapOf } from "../diagnostic.js";
import type { Trap } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import { endsEveryRun, type Workflow } from "../pack/workflow.js";
import { listNames } from "../words/wording.js";
import type { WorkflowRule } from "./rule.js";
import { lostStateRules } from "./shared/held-back.js";
import { namesOf, witnessed } from "./shared/loop-words.js";

export const trappedStates: WorkflowRule = {
  id: "trapped-states",
  subject: "workflow",
  summary: "From every state that can be entered, a run can end.",
  severity: "warning",
  source: "RFC 0005, rule 2; workflow guide, circular loops without exit",
  heldBackBy: [...lostStateRules, "no-terminal-state"],
  *check(workflow, facts) {
    const until = endsEveryRun(workflow.budget) ? "until the budget ends it" : "forever";
    for (const region of verdictsOf(workflow, facts).trapped) {
      const names = namesOf(workflow, region.states);
      yield* witnessed(workflow, region, {
        message: `A run can get caught in ${listNames(names)} ${until}: ${reason(workflow, region)}.`,
        advice: "Add an event that leads to a state that ends the run.",
        data: { states: names },
        ...related(workflow, region),
      });
    }
  },
};

/** Why it cannot leave; guards that shut in only some of the states are told of these alone. */
function reason(workflow: Workflow, { states, closedBy }: Trap): string {
  const why =
    states.length === 1 ? "its events lead only back to it" : "their events lead only to each other";
  const closures = closedBy().filter(({ guards }) => guards?.length !== 0);
  return closures.reduce((words, { states: some, guards }) => {
    const once =
      guards === undefined ? "depending on which guards are spent" : onceSpent(namesOf(workflow, guards));
    return some.length === states.length
      ? `${once}, ${words}`
      : `${words}, those of ${listNames(namesOf(workflow, some))} ${once}`;
  }, why);
}

function onceSpent(guards: readonly string[]): string {
  return `once ${listNames(guards)} ${guards.length === 1 ? "is" : "are"} spent`;
}

/** Where the run that is shown goes round, or is caught at least, if the finding is not shown there itself. */
function related({ stateNamed }: Workflow, { states, witness }: Trap): Pick<Finding, "related"> {
  const [lap] = lapOf(witness) ?? [];
  const name = lap?.from ?? witness?.steps.at(-1)?.to;
  const caught = name === undefined ? undefined : stateNamed(name);
  if (caught === undefined || caught.index === states[0]) return {};
  const message = lap === undefined ? "the run shown is caught here" : "the run shown goes round from here";
  return { related: [{ at: caught.name, message }] };
}
