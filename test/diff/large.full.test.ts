import { expect, it } from "vitest";
import { compareTexts } from "./compare-texts.js";

const prompt = (more: object = {}) => ({ id: "a", version: "1.0.0", system_template: "Hello.", ...more });
const pack = (more: object) =>
  JSON.stringify({ id: "a", version: "1.0.0", prompts: { a: prompt() }, ...more });
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

function rulesOf(before: string, after: string): readonly string[] {
  return compareTexts(before, after).changes.map(({ rule }) => rule);
}

it("compares a hundred kilobytes of text to their end", () => {
  const text = "All work and no play. ".repeat(5_000);
  const [before, after] = ["quiet", "quick"].map((word) =>
    pack({ prompts: { a: prompt({ system_template: text + word }) } }),
  ) as [string, string];
  const { changes } = compareTexts(before, after);
  expect(changes.map(({ at }) => after.slice(at.start, at.end))).toEqual(['"system_template"']);
});

it("compares ten thousand variables with as many others", () => {
  const variables = (name: string) =>
    range(10_000).map((index) => ({ name: `${name}${index}`, type: "string", required: true }));
  const of = (name: string) => pack({ prompts: { a: prompt({ variables: variables(name) }) } });
  const found = rulesOf(of("a"), of("b"));
  expect(found.filter((rule) => rule === "variable-required")).toHaveLength(10_000);
  expect(found.filter((rule) => rule === "variable-removed")).toHaveLength(10_000);
});

it("compares thousands of prompts that share a large fragment", () => {
  const prompts = Object.fromEntries(
    range(3_000).map((index) => [
      `p${index}`,
      prompt({ system_template: "{{fragments.long}} {{fragments.same}}" }),
    ]),
  );
  const long = "All work and no play. ".repeat(5_000);
  const of = (end: string) => pack({ prompts, fragments: { long: long + end, same: "Same." } });
  const other = "Other.".repeat(10_000);
  expect(rulesOf(of("a"), of("a") + " ")).toEqual([]);
  expect(rulesOf(of("a"), of("b"))).toHaveLength(3_000);
  expect(rulesOf(of("a"), of("a").replace('"Same."', JSON.stringify(other)))).toHaveLength(3_000);
});

it("gives up on fragments that include each other exponentially often", () => {
  const fragments = Object.fromEntries(
    range(45).map((index) => [`f${index}`, `{{fragments.f${index + 1}}} {{fragments.f${index + 1}}}`]),
  );
  const of = (last: string) =>
    pack({
      prompts: { a: prompt({ system_template: "{{fragments.f0}}" }) },
      fragments: { ...fragments, f45: last },
    });
  expect(rulesOf(of(" "), of("  "))).toEqual(["template-changed"]);
  expect(rulesOf(of("a"), of("a"))).toEqual([]);
});

it("follows fragments in a circle, and long chains of them", () => {
  const chain = Object.fromEntries(
    range(20_000).map((index) => [`f${index}`, `{{fragments.f${index + 1}}}`]),
  );
  const of = (last: string) =>
    pack({
      prompts: { a: prompt({ system_template: "{{fragments.f0}} x" }) },
      fragments: { ...chain, f20000: last },
    });
  // Nobody includes fifty fragments in each other: what is deeper counts as the tag that is written.
  expect(rulesOf(of("a"), of("b"))).toEqual([]);
  const circle = (end: string) =>
    pack({
      prompts: { a: prompt({ system_template: "{{fragments.x}}" }) },
      fragments: { x: "x {{fragments.y}}", y: `y {{fragments.x}} ${end}` },
    });
  expect(rulesOf(circle("a"), circle("b"))).toEqual(["template-changed"]);
});

it("compares parameters that are nested as deeply as a file may be", () => {
  const nested = (type: string): object =>
    range(90).reduce<object>((inner) => ({ type: "object", properties: { x: inner } }), { type });
  const of = (type: string) => pack({ tools: { t: { name: "t", parameters: nested(type) } } });
  expect(rulesOf(of("integer"), of("number"))).toEqual(["tool-parameters-changed"]);
});

it("compares tools, evals, agents, artifacts and states by the thousand", () => {
  const named = (name: string, value: object) =>
    Object.fromEntries(range(2_000).map((index) => [`${name}${index}`, value]));
  const of = (name: string) =>
    pack({
      prompts: { a: prompt({ tools: range(2_000).map((index) => `${name}_tool${index}`) }) },
      evals: range(2_000).map((index) => ({ id: `${name}${index}`, type: "x", trigger: "every_turn" })),
      agents: { entry: "a", members: named(name, {}) },
      workflow: {
        version: 1,
        entry: "s",
        states: { s: { prompt_task: "a", artifacts: named(name, { type: "text/plain" }) } },
      },
    });
  const found = rulesOf(of("a"), of("b"));
  const counts = new Map<string, number>();
  for (const rule of found) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    "tool-added": 2_000,
    "tools-of-prompt-changed": 1,
    "eval-added": 2_000,
    "eval-removed": 2_000,
    "agent-added": 2_000,
    "agent-removed": 2_000,
    "artifact-added": 2_000,
    "artifact-removed": 2_000,
  });
});
