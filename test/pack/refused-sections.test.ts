import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { head } from "./pack-head.js";

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

/** Entries as they are while someone types, each in a pack that is sound without it. */
const unfinished: readonly (readonly [place: string, pack: string])[] = [
  [
    "/workflow/states/new",
    `prompts: {a: ${prompt()}}\n${workflow.replace("terminal: true}", "terminal: true}, new: null")}`,
  ],
  [
    "/workflow/states/new",
    `prompts: {a: ${prompt()}}\n${workflow.replace("terminal: true}", "terminal: true}, new: b")}`,
  ],
  ["/tools/deploy", `prompts: {a: ${prompt()}}\ntools: {deploy: null}\n`],
  ["/fragments/tone", `prompts: {a: ${prompt()}}\nfragments: {tone: null}\n`],
  [
    "/workflow/states/s/artifacts/notes",
    `prompts: {a: ${prompt()}}\n${workflow.replace("{Go: t}", "{Go: t}, artifacts: {notes: null}")}`,
  ],
  [
    "/workflow/states/s/artifacts/notes",
    `prompts: {a: ${prompt()}}\n${workflow.replace("{Go: t}", "{Go: t}, artifacts: {notes: text/plain}")}`,
  ],
  [
    "/workflow/states/s/on_event/GiveUp",
    `prompts: {a: ${prompt()}}\n${workflow.replace("Go: t", "Go: t, GiveUp: null")}`,
  ],
  [
    "/workflow/states/s/on_event/giv",
    `prompts: {a: ${prompt()}}\n${workflow.replace("Go: t", "Go: t, giv: null")}`,
  ],
];

describe("of an entry whose value is of the wrong kind only the schema speaks", () => {
  it.each(unfinished)("%s", (place, pack) => {
    expect(findingsIn(pack)).toEqual([`schema ${place}`]);
  });

  it("a state with nothing in it lacks more than a way there", () => {
    const pack = workflow.replace("terminal: true}", "terminal: true}, new: {}");
    expect(findingsIn(`prompts: {a: ${prompt()}}\n${pack}`)).not.toContain(
      "unreachable-state /workflow/states/new",
    );
  });

  it("its name is known all the same", () => {
    const named = workflow.replace("Go: t", "Go: t, Stop: new").replace("states: {", "states: {new: null, ");
    expect(findingsIn(`prompts: {a: ${prompt("system_template: Say Go or Stop")}}\n${named}`)).toEqual([
      "schema /workflow/states/new",
    ]);
  });

  it("an artifact is unused where another state declares it well", () => {
    const declared = workflow
      .replace("{Go: t}", "{Go: t}, artifacts: {notes: null}")
      .replace("terminal: true", "terminal: true, artifacts: {notes: {type: text/plain}}");
    expect(findingsIn(`prompts: {a: ${prompt()}}\n${declared}`)).toEqual([
      "schema /workflow/states/s/artifacts/notes",
      "unused-artifact /workflow/states/t/artifacts/notes",
    ]);
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
