import { expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { clean } from "../cli/packs.js";
import { Editor } from "./editor.js";

const pack = `id: desk
name: Desk
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
fragments:
  tone: Be kind to {{who}}, as in {{fragments.law}}.
  law: The law.
  idle: Nobody reads {{tone}}, {{who}} or {{artifacts.note}}.
tools:
  look_up: { name: search, description: Looks up., parameters: { type: object } }
skills:
  - ./skills/billing
  - { name: refunds, description: Money back., instructions: Pay. }
prompts:
  greet:
    id: greet
    name: Greet
    version: 1.0.0
    variables:
      - { name: who, type: string, required: true, example: Ada }
    tools: [look_up, bye]
    tool_policy: { blocklist: [search] }
    system_template: |
      {{> tone}} Then say "{{tone}}" to {{who}}
      and read {{#if artifacts.note}}{{artifacts.note}}{{/if}}.
  bye:
    id: bye
    name: Bye
    version: 1.0.0
    variables: [{ name: who, type: string, required: true, example: Bob }]
    system_template: "Bye.\\n{{fragments.tone}} {{nobody}}"
agents:
  entry: greet
  members:
    greet: { description: Greets., state: hello }
    bye: { description: Leaves. }
workflow:
  version: 1
  entry: hello
  states:
    hello:
      prompt_task: greet
      skills: refunds
      max_visits: 3
      on_max_visits: end
      on_event: { Done: end, Again: hello, Lost: nowhere }
      artifacts: { note: { type: text/plain } }
    end:
      prompt_task: bye
      skills: skills/billing/late
      terminal: true
      artifacts:
        note: { type: text/plain }
`;

async function opened(text: string, name: string): Promise<Editor> {
  const editor = await Editor.in(folderOf({}));
  await editor.open(name, text);
  return editor;
}

it.each([
  ["prompt_task: |greet", ["14 greet"]],
  ["prompt_task: bye|", ["25 bye"]],
  ["  entry: hel|lo", ["40 hello"]],
  ["Done: e|nd", ["47 end"]],
  ["Again: h|ello", ["40 hello"]],
  ["on_max_visits: |end", ["47 end"]],
  ["state: hell|o", ["40 hello"]],
  ["entry: gr|eet", ["14 greet"]],
  ["    g|reet: {", ["14 greet"]],
  ["tools: [look|_up", ["9 look_up"]],
  ["look_up, b|ye]", ["25 bye"]],
  ["blocklist: [sear|ch", ["9 look_up"]],
  ["{{> t|one}}", ["5 tone"]],
  ['"{{t|one}}"', ["5 tone"]],
  ["{{frag|ments.tone}}", ["5 tone"]],
  ["reads {{ton|e}}", ["5 tone"]],
  ["{{fragments.la|w}}", ["6 law"]],
  ["to {{wh|o}}\n", ["19 who"]],
  ["to {{w|ho}}, as", ["19 who", "29 who"]],
  ["{{#if artifacts.no|te}}", ["46 note", "52 note"]],
  ["or {{artif|acts.note", ["46 note", "52 note"]],
  ["skills: ref|unds", ["12 refunds"]],
  ["skills: skills/bill|ing", ["11 ./skills/billing"]],
  ["    id: gre|et", ["14 greet"]],
  ["{ name: sear|ch", ["9 look_up"]],
  // A declaration leads to itself.
  ["  l|aw: The", ["6 law"]],
  ["    n|ote: {", ["46 note", "52 note"]],
  // So does one without references.
  ["  i|dle: Nobody", ["7 idle"]],
])("goes from %j to %j", async (marked, places) => {
  const editor = await opened(pack, "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", marked)).toEqual(places);
});

it.each([
  ["Lost: no|where"],
  ["{{nobo|dy}}"],
  ["read|s {{tone}}"],
  ["{{w|ho}} or"],
  ["max_visits: |3"],
  ["i|d: desk"],
])("goes nowhere from %j", async (marked) => {
  const editor = await opened(pack, "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", marked)).toEqual([]);
});

