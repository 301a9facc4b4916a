import type { Agents } from "./agents.js";
import type { Pack } from "./pack.js";
import type { State, Workflow } from "./workflow.js";

/** Whether a state or an agent names a prompt that is not there: what it would use is not known. */
export function namesLostPrompts({ prompts, agents, workflow }: Pack): boolean {
  const named = [
    agents.entry,
    ...agents.members.map(({ name }) => name),
    ...(workflow?.states ?? []).map(({ promptTask }) => promptTask),
  ];
  return named.some((name) => name !== undefined && !prompts.has(name.text));
}

/** Whether something names a state that is not there, or that could not be read. */
export function namesLostStates(workflow: Workflow, agents: Agents): boolean {
  const { states, entry, stateNamed } = workflow;
  const roots = [entry, ...agents.members.map(({ state }) => state)];
  return (
    roots.some((name) => name !== undefined && stateNamed(name.text) === undefined) ||
    states.some((state) => leadsNowhere(state, workflow))
  );
}

/** Whether a name in this state leads nowhere, even one that no run follows: what it stood for is not known. */
export function leadsNowhere({ unclear, onEvent, onMaxVisits }: State, { stateNamed }: Workflow): boolean {
  const names = ["state", "on_event", "on_max_visits"] as const;
  if (names.some((part) => unclear.has(part))) return true;
  const targets = (onEvent?.transitions ?? []).map(({ target }) => target);
  if (onMaxVisits !== undefined) targets.push(onMaxVisits);
  return targets.some((target) => target === undefined || stateNamed(target.text) === undefined);
}
