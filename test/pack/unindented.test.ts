import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { head } from "./pack-head.js";

const prompt = (id: string, template: string) =>
  `  ${id}: {id: ${id}, name: P, version: 1.0.0, system_template: "${template}"}\n`;
const findingsIn = (pack: string, file = "pack.yaml") =>
  lint(pack, { file }).diagnostics.map(({ pointer, message }) => `${pointer} ${message}`);
const workflow = (states: string) =>
  `prompts:\n${prompt("a", "Go")}workflow:\n  version: 1\n  entry: s\n  states:\n${states}`;

/** Each pack is sound but for properties that stand beside the thing they belong to. */
const packs: readonly (readonly [what: string, pack: string, finding: string])[] = [
  [
    "a template",
    "prompts:\n  a:\n    id: a\n    name: A\n    version: 1.0.0\n  system_template: Hi\n",
    '/prompts/system_template "system_template" is a property of a prompt, not a prompt. Move it inside "a".',
  ],
  [
    "variables",
    `prompts:\n${prompt("a", "{{x}}")}  variables: [{name: x, type: string, required: true}]\n${prompt("b", "Hi")}`,
    '/prompts/variables "variables" is a property of a prompt, not a prompt. Move it inside "a".',
  ],
  [
    "all of a prompt but its name",
    'prompts:\n  a:\n  id: a\n  name: A\n  version: 1.0.0\n  system_template: "{{x}}"\n  variables: [{name: x, type: string, required: true}]\n',
    '/prompts/id "id", "name", "version", "system_template" and "variables" are properties of a prompt, not prompts. Move them inside "a".',
  ],
  [
    "all of an artifact but its name",
    `prompts:\n${prompt("a", "Go")}${prompt("b", "{{artifacts.x}}")}workflow:\n  version: 2\n  entry: s\n  states:\n    s:\n      prompt_task: a\n      on_event: {Go: t}\n      artifacts:\n        x:\n        type: text/plain\n        mode: append\n    t: {prompt_task: b, terminal: true, artifacts: {x: {type: text/plain, mode: append}}}\n`,
    '/workflow/states/s/artifacts/type "type" and "mode" are properties of an artifact, not artifacts. Move them inside "x".',
  ],
  [
    "a prompt without a name",
    "prompts:\n  id: a\n  name: A\n  version: 1.0.0\n  system_template: Hi\nworkflow: {version: 1, entry: s, states: {s: {prompt_task: a, terminal: true}}}\n",
    '/prompts/id "id", "name", "version" and "system_template" are properties of a prompt, not prompts. Move them below the name of a prompt.',
  ],
  [
    "the events of a state",
    workflow(
      "    s:\n      prompt_task: a\n    on_event:\n      Go: t\n    t: {prompt_task: a, terminal: true}\n",
    ),
    '/workflow/states/on_event "on_event" is a property of a state, not a state. Move it inside "s".',
  ],
  [
    "an artifact of a state, and its events with it",
    workflow(
      "    s:\n      prompt_task: a\n    artifacts:\n      x: {type: text/plain}\n      on_event: {Go: t}\n    t: {prompt_task: b, terminal: true, artifacts: {x: {type: text/plain}}}\n",
    )
      .replace("version: 1\n  entry", "version: 2\n  entry")
      .replace("workflow:", `${prompt("b", "{{artifacts.x}}")}workflow:`),
    '/workflow/states/artifacts "artifacts" is a property of a state, not a state. Move it inside "s".',
  ],
  [
    "a state without a name",
    workflow("    prompt_task: a\n    terminal: true\n"),
    '/workflow/states/prompt_task "prompt_task" and "terminal" are properties of a state, not states. Move them below the name of a state.',
  ],
  [
    "the description of a tool",
    "prompts:\n  a: {id: a, name: A, version: 1.0.0, system_template: Hi, tools: [t]}\ntools:\n  t:\n    name: t\n  description: T\n",
    '/tools/description "description" is a property of a tool, not a tool. Move it inside "t".',
  ],
  [
    "the tags of an agent",
    `prompts:\n${prompt("a", "Hi")}agents:\n  entry: a\n  members:\n    a:\n    tags: [x]\n`,
    '/agents/members/tags "tags" is a property of an agent, not an agent. Move it inside "a".',
  ],
];

