/** A loop that guards end, one that only the budget ends, tools with limits, agents, an unreachable state. */
export const support = `
$schema: https://promptpack.org/schema/v1.4.1/promptpack.schema.json
id: support
name: Support desk
version: 2.1.0
prompts:
  triage:
    id: triage
    system_template: "{{style}} Notes: {{artifacts.notes}}"
    tools: [search]
    tool_policy: { max_rounds: 3, max_tool_calls_per_turn: 2 }
    evals: [{ id: polite }]
  solver: { id: solver, system_template: "Solve {{artifacts.ticket}}.", tools: [search, reply], tool_policy: { max_rounds: 4 } }
  closer: { id: closer, system_template: Say goodbye., tools: [reply], tool_policy: { tool_choice: none } }
fragments: { style: Be kind. Notes }
tools:
  search: { name: search }
  reply: { name: reply }
evals: [{ id: helpful }]
workflow:
  version: 2
  entry: intake
  engine: { budget: { max_total_visits: 30, max_wall_time_sec: 600 } }
  states:
    intake:
      prompt_task: triage
      max_visits: 3
      on_max_visits: close
      artifacts:
        ticket: { type: text/plain }
        notes: { type: text/markdown, mode: append }
      on_event: { Clear: solve, Unclear: intake }
    solve:
      prompt_task: solver
      max_visits: 2
      artifacts: { notes: { type: text/markdown, mode: append } }
      on_event: { Solved: close, Reopened: intake }
    close: { prompt_task: closer, terminal: true }
    attic: { prompt_task: closer, on_event: { Up: close } }
agents:
  entry: triage
  members: { triage: {}, solver: { state: solve } }
`;

/** So many guards that not every run can be tried. */
export function manyGuards(count: number): string {
  const states = Array.from({ length: count }, (_, i) => {
    const events = { Next: `s${(i + 1) % count}`, Skip: `s${(i + 2) % count}` };
    return [`s${i}`, { prompt_task: "p", max_visits: 50, on_event: events }] as const;
  });
  return JSON.stringify({
    id: "many",
    workflow: {
      version: 1,
      entry: "s0",
      states: { ...Object.fromEntries(states), free: { on_event: { Round: "free", In: "s0" } } },
    },
    agents: { members: { p: { state: "free" } } },
  });
}
