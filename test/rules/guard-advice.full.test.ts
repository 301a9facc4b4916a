import { expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { packOf } from "../drawing/drawn.js";

it("the advice names the state of each loop, even with too many loops to show a lap of each", () => {
  const states = Array.from({ length: 1000 }, (_, index): [string, object] => [
    `s${index}`,
    { on_event: { Again: `s${index}`, Next: index < 999 ? `s${index + 1}` : "end" } },
  ]);
  const pack = packOf({ ...Object.fromEntries(states), end: { terminal: true } });
  const { diagnostics } = lint(pack, { file: "many.pack.json" });
  const loops = diagnostics.filter(({ rule }) => rule === "unbounded-loop");
  expect(loops).toHaveLength(1000);
  expect(loops.filter(({ trace }) => trace === null || trace === undefined)).not.toEqual([]);
  for (const [index, { message }] of loops.entries())
    expect(message).toContain(`Give "s${index}" a max_visits`);
});
