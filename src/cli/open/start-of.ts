import type { Pack } from "../../pack/pack.js";
import type { State, Workflow } from "../../pack/workflow.js";
import { didYouMean } from "../../words/nearest-name.js";
import { listNames } from "../../words/wording.js";
import { UsageError } from "../terminal/usage-error.js";
import { entryState } from "./entry-of.js";

/** The state in which a run starts: that of the agent, where one is named. */
export function startState({ agents }: Pack, workflow: Workflow, agent: string | undefined): State {
  if (agent === undefined) return entryState(workflow);
  const { members } = agents;
  const target = members.find(({ name }) => name.text === agent)?.state?.text;
  const state = target === undefined ? undefined : workflow.stateNamed(target);
  if (state !== undefined) return state;
  if (target !== undefined) {
    const meant = didYouMean(target, workflow.stateNames());
    throw new UsageError(`The agent "${agent}" starts in "${target}", which is not a state.${meant}`);
  }
  const names = members
    .filter((member) => member.state !== undefined && workflow.stateNamed(member.state.text) !== undefined)
    .map(({ name }) => name.text);
  const known =
    names.length === 0
      ? " No agent of this pack has one."
      : ` These agents have one: ${listNames(names, 12)}.`;
  throw new UsageError(
    `There is no agent "${agent}" with a state to start in.${didYouMean(agent, names) || known}`,
  );
}
