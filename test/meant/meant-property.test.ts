import { describe, expect, it } from "vitest";
import { meantProperty } from "../../src/meant/meant-property.js";

describe("meantProperty", () => {
  it.each([
    ["promt_task", ["prompt_task", "on_event"], "prompt_task"],
    ["prompt", ["prompt_task", "on_event"], "prompt_task"],
    ["maxVisits", ["max_total_visits", "max_tool_calls"], "max_total_visits"],
    ["max", ["max_total_visits", "max_tool_calls"], undefined],
    ["max", ["max_length", "maximum"], "maximum"],
    ["min", ["min_length"], "min_length"],
    ["visits_max", ["max_total_visits"], undefined],
    ["systemPrompt", ["system_template", "name"], "system_template"],
    ["system_prompt", ["name"], undefined],
    ["content", ["system_template", "name"], "system_template"],
    ["text", ["system_template", "name"], "system_template"],
    ["messages", ["system_template", "name"], "system_template"],
    ["nodes", ["entry", "states"], "states"],
    ["steps", ["entry", "states"], "states"],
    ["steps", ["max_visits", "on_event"], undefined],
    ["StartAt", ["entry", "states"], "entry"],
    ["entry_state", ["entry", "states"], "entry"],
    ["entryPoint", ["entry", "states"], "entry"],
    ["entrypoint", ["entry", "members"], "entry"],
    ["transitions", ["on_event", "on_max_visits"], "on_event"],
    ["nextState", ["on_event", "on_max_visits"], "on_event"],
    ["on_success", ["on_event", "on_max_visits"], "on_event"],
    ["Next", ["on_event", "on_max_visits"], undefined],
    ["OnComplete", ["on_event", "on_max_visits"], undefined],
    ["next", ["entry", "states"], undefined],
    ["isTerminal", ["terminal", "on_event"], "terminal"],
    ["end", ["terminal", "on_event"], "terminal"],
    ["end", ["entry", "members"], undefined],
    ["max_iterations", ["max_visits", "on_max_visits"], "max_visits"],
    ["maxIterations", ["max_total_visits", "max_tool_calls"], "max_total_visits"],
    ["max_retries", ["max_total_visits", "max_tool_calls"], undefined],
    ["version_notes", ["version"], undefined],
    ["", ["name"], undefined],
    ["_", ["name"], undefined],
  ])("%s among %j is %s", (name, known, expected) => {
    expect(meantProperty(name, known)).toBe(expected);
  });

  it("does not look at the words of a huge name", () => {
    expect(meantProperty("on_".repeat(1_000_000), ["on_event"])).toBeUndefined();
  });
});