describe("a property beside the thing it belongs to is one fault", () => {
  it.each(packs)("%s", (_what, pack, finding) => {
    expect(findingsIn(head + pack)).toEqual([finding]);
  });

  it("in JSON as in YAML", () => {
    const pack =
      '{"id": "p", "name": "P", "version": "1.0.0", "template_engine": {"version": "v1", "syntax": "{{variable}}"}, ' +
      '"prompts": {"a": {"id": "a", "name": "A", "version": "1.0.0"}, "system_template": "Hi"}}';
    expect(findingsIn(pack, "pack.json")).toEqual([
      '/prompts/system_template "system_template" is a property of a prompt, not a prompt. Move it inside "a".',
    ]);
  });
});

describe("the state of an agent of which nothing but the name is written", () => {
  const states =
    "    s: {prompt_task: a, on_event: {Go: t}}\n" +
    "    u: {prompt_task: a, on_event: {Go: t}}\n    t: {prompt_task: a, terminal: true}\n";
  const findings = (member: string) =>
    findingsIn(`${head}${workflow(states)}agents:\n  entry: a\n  members:\n    a: ${member}\n`);
  const nothing =
    '/agents/members/a Agent "a" must be an object, found nothing (null). Write {} for an empty object.';
  const unreachable =
    '/workflow/states/u Runs from "s" never enter "u": nothing leads there. Add an event that leads to it, or remove it.';

  it("is none", () => {
    expect(findings("{}")).toEqual([unreachable]);
    for (const member of ["", "null"]) expect(findings(member)).toEqual([unreachable, nothing]);
    for (const other of ["7", "[]", "{state: 7}"])
      expect(findings(other)).toEqual([expect.stringMatching(/^\/agents\/members\/a/u)]);
  });

  it("may stand beside it, beside the members, or at the top level", () => {
    expect(findings("\n    state: u")).toEqual([
      '/agents/members/state "state" is a property of an agent, not an agent. Move it inside "a".',
    ]);
    expect(findings("\n  state: u")).toEqual([
      nothing,
      '/agents/state "state" is not a property of "agents". "agents" takes "entry" and "members".',
    ]);
    expect(findings("\nstate: u")).toEqual([nothing, expect.stringMatching(/^\/state "state" is not/u)]);
  });
});

it("what else is wrong with the thing and its property is told", () => {
  const pack = 'prompts:\n  a:\n    id: a\n    nam: A\n    verison: 1\n  system_template: "{{x}}"\n';
  expect(findingsIn(head + pack)).toEqual([
    '/prompts/a/nam "nam" is not a property of a prompt. Did you mean "name"?',
    '/prompts/a/verison "verison" is not a property of a prompt. Did you mean "version"?',
    '/prompts/system_template "system_template" is a property of a prompt, not a prompt. Move it inside "a".',
    '/prompts/system_template Prompt "a" reads the variable "x", but does not declare it. Add it to "variables".',
  ]);
});

it("what is called like a property may be a thing", () => {
  const states =
    "    s: {prompt_task: a, on_event: {Go: skills}}\n    skills: {prompt_task: a, terminal: true}\n";
  expect(findingsIn(head + workflow(states))).toEqual([]);
  expect(findingsIn(`${head}prompts:\n${prompt("a", "Hi")}  tools:\n`)).toEqual([
    '/prompts/tools Prompt "tools" must be an object with "id", "name", "version" and "system_template"; found nothing (null).',
  ]);
});

it("no fix is written into a state of which a part stands elsewhere", () => {
  const states = "    s:\n      prompt_task: a\n    description: The end\n";
  const found = lint(head + workflow(states), { file: "pack.yaml" }).diagnostics;
  expect(found.map(({ rule, fix }) => [rule, fix])).toEqual([
    ["ambiguous-terminal", undefined],
    ["schema", undefined],
  ]);
});

it("a state that is called like a property is one, though half of it is unknown", () => {
  const states = "    s: {prompt_task: a, on_event: {Go: skills}}\n    skills: {llm: a, terminal: true}\n";
  expect(findingsIn(head + workflow(states))).toEqual([
    '/workflow/states/skills State "skills" has no "prompt_task".',
    '/workflow/states/skills/llm "llm" is not a property of a state.',
  ]);
});
