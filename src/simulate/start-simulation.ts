import { stringOf } from "../document/node.js";
import type { Machine } from "../machine/machine.js";
import type { Pack } from "../pack/pack.js";
import type { State, Workflow } from "../pack/workflow.js";
import { didYouMean } from "../text/names.js";
import { BadInput, listNames } from "../text/wording.js";
import type { SimulationContext } from "./run-text.js";
import { forcedExitTargetOf, readableComposition, type SimulationOptions } from "./simulation.js";

export function simulationOptions(
  { pack, workflow, modes }: Pick<SimulationContext, "pack" | "workflow" | "modes">,
  machine: Machine,
  startState: number,
  { agent, budget: hasBudget }: { readonly agent: string | undefined; readonly budget: boolean },
): SimulationOptions {
  const [id, version] = ["id", "version"].map((name) => stringOf(pack.root.get(name)));
  const { budget } = workflow;
  return {
    machine,
    startState,
    budget: hasBudget
      ? {
          maxTotalVisits: budget?.maxTotalVisits?.value,
          maxToolCalls: budget?.maxToolCalls?.value,
          maxWallTimeSec: budget?.maxWallTimeSec?.value,
        }
      : {},
    declaredBy: (state) => modes.of(state),
    forcedExitTarget: (state) => forcedExitTargetOf(workflow.states[state]),
    compositionOf: (state) => readableComposition(workflow.states[state]),
    pack: { ...(id !== undefined && { id }), ...(version !== undefined && { version }) },
    agent,
  };
}

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
