import { expect, it } from "vitest";
import { lint } from "../../src/index.js";

it("a loop of one state is told by name, be there too many loops to show a lap of each", () => {
  const states = Array.from({ length: 1000 }, (_, index) => [
    `s${index}`,
    { prompt_task: "p", on_event: { Again: `s${index}`, Next: index < 999 ? `s${index + 1}` : "end" } },
  ]);
  const { diagnostics } = lint(
    JSON.stringify({
      id: "many",
      name: "Many",
      version: "1.0.0",
      template_engine: { version: "v1", syntax: "{{variable}}" },
      prompts: { p: { id: "p", name: "P", version: "1.0.0", system_template: "Say Again or Next." } },
      workflow: {
        version: 2,
        entry: "s0",
        states: { ...Object.fromEntries(states), end: { prompt_task: "p", terminal: true } },
      },
    }),
    { file: "many.pack.json" },
  );
  const loops = diagnostics.filter(({ rule }) => rule === "unbounded-loop");
  expect(loops).toHaveLength(1000);
  expect(loops.filter(({ trace }) => trace === null || trace === undefined)).not.toEqual([]);
  for (const [index, { message }] of loops.entries())
    expect(message).toContain(`Give "s${index}" a max_visits`);
});
