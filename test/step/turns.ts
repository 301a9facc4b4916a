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

/** The turns of a run that never ends, as flags: a tool that fails now and then, and an event after each answer. */
export function* turns(): Generator<readonly string[]> {
  yield [
    "--start",
    "--run-id",
    "R1",
    "--goal",
    "go round",
    "--max-steps",
    "900000000",
    "--request",
    "fetch",
    "--step",
    "1",
  ];
  for (let step = 1; ; step += 2) {
    const answer = ["--step", String(step), "--tool", "fetch", "--attempt"];
    const fails = step % 7 === 1;
    if (fails) yield ["--result", "error", ...answer, "1", "--request", "fetch", "--step", String(step)];
    yield ["--result", "ok", ...answer, fails ? "2" : "1"];
    yield [
      "--event",
      "Next",
      "--step",
      String(step + 1),
      "--set",
      `log=${step + 1}`,
      "--request",
      "fetch",
      "--step",
      String(step + 2),
    ];
  }
}
