import type { State, Workflow } from "../../pack/workflow.js";
import { didYouMean } from "../../words/nearest-name.js";
import { UsageError } from "../terminal/usage-error.js";

/** The state in which runs of a workflow start. */
export function entryState(workflow: Workflow): State {
  const name = workflow.entry?.text;
  if (name === undefined)
    throw new UsageError('The workflow has no state to start in: run "promptpack lint".');
  const state = workflow.stateNamed(name);
  if (state !== undefined) return state;
  throw new UsageError(
    `The workflow's entry "${name}" is not a state.${didYouMean(name, workflow.stateNames())}`,
  );
}
