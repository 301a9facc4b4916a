import type { Pack } from "../pack/pack.js";
import type { State, Workflow } from "../pack/workflow.js";
import { didYouMean } from "../text/names.js";
import { BadInput, listNames } from "../text/wording.js";

/** The state in which a run starts: the agent's, if one is named, or else the entry. */
export function startState({ agents }: Pack, workflow: Workflow, agent: string | undefined): State {
  const { members } = agents;
  const member = members.find(({ name }) => name.text === agent);
  const target = agent === undefined ? workflow.entry?.text : member?.state?.text;
  const state = target === undefined ? undefined : workflow.stateNamed(target);
  if (state !== undefined) return state;
  if (target !== undefined) {
    const fault =
      agent === undefined
        ? `The workflow's entry "${target}" is not a state.`
        : `The agent "${agent}" starts in "${target}", which is not a state.`;
    throw new BadInput(fault + didYouMean(target, workflow.stateNames()));
  }
  if (agent === undefined)
    throw new BadInput('The workflow has no state to start in: run "promptpack lint".');
  const names = members
    .filter((each) => each.state !== undefined && workflow.stateNamed(each.state.text) !== undefined)
    .map(({ name }) => name.text);
  const known =
    names.length === 0
      ? " No agent of this pack has one."
      : ` These agents have one: ${listNames(names, 12)}.`;
  throw new BadInput(
    `There is no agent "${agent}" with a state to start in.${didYouMean(agent, names) || known}`,
  );
}