it.each([
  ["params: { text: '{{wh|o}}'", ["33 who"]],
  ["when: { w|ho: Ada", ["33 who"]],
  ["Kind, {{wh|o}}?", ["19 who", "33 who"]],
  ["{{artifacts.no|te}}?", ["50 note", "56 note"]],
])("goes from %j in an eval to %j", async (marked, places) => {
  const own =
    "evals:\n      - { id: a, type: x, trigger: y, when: { who: Ada }, params: { text: '{{who}}' } }\n    ";
  const ofPack =
    "evals: [{ id: b, type: x, trigger: y, params: { q: 'Kind, {{who}}? {{artifacts.note}}?' } }]\n";
  const text =
    pack.replace("variables: [{", `validators: []\n    ${own}tools: []\n    variables: [{`) + ofPack;
  const editor = await opened(text, "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", marked)).toEqual(places);
});

it("finds all references from any of them", async () => {
  const editor = await opened(pack, "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", "{ name: w|ho", "references")).toEqual(["5 who", "23 who"]);
  expect(await editor.leadsTo("a.pack.yaml", "  he|llo:\n", "references")).toEqual([
    "34 hello",
    "38 hello",
    "45 hello",
  ]);
  expect(await editor.leadsTo("a.pack.yaml", "Done: e|nd", "all")).toEqual(["47 end", "44 end", "45 end"]);
});

it("finds names in JSON after a byte order mark and escapes", async () => {
  const text = `\ufeff${JSON.stringify(JSON.parse(clean)).replace(
    '"system_template":"Greet',
    '"variables":[{"name":"who","type":"string","required":true,"example":"A"}],"system_template":"\\u0041\\n{{who}}',
  )}`;
  const editor = await opened(text, "a.pack.json");
  expect(await editor.leadsTo("a.pack.json", '"entry":|"hello"')).toEqual(['0 "hello"']);
  expect(await editor.leadsTo("a.pack.json", "{{|who}}")).toEqual(['0 "who"']);
  expect(await editor.leadsTo("a.pack.json", '"name":"w|ho"', "references")).toEqual(["0 who"]);
});

it("finds names that YAML aliases repeat", async () => {
  const text = pack
    .replace("prompt_task: greet", "prompt_task: &task greet")
    .replace("prompt_task: bye", "prompt_task: *task");
  const editor = await opened(text, "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", "prompt_task: *ta|sk")).toEqual(["14 greet"]);
});

it("finds a variable that has the name of a namespace", async () => {
  const named = pack.replace(
    "{ name: who, type: string, required: true, example: Ada }",
    "{ name: fragments, type: string }",
  );
  const editor = await opened(named.replace("{{> tone}}", "{{fragments.law}} {{> tone}}"), "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", "{{fragments.la|w}} {{")).toEqual(["19 fragments"]);
  expect(await editor.leadsTo("a.pack.yaml", "{{> to|ne}}")).toEqual(["5 tone"]);
});

it.each([
  ["a.pack.yaml", pack.replace("workflow:", "work\nflow:")],
  ["compose.yaml", pack],
  ["node_modules/a.pack.yaml", pack],
])("has no answer in %s", async (name, text) => {
  const editor = await opened(text, name);
  expect(await editor.leadsTo(name, "prompt_task: gr|eet")).toEqual([]);
});

it.each([
  `${pack}  - [`,
  pack.replace("    end:", "    mid\n    end:"),
  pack.replace("    end:", "    mid: { promp\n    end:"),
  pack
    .replace('    system_template: "Bye', '    desc: "x\n    system_template: "Bye')
    .replace("    end:", "    mid\n    end:"),
])("leads to names in a pack that is being typed", async (text) => {
  const editor = await opened(text, "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", "prompt_task: gr|eet")).toEqual(["14 greet"]);
});

it("answers for the current text", async () => {
  const editor = await opened(pack, "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", "Done: e|nd")).toEqual(["47 end"]);
  await editor.change("a.pack.yaml", { text: `# one more line\n${pack}` });
  expect(await editor.leadsTo("a.pack.yaml", "Done: e|nd")).toEqual(["48 end"]);
});
