import { expect, it } from "vitest";
import { CompletionRequest, type CompletionItem } from "vscode-languageserver-protocol/node";
import { folderOf } from "../cli/harness.js";
import { clean, cleanPack } from "../cli/packs.js";
import { triage } from "../composition/triage-pack.js";
import { Editor } from "./editor.js";

const pack = `$schema: https://promptpack.org/schema/v1.4.1/promptpack.schema.json
id: desk
name: Desk
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
fragments:
  tone: Be kind to {{who}}.
tools:
  look_up: { name: look_up, description: Looks up., parameters: { type: object } }
prompts:
  greet:
    id: greet
    name: Greet
    version: 1.0.0
    variables:
      - { name: who, type: string, required: true }
    system_template: |
      Hello {{who}}.
  bye:
    id: bye
    name: Bye
    version: 1.0.0
    variables:
      - { name: when, type: string, required: true }
    system_template: Bye {{when}}.
workflow:
  version: 1
  entry: hello
  states:
    hello:
      prompt_task: greet
      on_event: { Done: end }
      artifacts: { note: { type: text/plain } }
    end:
      prompt_task: bye
      terminal: true
`;

const name = "a.pack.yaml";

async function opened(text: string, file = name): Promise<Editor> {
  const editor = await Editor.in(folderOf({}));
  await editor.open(file, text);
  return editor;
}

/** A pack with a line below a part of it, and what is offered at `|` in that line. */
async function offered(after: string, line: string, text = pack): Promise<readonly string[]> {
  expect(text).toContain(after);
  const editor = await opened(text.replace(after, `${after}\n${line.replace("|", "")}`));
  return editor.completions(name, `${after}\n${line}`);
}

const stateKeys = [
  "description",
  "on_event",
  "persistence",
  "orchestration",
  "skills",
  "max_visits",
  "on_max_visits",
  "artifacts",
];

it.each([
  ["      prompt_task: bye", "      |", stateKeys],
  [
    "      terminal: true",
    "    third:\n      |",
    ["prompt_task", ...stateKeys.slice(0, 5), "terminal", ...stateKeys.slice(5)],
  ],
  [
    "      terminal: true",
    "    third: { |",
    ["prompt_task", ...stateKeys.slice(0, 5), "terminal", ...stateKeys.slice(5)],
  ],
  ["workflow:", "  eng|", ["engine"]],
  [
    "      terminal: true",
    "evals:\n  - id: a\n    thr|",
    [
      "description",
      "type",
      "trigger",
      "sample_percentage",
      "enabled",
      "params",
      "metric",
      "threshold",
      "message",
      "when",
      "groups",
    ],
  ],
  ["      terminal: true", "|", ["description", "metadata", "compilation", "evals", "agents", "skills"]],
  [
    "      Hello {{who}}.",
    "    parameters:\n      |",
    ["temperature", "max_tokens", "top_p", "top_k", "frequency_penalty", "presence_penalty"],
  ],
])("offers the keys that are missing, after %j and in %j", async (after, line, keys) => {
  const found = await offered(after, line);
  expect(found.map((text) => text.replace(/ → .*/su, ""))).toEqual(keys);
});

it("writes a colon after a key, and a space where the value goes on the same line", async () => {
  expect(await offered("workflow:", "  |")).toEqual(["engine → engine:"]);
  expect(await offered("      terminal: true", "    third:\n      prompt_task: bye\n      max|")).toContain(
    "max_visits → max_visits: ",
  );
  const editor = await opened(pack);
  expect(await editor.completed(name, "  ent|ry: hello", "entry")).toBe(pack);
});

