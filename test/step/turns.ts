import type { StepFlags } from "../../src/cli/actions/step-pack.js";

/** A pack whose workflow goes round for ever; each visit adds a line to an artifact. */
export const pack = JSON.stringify({
  id: "round",
  name: "Round",
  version: "1.0.0",
  template_engine: { version: "v1", syntax: "{{variable}}" },
  prompts: { p: { id: "p", name: "P", version: "1.0.0", system_template: "Emit Next. {{artifacts.log}}" } },
  workflow: {
    version: 2,
    entry: "a",
    states: {
      a: {
        prompt_task: "p",
        on_event: { Next: "b" },
        artifacts: { log: { type: "text/plain", mode: "append" } },
      },
      b: {
        prompt_task: "p",
        on_event: { Next: "a" },
        artifacts: { log: { type: "text/plain", mode: "append" } },
      },
    },
  },
});

/** The turns of a run that never ends: a tool that fails now and then, and an event after each answer. */
export function* turns(): Generator<StepFlags> {
  const run = "run.json";
  const maxSteps = "900000000";
  yield { run, start: true, runId: "R1", goal: "go round", maxSteps, request: "fetch", step: ["1"] };
  for (let step = 1; ; step += 2) {
    const [now, next, later] = [step, step + 1, step + 2].map(String) as [string, string, string];
    const fails = step % 7 === 1;
    const answer = { run, tool: "fetch", attempt: fails ? "2" : "1" };
    if (fails) yield { ...answer, result: "error", attempt: "1", request: "fetch", step: [now, now] };
    yield { ...answer, result: "ok", step: [now] };
    yield { run, event: "Next", set: [`log=${next}`], request: "fetch", step: [next, later] };
  }
}
