import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";

const head = "id: p\nname: P\nversion: 1.0.0\n";
const engine = 'template_engine:\n  version: v1\n  syntax: "{{variable}}"\n';
const prompt = (id: string, parts: string) => `  ${id}: {id: ${id}, name: P, version: 1.0.0, ${parts}}\n`;
const findingsIn = (pack: string) =>
  lint(head + pack, { file: "pack.yaml" }).diagnostics.map(({ rule, pointer }) => `${rule} ${pointer}`);

/** Each pack is sound but for one section that stands inside another. */
const packs: readonly (readonly [place: string, pack: string])[] = [
  [
    "/prompts/fragments",
    `${engine}prompts:\n${prompt("a", 'system_template: "{{fragments.x}} {{y}}"')}  fragments: {x: X, y: Y}\n`,
  ],
  [
    "/prompts/workflow",
    `${engine}prompts:\n${prompt("a", 'system_template: "{{artifacts.x}}"')}${prompt("b", "system_template: Next")}` +
      "  workflow: {version: 2, entry: s, states: {s: {prompt_task: b, on_event: {Next: t}, artifacts: &x {x: {type: text/plain}}}, " +
      "t: {prompt_task: a, terminal: true, artifacts: *x}}}\nagents: {entry: a, members: {a: {state: t}}}\n",
  ],
  [
    "/fragments/tools",
    `${engine}fragments:\n  f: F\n  tools: {t: {name: t, description: T}}\nprompts:\n${prompt("a", 'system_template: "{{f}}", tools: [t]')}`,
  ],
  [
    "/workflow/agents",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [b, t]")}${prompt("b", "system_template: Hi")}` +
      "tools: {t: {name: t, description: T}}\nworkflow:\n  version: 1\n  entry: s\n  states: {s: {prompt_task: a, terminal: true}}\n" +
      "  agents: {entry: a, members: {a: {state: s}, b: {}}}\n",
  ],
  [
    "/workflow/skills",
    `${engine}prompts:\n${prompt("a", "system_template: Hi")}workflow:\n  version: 1\n  entry: s\n` +
      "  states: {s: {prompt_task: a, terminal: true, skills: n}}\n  skills: [{name: n, description: N, instructions: I}]\n",
  ],
  [
    "/workflow/states/agents",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [b, t]")}${prompt("b", "system_template: Hi")}` +
      "tools: {t: {name: t, description: T}}\nworkflow:\n  version: 1\n  entry: s\n  states:\n    s: {prompt_task: a, terminal: true}\n" +
      "    agents: {entry: a, members: {a: {state: s}, b: {}}}\n",
  ],
  [
    "/workflow/states/skills",
    `${engine}prompts:\n${prompt("a", "system_template: Hi")}workflow:\n  version: 1\n  entry: s\n  states:\n` +
      "    s: {prompt_task: a, terminal: true, skills: n}\n    skills: [{name: n, description: N, instructions: I}]\n",
  ],
  [
    "/workflow/states/tools",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [t]")}workflow:\n  version: 1\n  entry: s\n  states:\n` +
      "    s: {prompt_task: a, terminal: true}\n    tools: {t: {name: t, description: T}}\n",
  ],
  [
    "/template_engine/prompts",
    `${engine}  prompts:\n  ${prompt("a", "system_template: Hi")}workflow: {version: 1, entry: s, states: {s: {prompt_task: a, terminal: true}}}\n`,
  ],
];

describe("what follows from a section that is indented too far is not told", () => {
  it.each(packs)("%s", (place, pack) => {
    expect(findingsIn(pack)).toEqual([`schema ${place}`]);
  });
});

it("says of each where it belongs", () => {
  for (const [place, pack] of packs) {
    const [finding] = lint(head + pack, { file: "pack.yaml" }).diagnostics;
    const name = place.split("/").at(-1);
    expect(finding?.message).toMatch(
      new RegExp(`^"${name}" is a section of the pack, .*: move it to the top level.$`),
    );
  }
});

it("what is wrong inside such a section is told", () => {
  const tools = "  tools: {t: {name: t, description: T}}\n";
  expect(findingsIn(`${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [u]")}${tools}`)).toEqual([
    "unknown-tool /prompts/a/tools/0",
    "schema /prompts/tools",
  ]);
});

it("a prompt that has the name of a section is a prompt", () => {
  const called = prompt("tools", 'system_template: "{{x}}"');
  expect(findingsIn(`${engine}prompts:\n${called}`)).toEqual([
    "undeclared-variable /prompts/tools/system_template",
  ]);
});
