import { expect, it } from "vitest";
import { PrepareRenameRequest, RenameRequest } from "vscode-languageserver-protocol/node";
import { folderOf } from "../cli/harness.js";
import { clean } from "../cli/packs.js";
import { triage } from "../composition/triage-pack.js";
import { Editor } from "./editor.js";

const pack = `id: desk
name: Desk
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
fragments:
  tone: Be kind to {{who}}, as in {{fragments.law}}.
  law: The law.
tools:
  look_up: { name: look_up, description: Looks up., parameters: { type: object } }
  sell: { name: offer, description: Sells., parameters: { type: object } }
prompts:
  greet:
    id: greet
    name: Greet
    version: 1.0.0
    variables:
      - { name: who, type: string, required: true, example: who }
      - { name: age, type: string, required: true }
    evals: [{ id: a, type: b, trigger: c, when: { who: Ada }, params: { text: "{{who}}" } }]
    tools: [look_up, "sell", bye]
    tool_policy: { blocklist: [offer] }
    system_template: |
      {{> tone}} Then say "{{tone}}" to {{ who.name }} ({{age}}), who is here,
      and read {{#if artifacts.note}}{{artifacts.note}}{{/if}}. Call look_up, \`sell\` or sell.
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
      max_visits: 3
      on_max_visits: end
      on_event: { Done: end, Again: "hello" }
      artifacts: { note: { type: text/plain } }
    end:
      prompt_task: 'bye'
      terminal: true
      artifacts:
        note: { type: text/plain }
`;
const name = "a.pack.yaml";

async function opened(text: string, file = name): Promise<Editor> {
  const editor = await Editor.in(folderOf({}));
  await editor.open(file, text);
  return editor;
}

/** The new lines. */
function changedLines(before: string, after: string): readonly string[] {
  const old = before.split("\n");
  const changed = after.split("\n").map((line, index) => (line === old[index] ? [] : [line.trim()]));
  expect(after.split("\n")).toHaveLength(old.length);
  return changed.flat();
}

it.each([
  [
    "  hel|lo:",
    "start here",
    [
      "greet: { description: Greets., state: start here }",
      "entry: start here",
      "start here:",
      'on_event: { Done: end, Again: "start here" }',
    ],
  ],
  ["Done: en|d,", "true", ['on_max_visits: "true"', 'on_event: { Done: "true", Again: "hello" }', '"true":']],
  [
    "prompt_task: 'by|e'",
    "part",
    [
      'tools: [look_up, "sell", part]',
      "part:",
      "id: part",
      "part: { description: Leaves. }",
      "prompt_task: 'part'",
    ],
  ],
  [
    "look|_up:",
    "find_it",
    [
      "find_it: { name: find_it, description: Looks up., parameters: { type: object } }",
      'tools: [find_it, "sell", bye]',
      "and read {{#if artifacts.note}}{{artifacts.note}}{{/if}}. Call find_it, `sell` or sell.",
    ],
  ],
  [
    '"se|ll"',
    "trade",
    [
      "trade: { name: offer, description: Sells., parameters: { type: object } }",
      'tools: [look_up, "trade", bye]',
      "and read {{#if artifacts.note}}{{artifacts.note}}{{/if}}. Call look_up, `trade` or sell.",
    ],
  ],
  [
    "blocklist: [off|er]",
    "trade",
    [
      "sell: { name: trade, description: Sells., parameters: { type: object } }",
      "tool_policy: { blocklist: [trade] }",
    ],
  ],
  [
    "{{> to|ne}}",
    "mood",
    [
      "mood: Be kind to {{who}}, as in {{fragments.law}}.",
      '{{> mood}} Then say "{{mood}}" to {{ who.name }} ({{age}}), who is here,',
      'system_template: "Bye.\\n{{fragments.mood}} {{nobody}}"',
    ],
  ],
  ["{{frag|ments.law}}", "rule", ["tone: Be kind to {{who}}, as in {{fragments.rule}}.", "rule: The law."]],
  // The fragment reads the variable of both prompts.
  [
    "to {{ wh|o.name",
    "person",
    [
      "tone: Be kind to {{person}}, as in {{fragments.law}}.",
      "- { name: person, type: string, required: true, example: who }",
      'evals: [{ id: a, type: b, trigger: c, when: { person: Ada }, params: { text: "{{person}}" } }]',
      '{{> tone}} Then say "{{tone}}" to {{ person.name }} ({{age}}), who is here,',
      "variables: [{ name: person, type: string, required: true, example: Bob }]",
    ],
  ],
  [
    "{{artifacts.no|te}}",
    "memo",
    [
      "and read {{#if artifacts.memo}}{{artifacts.memo}}{{/if}}. Call look_up, `sell` or sell.",
      "artifacts: { memo: { type: text/plain } }",
      "memo: { type: text/plain }",
    ],
  ],
])("renames %j to %j", async (marked, newName, lines) => {
  const editor = await opened(pack);
  expect(changedLines(pack, await editor.renamed(name, marked, newName))).toEqual(lines);
});

