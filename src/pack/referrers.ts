import type { Key } from "../document/node.js";
import type { LocatedString } from "../document/spelled-values.js";
import type { Pack } from "./pack.js";
import type { State, Workflow } from "./workflow.js";

/** Every place that names a prompt as one: an agent is called like its prompt, and a state runs one. */
export function promptReferences({ agents, workflow }: Pack): readonly (LocatedString | Key)[] {
  const tasks = (workflow?.states ?? []).map(({ promptTask }) => promptTask);
  return [agents.entry, ...agents.members.map(({ name }) => name), ...tasks].flatMap((name) => name ?? []);
}

/** Where the workflow is entered: at its entry, and at the states of agents. */
function entryReferences({ agents, workflow }: Pack): readonly LocatedString[] {
  return [workflow?.entry, ...agents.members.map(({ state }) => state)].flatMap((name) => name ?? []);
}

/** Every place that names a state. */
export function stateReferences(pack: Pack): readonly LocatedString[] {
  return [...entryReferences(pack), ...(pack.workflow?.states ?? []).flatMap(targetReferences)];
}

/** Where the events of a state lead, and its forced exit. */
function targetReferences({ transitions, onMaxVisits }: State): readonly LocatedString[] {
  return [...transitions.map(({ target }) => target), onMaxVisits].flatMap((name) => name ?? []);
}

/** Whether a state or an agent names a prompt that is not there: what it would use is not known. */
export function hasUnknownPromptReference(pack: Pack): boolean {
  return promptReferences(pack).some(({ text }) => !pack.prompts.has(text));
}

/** Whether something names a state that is not there, or that could not be read. */
export function hasUnknownStateReference(pack: Pack, workflow: Workflow): boolean {
  return (
    entryReferences(pack).some(({ text }) => workflow.stateNamed(text) === undefined) ||
    workflow.states.some((state) => hasUnknownTarget(state, workflow))
  );
}

/** Whether a name in this state leads nowhere, even one that no run follows: what it stood for is not known. */
export function hasUnknownTarget(state: State, { stateNamed }: Workflow): boolean {
  return (
    state.isUnclear ||
    state.transitions.some(({ target }) => target === undefined) ||
    targetReferences(state).some(({ text }) => stateNamed(text) === undefined)
  );
}
