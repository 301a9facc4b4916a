import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  DefinitionRequest,
  type Location,
  RenameRequest,
  type WorkspaceEdit,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { folderOf, promptpack } from "../cli/harness.js";
import { Editor } from "./editor.js";

const head = `apiVersion: promptkit.altairalabs.ai/v1alpha1
kind: Arena
metadata: { name: desk }
spec:
  prompt_configs:
    - { id: plan, file: prompts/plan.yaml }
    - { id: review, file: prompts/review.yaml }
  tools:
    - file: tools/search.yaml
  scenarios:
    - file: scenarios/usual.yaml
  workflow:
    version: 2
    entry: planning
    states:
      planning:
        prompt_task: plan
        artifacts: { notes: { type: text/plain } }
        on_event: { Ready: reviewing }
      reviewing:
        prompt_task: review
        artifacts: { notes: { type: text/plain } }
        on_event: { Rejected: done, Approved: done }
      done:
        prompt_task: review
        artifacts: { notes: { type: text/plain } }
        terminal: true
`;

const prompt = (name: string, tools: string, text: string) => `apiVersion: promptkit.altairalabs.ai/v1alpha1
kind: PromptConfig
metadata: { name: ${name} }
spec:
  task_type: ${name}
  version: v1.0.0
  description: One step.
${tools}  system_template: |
    ${text}
`;

const files = {
  ".git/HEAD": "",
  "config.arena.yaml": head,
  "prompts/plan.yaml": prompt(
    "plan",
    "  allowed_tools: [search]\n",
    "Call search, write down notes, then emit Ready.",
  ),
  "prompts/review.yaml": prompt("review", "", "Emit Rejected or Approved. Notes: {{artifacts.notes}}"),
  "tools/search.yaml": `apiVersion: promptkit.altairalabs.ai/v1alpha1
kind: Tool
metadata: { name: search }
spec:
  description: Searches.
  input_schema: { type: object, properties: {} }
  output_schema: { type: object }
  mode: mock
`,
  "scenarios/usual.yaml": `apiVersion: promptkit.altairalabs.ai/v1alpha1
kind: Scenario
metadata: { name: usual }
spec:
  id: usual
  task_type: plan
  description: The usual way.
  turns:
    - role: user
      content: Go.
      assertions:
        - type: tools_called
          params: { tool_names: [search] }
        - type: transitioned_to
          params: { state: reviewing }
`,
};

const names = Object.keys(files).filter((name) => name.endsWith(".yaml"));
const textOf = (name: string): string => files[name as keyof typeof files];

it("shows each finding in its file, also those that a change in another file brings", async () => {
  const editor = await Editor.in(folderOf(files));
  await editor.open("config.arena.yaml", head);
  expect(await editor.findings()).toEqual([]);
  await editor.open("prompts/plan.yaml", textOf("prompts/plan.yaml"));
  await editor.next();
  await editor.change("prompts/plan.yaml", {
    text: textOf("prompts/plan.yaml").replace("task_type: plan", "task_type: plam"),
  });
  const published = [await editor.next(), await editor.next()];
  const inHead = published.find(({ uri }) => uri.endsWith("config.arena.yaml"));
  expect(inHead?.diagnostics.map(({ message }) => message)).toEqual([
    'State "planning" runs the prompt "plan", which is not in "prompts". Write "plam": "plan" is only the id of its file in the head.',
  ]);
});

it("completes what the project has, in each of its files", async () => {
  const editor = await Editor.in(folderOf(files));
  await editor.open("config.arena.yaml", head);
  await editor.open("prompts/plan.yaml", textOf("prompts/plan.yaml"));
  await editor.open("prompts/review.yaml", textOf("prompts/review.yaml"));
  expect(await editor.completions("config.arena.yaml", "        prompt_task: |plan")).toEqual([
    "plan",
    "review",
  ]);
  expect(await editor.completions("prompts/plan.yaml", "  allowed_tools: [|search]")).toContain("search");
  expect(await editor.completions("prompts/review.yaml", "  |version: v1.0.0")).toContain("allowed_tools");
  expect(await editor.completions("prompts/review.yaml", "{{artifacts.|notes}}")).toContain("notes");
});

it("leads from one file to another", async () => {
  const editor = await Editor.in(folderOf(files));
  for (const name of names) await editor.open(name, textOf(name));
  const leadsTo = async (name: string, marked: string) => {
    const params = { textDocument: { uri: editor.uri(name) }, position: editor.positionOf(name, marked) };
    const found = (await editor.connection.sendRequest(DefinitionRequest.type, params)) as Location[];
    return found.map(({ uri, range }) => {
      const file = names.find((each) => editor.uri(each) === uri) ?? uri;
      return `${file}: ${editor.textIn(file, range)}`;
    });
  };
  expect(await leadsTo("config.arena.yaml", "prompt_task: |plan")).toEqual(["prompts/plan.yaml: plan"]);
  expect(await leadsTo("prompts/plan.yaml", "allowed_tools: [|search]")).toEqual([
    "tools/search.yaml: search",
  ]);
  expect(await leadsTo("scenarios/usual.yaml", "state: |reviewing")).toEqual([
    "config.arena.yaml: reviewing",
  ]);
  expect(await leadsTo("prompts/review.yaml", "artifacts.|notes")).toEqual(
    Array.from({ length: 3 }, () => "config.arena.yaml: notes"),
  );
  expect(await editor.hover("config.arena.yaml", "prompt_task: |plan")).toContain("One step.");
  expect(await editor.hover("prompts/plan.yaml", "  |task_type: plan")).toContain("The name of the prompt");
});

it.each([
  [
    "a task type",
    "prompts/plan.yaml",
    "task_type: |plan",
    "draft",
    ["config.arena.yaml", "prompts/plan.yaml", "scenarios/usual.yaml"],
  ],
  ["a state", "config.arena.yaml", "states:\n      |planning", "drafting", ["config.arena.yaml"]],
  [
    "a state that a scenario names",
    "scenarios/usual.yaml",
    "state: |reviewing",
    "checking",
    ["config.arena.yaml", "scenarios/usual.yaml"],
  ],
  [
    "a tool",
    "tools/search.yaml",
    "name: |search",
    "look_up",
    ["prompts/plan.yaml", "scenarios/usual.yaml", "tools/search.yaml"],
  ],
  [
    "an artifact",
    "prompts/review.yaml",
    "artifacts.|notes",
    "findings",
    ["config.arena.yaml", "prompts/review.yaml"],
  ],
])("renames %s in all files, and nothing else changes", async (_, name, marked, newName, changed) => {
  const folder = folderOf(files);
  const editor = await Editor.in(folder);
  await editor.open(name, textOf(name));
  const before = await promptpack(["lint", "-f", "compact"], { cwd: folder });
  const params = {
    textDocument: { uri: editor.uri(name) },
    position: editor.positionOf(name, marked),
    newName,
  };
  const edit: WorkspaceEdit | null = await editor.connection.sendRequest(RenameRequest.type, params);
  const written = Object.entries(edit?.changes ?? {});
  for (const [uri, edits] of written) {
    const path = names.find((each) => editor.uri(each) === uri) ?? "";
    const document = TextDocument.create(uri, "yaml", 1, readFileSync(join(folder, path), "utf8"));
    writeFileSync(join(folder, path), TextDocument.applyEdits(document, edits));
  }
  expect(written.map(([uri]) => names.find((each) => editor.uri(each) === uri)).sort()).toEqual(changed);
  expect(await promptpack(["lint", "-f", "compact"], { cwd: folder })).toEqual(before);
  expect(before.stdout).toBe("");
});
