import type { Machine } from "../../src/machine/machine.js";

/** A machine as a pack: its first root is the entry, the others are agents named after their states. */
export function machinePack(machine: Machine): string {
  const nameOf = (state: number): string => machine.states[state]?.name ?? "nowhere";
  const states = machine.states.map((state): [string, object] => [
    state.name,
    {
      prompt_task: "p",
      ...(state.maxVisits !== undefined && { max_visits: state.maxVisits }),
      ...(state.forcedExit !== undefined && { on_max_visits: nameOf(state.forcedExit) }),
      on_event: Object.fromEntries(state.edges.map(({ event, target }) => [event, nameOf(target)])),
    },
  ]);
  const [entry = 0, ...agents] = machine.roots;
  return JSON.stringify({
    id: "random",
    version: "1.0.0",
    prompts: { p: { id: "p", name: "P", version: "1.0.0", system_template: "Go on." } },
    workflow: {
      version: 1,
      entry: nameOf(entry),
      states: Object.fromEntries(states),
      engine: { budget: { max_total_visits: 1 } },
    },
    agents: {
      entry: "p",
      members: Object.fromEntries(agents.map((root) => [nameOf(root), { state: nameOf(root) }])),
    },
  });
}