it.each([
  [
    "id: ki|nd,",
    "sort",
    [
      '- { id: sort, kind: prompt, prompt_task: classify, input: "${input.text}", output_schema: ./kind.json }',
      'predicate: { path: "${sort.output.intent}", op: equals, value: refund }',
    ],
  ],
  [
    "id: as|k,",
    "query",
    [
      "else: query",
      "- { id: query, kind: prompt, prompt_task: answer, provider: judge }",
      "depends_on: [facts, query]",
    ],
  ],
  [
    "composition: tri|age",
    "sorting",
    [
      "sorting:",
      "intake: { orchestration: composition, composition: sorting, max_visits: 3, on_max_visits: done, on_event: { Solved: done, Again: intake } }",
    ],
  ],
])("renames in a composition %j to %j", async (marked, newName, lines) => {
  const editor = await opened(triage);
  expect(changedLines(triage, await editor.renamed(name, marked, newName))).toEqual(lines);
});

it("renames in JSON, after a byte order mark", async () => {
  const editor = await opened(`\ufeff${clean}`, "a.pack.json");
  expect(await editor.renamed("a.pack.json", '"entry": "hel|lo"', 'say "hi"')).toBe(
    `\ufeff${clean.replaceAll('"hello"', '"say \\"hi\\""')}`,
  );
});

const nothing =
  "There is nothing to rename here: choose the name of a state, prompt, tool, fragment, variable, artifact, composition or step.";
const otherMeaning = (newName: string) =>
  `With the name "${newName}", some places would no longer stand for what they do now: choose another.`;

it.each([
  ["entry: hel|lo", "end", 'There is already a state "end".'],
  ["prompt_task: gr|eet", "bye", 'There is already a prompt "bye".'],
  ["  law|: The", "tone", 'There is already a fragment "tone".'],
  ["{ name: w|ho", "age", 'There is already a variable "age".'],
  ["look|_up:", "sell", 'There is already a tool "sell".'],
  ["look|_up:", "offer", 'There is already a tool "offer".'],
  ["{{artifacts.no|te}}", "memo", 'There is already an artifact "memo".'],
  ["entry: hel|lo", " ", "A name cannot be empty."],
  [
    "{ name: w|ho",
    "full name",
    '"full name" cannot be the name of a variable: use letters, digits and underscores, not starting with a digit.',
  ],
  [
    "look|_up:",
    "look-up",
    '"look-up" cannot be the name of a tool: use letters, digits and underscores, not starting with a digit.',
  ],
  [
    "prompt_task: gr|eet",
    "Greet",
    '"Greet" cannot be the name of a prompt: use lowercase letters, digits, hyphens and underscores, starting with a letter.',
  ],
  // `{{tone}}` would be the variable, and `{{nobody}}` would be found.
  ["{ name: ag|e", "tone", otherMeaning("tone")],
  ["  law|: The", "nobody", otherMeaning("nobody")],
  // A template cannot hold it.
  ["  law|: The", "a}}b", otherMeaning("a}}b")],
  ["id: de|sk", "x", nothing],
  ["Done|: end", "x", nothing],
  ["{{nob|ody}}", "x", nothing],
])("refuses to rename %j to %j", async (marked, newName, reason) => {
  const text = newName === "memo" ? `${pack}        memo: { type: text/plain }\n` : pack;
  expect(await (await opened(text)).renamed(name, marked, newName)).toBe(reason);
});

