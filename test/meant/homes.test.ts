import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { homeOf } from "../../src/meant/homes.js";

const { $defs } = JSON.parse(readFileSync("schema/promptpack-v1.4.schema.json", "utf8"));

it.each([
  ["prompt", "parameters", $defs.Parameters],
  ["model override", "parameters", $defs.Parameters],
  ["prompt", "tool_policy", $defs.ToolPolicy],
  ["variable", "validation", $defs.Variable.properties.validation],
  ["workflow", "engine.budget", $defs.Budget],
  ["state", "workflow.engine.budget", $defs.Budget],
  ["pack", "workflow.engine.budget", $defs.Budget],
])("knows what of %s belongs inside %s", (kind, home, { properties }) => {
  for (const name of Object.keys(properties)) expect([name, homeOf(name, kind)]).toEqual([name, home]);
});

it("knows no home for anything else", () => {
  expect(homeOf("colour", "prompt")).toBeUndefined();
  expect(homeOf("constructor", "prompt")).toBeUndefined();
  expect(homeOf("temperature", "constructor")).toBeUndefined();
});