it("offers keys with their documentation, and no newer ones than the pack may have", async () => {
  const editor = await opened(`${pack}      \n`);
  const items = (await editor.ask(CompletionRequest.type, name, "true\n      |")) as CompletionItem[];
  expect(items.find(({ label }) => label === "max_visits")).toMatchObject({
    kind: 10,
    detail: "key",
    documentation: {
      kind: "markdown",
      value: expect.stringMatching(
        /^How often one run may enter this state\..*\n\nSince version 1\.4\.0\./s,
      ) as string,
    },
  });
  const labels = items.map(({ label }) => label);
  expect(labels).not.toContain("control");
  await editor.change(name, { text: `${pack.replace("v1.4.1", "v1.9.0")}      \n` });
  const newer = (await editor.ask(CompletionRequest.type, name, "true\n      |")) as CompletionItem[];
  expect(newer.map(({ label }) => label)).toContain("control");
});

it.each([
  ["workflow:\n  version: 1", "  entry: h|", ["hello", "end"]],
  ["      prompt_task: bye", "      on_max_visits: |", ["hello", "end"]],
  ["      prompt_task: bye", "      on_event: { Done: |", ["hello", "end"]],
  ["      prompt_task: bye", "      on_event:\n        Do|", ["Done → Done: "]],
  ["      prompt_task: bye", "      artifacts:\n        |", ["note → note: "]],
  ["      terminal: true", "  entry: h|", ["hello", "end"]],
  ["    id: bye", "    tools: [|", ["look_up"]],
  ["    id: bye", "    tools:\n      - lo|", ["look_up"]],
  ["    id: bye", "    tool_policy: { blocklist: [ look|", ["look_up"]],
  ["    id: bye", "    tool_policy: { tool_choice: |", ["auto", "required", "none"]],
  ["      terminal: true", "agents:\n  entry: |", ["greet", "bye"]],
  ["      terminal: true", "agents:\n  members:\n    |", ["greet → greet: ", "bye → bye: "]],
  ["      terminal: true", "agents:\n  members:\n    greet: { state: |", ["hello", "end"]],
  ["      prompt_task: bye", "      orchestration: ex|", []],
  ["      prompt_task: bye", "      persistence: |", ["transient", "persistent"]],
  ["      terminal: true", "    third:\n      terminal: |", ["true", "false"]],
  [
    "      Hello {{who}}.",
    "      I am {{w|",
    ["who → who}}", "artifacts.note → artifacts.note}}", "fragments.tone → fragments.tone}}"],
  ],
  ["      Hello {{who}}.", "      I am {{ w| }}", ["who", "artifacts.note", "fragments.tone"]],
  ["      Hello {{who}}.", "      {{#if artifacts.|", ["note → note}}"]],
  ["      Hello {{who}}.", "      {{> to|", ["tone → tone}}"]],
  ["      Hello {{who}}.", "      {{fragments.|}}", ["tone"]],
  ["      Hello {{who}}.", "      {{who.na|", []],
  ["      Hello {{who}}.", "      {{who}} is |", []],
  [
    "fragments:",
    "  law: Hi {{|",
    [
      "who → who}}",
      "when → when}}",
      "artifacts.note → artifacts.note}}",
      "fragments.tone → fragments.tone}}",
    ],
  ],
  ["      Hello {{who}}.", "    tested_models: |", []],
])("offers, after %j and in %j, %j", async (after, line, labels) => {
  expect(await offered(after, line)).toEqual(labels);
});

const steps = ["kind", "route", "facts", "bought", "left", "ask", "reply"];
const replyKeys = ["description", "provider", "input", "output_schema"];

it.each([
  ["depends_on: [|facts, ask]", steps],
  ["then: fac|ts", steps],
  ["output: re|ply", steps],
  ["prompt_task: ans|wer\n", ["classify", "answer", "close"]],
  ["provider: ju|dge", ["fast", "judge", "voice"]],
  ["tool: or|ders", ["orders", "stock"]],
  ["eval: [po|lite]", ["polite"]],
  ["composition: tri|age", ["triage"]],
  ["kind: bra|nch", ["prompt", "agent", "tool", "branch", "parallel"]],
  ["strategy: bar|rier", ["append", "barrier", "replace"]],
  [
    "op: eq|uals",
    [
      "equals",
      "not_equals",
      "in",
      "not_in",
      "less_than",
      "less_than_or_equals",
      "greater_than",
      "greater_than_or_equals",
    ],
  ],
  ['path: "${ki|nd.output', ["input", ...steps.map((id) => `${id}.output → ${id}`)]],
  ['path: "${kind.out|put', ["output"]],
  ['of: "${input.cus|tomer}"', []],
])("offers in a composition, at %j, %j", async (marked, labels) => {
  const editor = await opened(triage);
  expect(await editor.completions(name, marked)).toEqual(labels);
});