it("refuses providers and evals, which others know by name", async () => {
  const editor = await opened(triage);
  expect(await editor.renamed(name, "provider: jud|ge", "x")).toBe(nothing);
  expect(await editor.renamed(name, "eval: [pol|ite]", "x")).toBe(nothing);
});

it("renames nothing in a broken file", async () => {
  const editor = await opened(`${pack}  - [`);
  expect(await editor.renamed(name, "entry: hel|lo", "x")).toBe(
    "Nothing can be renamed while a part of the file cannot be read.",
  );
  await editor.change(name, { text: "- entry: hello\n" });
  await expect(editor.ask(RenameRequest.type, name, "entry: hel|lo", { newName: "x" })).resolves.toBeNull();
});

it("renames where a text is anchored, unless it stands for something else as well", async () => {
  const shared = pack.replace("prompt_task: greet", "prompt_task: &task greet").replace("'bye'", "*task");
  const editor = await opened(shared);
  expect(changedLines(shared, await editor.renamed(name, "prompt_task: *ta|sk", "hi"))).toEqual([
    "hi:",
    "id: hi",
    "entry: hi",
    "hi: { description: Greets., state: hello }",
    "prompt_task: &task hi",
  ]);
  const both = shared
    .replace("*task", "bye")
    .replaceAll("hello", "greet")
    .replace('Again: "greet"', "Again: *task");
  await editor.change(name, { text: both });
  expect(await editor.renamed(name, "Again: *ta|sk", "hi")).toBe(otherMeaning("hi"));
});

it("renames a variable that two prompts declare through an alias", async () => {
  const shared = pack
    .replace("    variables:\n", "    variables: &all\n")
    .replace("variables: [{ name: who, type: string, required: true, example: Bob }]", "variables: *all");
  const editor = await opened(shared);
  expect(changedLines(shared, await editor.renamed(name, "{ name: ag|e", "years"))).toEqual([
    "- { name: years, type: string, required: true }",
    '{{> tone}} Then say "{{tone}}" to {{ who.name }} ({{years}}), who is here,',
  ]);
});

it("refuses a place that is a variable of one prompt and a fragment in another", async () => {
  const editor = await opened(pack.replace("law: The law.", "law: The {{age}}.\n  age: young"));
  expect(await editor.renamed(name, "The {{ag|e}}", "x")).toBe(
    "This place stands for things of different kinds: rename each of them by hand.",
  );
});

it("refuses keys that a merge repeats", async () => {
  const merged = pack.replace("    end:\n", "    end:\n      <<: &more { max_visits: 2 }\n");
  const states = merged.replace(
    "  states:\n",
    "  states:\n    <<: { third: { prompt_task: bye, terminal: true } }\n",
  );
  const editor = await opened(states);
  expect(await editor.renamed(name, "entry: hel|lo", "x")).toBe(
    '"hello" is repeated by an alias or a merge key in line 41: rename it by hand.',
  );
});

it("says what it would rename", async () => {
  const editor = await opened(pack);
  const asked = async (marked: string) => {
    const found = (await editor.ask(PrepareRenameRequest.type, name, marked)) as {
      range: Parameters<Editor["textIn"]>[1];
      placeholder: string;
    };
    return [editor.textIn(name, found.range), found.placeholder];
  };
  expect(await asked("entry: hel|lo")).toEqual(["hello", "hello"]);
  expect(await asked('Again: "hel|lo"')).toEqual(['"hello"', "hello"]);
  expect(await asked("{{frag|ments.law}}")).toEqual(["law", "law"]);
  await expect(asked("max_vis|its")).rejects.toThrow(nothing);
});

it("changes nothing for the same name", async () => {
  expect(await (await opened(pack)).renamed(name, "entry: hel|lo", "hello")).toBe(pack);
});
