import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";

const head = 'id: p\nname: P\nversion: 1.0.0\ntemplate_engine: {version: v1, syntax: "{{variable}}"}\n';
const prompt = (parts = "system_template: Say Go") => `{id: a, name: A, version: 1.0.0, ${parts}}`;
const findingsIn = (pack: string) =>
  lint(head + pack, { file: "pack.yaml" }).diagnostics.map(({ rule, pointer }) => `${rule} ${pointer}`);

const workflow =
  "workflow: {version: 1, entry: s, states: {s: {prompt_task: a, on_event: {Go: t}}, t: {prompt_task: a, terminal: true}}}\n";
const agents = "agents: {entry: a, members: {a: {state: s}}}\n";

/** Each section is one that others speak of. */
const packs: readonly (readonly [place: string, pack: (value: string) => string, empty: string])[] = [
  [
    "/prompts",
    (value) => `prompts: ${value}\n${workflow}${agents}tools: {t: {name: t, description: T}}\n`,
    "{}",
  ],
  [
    "/workflow/states",
    (value) => `prompts: {a: ${prompt()}}\nworkflow: {version: 1, entry: s, states: ${value}}\n${agents}`,
    "{}",
  ],
  [
    "/agents/members",
    (value) =>
      `prompts: {a: ${prompt("system_template: Say Go, tools: [t]")}}\ntools: {t: {name: t, description: T}}\n` +
      `agents: {entry: a, members: ${value}}\n`,
    "{}",
  ],
  [
    "/prompts/a/system_template",
    (value) =>
      `prompts: {a: ${prompt(`system_template: ${value}, variables: [{name: x, type: string, required: true}]`)}}\n` +
      `${workflow}fragments: {f: F}\n`,
    '""',
  ],
];

describe("what follows from a section that must not be empty is not told", () => {
  it.each(packs)("%s", (place, pack, empty) => {
    for (const value of [empty, "null", "7"]) expect(findingsIn(pack(value))).toEqual([`schema ${place}`]);
  });
});

describe("what is read from a section is unknown where the section is null, and not there where it is empty", () => {
  it("variables", () => {
    const pack = (value: string) =>
      `prompts: {a: ${prompt(`system_template: "{{x}}", variables: ${value}`)}}\n`;
    expect(findingsIn(pack("null"))).toEqual(["schema /prompts/a/variables"]);
    expect(findingsIn(pack("[]"))).toEqual(["undeclared-variable /prompts/a/system_template"]);
  });

  it("fragments", () => {
    const pack = (value: string) =>
      `prompts: {a: ${prompt('system_template: "{{fragments.f}}"')}}\nfragments: ${value}\n`;
    expect(findingsIn(pack("null"))).toEqual(["schema /fragments"]);
    expect(findingsIn(pack("{}"))).toEqual(["unknown-fragment /prompts/a/system_template"]);
  });

  it("fragments, unless a name is nearly that of a variable", () => {
    const pack = (read: string) =>
      `prompts: {a: ${prompt(`system_template: "{{${read}}}", variables: [{name: customer, type: string, required: true}]`)}}\nfragments:\n`;
    expect(findingsIn(pack("manners"))).toEqual(["schema /fragments"]);
    expect(findingsIn(pack("custmer"))).toEqual([
      "undeclared-variable /prompts/a/system_template",
      "schema /fragments",
    ]);
  });
});