it("closes a reference", async () => {
  const editor = await opened(triage.replace("provider: judge }", 'provider: judge, input: "${" }'));
  expect(await editor.completed(name, 'input: "${|" }', "kind.output")).toContain(
    'input: "${kind.output}" }',
  );
});

it("offers the keys of the kind of a step", async () => {
  const found = await offered("        termination: { max_steps: 4 }", "        |", triage);
  expect(found.map((text) => text.replace(/ → .*/su, ""))).toEqual(replyKeys);
});

it("offers names in JSON, quoted as the place needs", async () => {
  const json = "a.pack.json";
  const editor = await opened(clean.replace('"entry": "hello"', '"entry": '), json);
  expect(await editor.completions(json, '"entry": |')).toEqual(['hello → "hello"', 'end → "end"']);
  await editor.change(json, { text: clean.replace('"entry": "hello"', '"entry": "h"') });
  expect(await editor.completed(json, '"entry": "h|', "hello")).toBe(clean);
  await editor.change(json, { text: clean.replace('"entry": "hello"', '"entry": "h') });
  expect(await editor.completions(json, '"entry": "h|')).toEqual(['hello → hello"', 'end → end"']);
  await editor.change(json, { text: clean.replace('"version": 2,', '"version": 2,\n    eng') });
  expect(await editor.completions(json, "    eng|")).toEqual(['engine → "engine": ']);
  await editor.change(json, { text: clean.replace('"version": 2,', '"version": 2,\n    "eng') });
  expect(await editor.completions(json, '    "eng|')).toEqual(['engine → engine": ']);
  await editor.change(json, { text: clean.replace('"version": 2,', '"version": 2,\n    "eng",') });
  expect(await editor.completions(json, '    "eng|')).toEqual(['engine → engine": ']);
  await editor.change(json, { text: JSON.stringify(cleanPack()).replace('"Done":"end"', '"Done":""') });
  expect(await editor.completions(json, '"Done":"|')).toEqual(['hello → hello"', 'end → end"']);
});

it("offers keys in an empty file, and nothing in files that are not packs", async () => {
  const editor = await opened("");
  expect((await editor.completions(name, "|")).slice(0, 3)).toEqual([
    "$schema → $schema: ",
    "id → id: ",
    "name → name: ",
  ]);
  await editor.open("compose.yaml", "services:\n  web: {}\n");
  expect(await editor.completions("compose.yaml", "  |web")).toEqual([]);
});

it("offers names while other parts of the file are broken", async () => {
  const broken = pack
    .replace("    id: greet", "    id: greet\n    nam")
    .replace("    name: Bye", "    name: [Bye");
  expect(await offered("workflow:\n  version: 1", "  entry: h|", broken)).toEqual(["hello", "end"]);
});

it("keeps a byte order mark out of the positions", async () => {
  const editor = await opened(`\ufeff${pack}`);
  expect(await editor.completed(name, "id: de|sk", "desk").catch(String)).toBe(
    "Error: no edit of a.pack.yaml",
  );
  await editor.change(name, { text: "\ufeffid: a\nver" });
  expect(await editor.completed(name, "ver|", "version")).toBe("\ufeffid: a\nversion: ");
  await editor.change(name, { text: "\ufeffver" });
  expect(await editor.completed(name, "ver|", "version")).toBe("\ufeffversion: ");
});
