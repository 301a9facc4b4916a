import { type Finding, lapOf } from "../diagnostic.js";
import type { Trap } from "../machine/facts.js";
import { runFaults } from "../machine/verdicts.js";
import { endsEveryRun, type Workflow } from "../pack/workflow.js";
import { joinWords, listNames } from "../text/wording.js";
import type { GraphRule } from "./rule.js";
import { findingWithWitness, stateNamesOf } from "./shared/describe-loop.js";

export const trappedStates: GraphRule = {
  id: "trapped-states",
  subject: "graph",
  summary: "From every state that can be entered, a run can end.",
  severity: "warning",
  source: "RFC 0005, rule 2; workflow guide, circular loops without exit",
  defersTo: ["no-terminal-state"],
  *check(workflow, facts, _pack, { isOn }) {
    const until = endsEveryRun(workflow.budget) ? "until the budget ends it" : "forever";
    for (const region of runFaults(workflow, facts, isOn)["trapped-states"]) {
      const names = stateNamesOf(workflow, region.states);
      yield* findingWithWitness(workflow, region, {
        message: `A run can get trapped in ${listNames(names)} ${until}: ${reasonText(workflow, region)}.`,
        advice: adviceFor(workflow, region),
        data: { states: names },
        ...relatedPlaces(workflow, region),
      });
    }
  },
};

/** Why runs cannot leave; guards that trap only some of the states are listed with those. */
function reasonText(workflow: Workflow, { states, closedBy }: Trap): string {
  const why =
    states.length === 1 ? "its events lead only back to it" : "their events lead only to each other";
  const closures = closedBy().filter(({ guards }) => guards?.length !== 0);
  return closures.reduce((words, { states: some, guards }) => {
    const names = guards && listNames(stateNamesOf(workflow, guards));
    const once =
      names === undefined
        ? "depending on which guards are spent"
        : `once ${names} ${guards?.length === 1 ? "is" : "are"} spent`;
    return some.length === states.length
      ? `${once}, ${words}`
      : `${words}, those of ${listNames(stateNamesOf(workflow, some))} ${once}`;
  }, why);
}

/** An exit helps only in a state that every trapped run comes to. */
function adviceFor(workflow: Workflow, { states, sinkLoops }: Trap): string {
  const [sink, ...others] = sinkLoops();
  if (states.length === 1 || sink?.length === states.length)
    return "Add an event that leads to a state that ends the run.";
  if (sink === undefined) return "Wherever runs loop, add an event that leads to a state that ends the run.";
  const where = [sink, ...others].map((each) => `in ${listNames(stateNamesOf(workflow, each))}`);
  if (where.length > maxSinkLoops) where.splice(maxSinkLoops - 1, where.length, "elsewhere");
  return others.length === 0
    ? `Every trapped run ends up ${where[0]}: add an event there that leads to a state that ends the run.`
    : `Trapped runs end up ${joinWords(where, "or")}: add an event in each that leads to a state that ends the run.`;
}

const maxSinkLoops = 3;

/** Where the run shown loops, or at least gets trapped, if that is not the place of the finding. */
function relatedPlaces({ stateNamed }: Workflow, { states, witness }: Trap): Pick<Finding, "related"> {
  const [lap] = lapOf(witness) ?? [];
  const name = lap?.from ?? witness?.steps.at(-1)?.to;
  const trapped = name === undefined ? undefined : stateNamed(name);
  if (trapped === undefined || trapped.index === states[0]) return {};
  const message = lap === undefined ? "the run shown gets trapped here" : "the run shown loops from here";
  return { related: [{ at: trapped.name, message }] };
}
