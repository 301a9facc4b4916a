import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import {
  CodeLensRequest,
  DocumentHighlightRequest,
  DocumentSymbolRequest,
  type DocumentSymbol,
  FoldingRangeRequest,
  type ShowDocumentParams,
  ShowDocumentRequest,
} from "vscode-languageserver-protocol/node";
import { folderOf } from "../cli/harness.js";
import { clean } from "../cli/packs.js";
import { triage } from "../composition/triage-pack.js";
import { Editor } from "./editor.js";

const pack = `id: greeter
fragments:
  tone: Be kind.
prompts:
  greet:
    id: greet
    variables:
      - name: who
        type: string
    system_template: |
      Hello {{who}},
      say Done.

  bye: { id: bye, system_template: "{{fragments.tone}}" }
# done
workflow:
  entry: hello
  states:
    hello:
      prompt_task: greet
      on_event:
        Done: end
    end: { prompt_task: bye, terminal: true }
`;
const name = "a.pack.yaml";

async function opened(text: string, file = name): Promise<Editor> {
  const editor = await Editor.in(folderOf({}));
  await editor.open(file, text);
  return editor;
}

const outline =
  "section fragments(fragment tone), section prompts(prompt greet(variable who), prompt bye), " +
  "section workflow(state hello(event Done), state end)";

it("outlines a pack", async () => {
  const editor = await opened(pack);
  expect(await editor.symbols(name)).toBe(outline);
  const [, prompts] = (await editor.ask(DocumentSymbolRequest.type, name)) as DocumentSymbol[];
  const greet = prompts?.children?.[0];
  const who = greet?.children?.[0];
  const shown = [prompts, greet, who].map((symbol) => ({
    kind: symbol?.kind,
    head: symbol && editor.textIn(name, symbol.selectionRange),
    whole: symbol && editor.textIn(name, symbol.range),
  }));
  expect(shown).toEqual([
    { kind: 3, head: "prompts", whole: expect.stringMatching(/^prompts:.*tone\}\}" \}$/su) as string },
    { kind: 5, head: "greet", whole: expect.stringMatching(/^greet:.*say Done\.\s*$/su) as string },
    {
      kind: 13,
      head: expect.any(String) as string,
      whole: expect.stringMatching(/name: who\n +type: string$/u) as string,
    },
  ]);
});

it("outlines compositions, and providers that are only a name", async () => {
  expect(await (await opened(triage)).symbols(name)).toBe(
    "section requires(provider fast, provider judge, provider voice), section evals(eval polite), " +
      "section tools(tool orders, tool stock), section prompts(prompt classify, prompt answer, prompt close), " +
      "section compositions(composition triage(step kind, step route, step facts(step bought, step left), step ask, step reply)), " +
      "section workflow(state intake(event Solved, event Again), state done)",
  );
});

it("outlines what can be read of a file that is being typed", async () => {
  const editor = await opened(
    pack.replace("      prompt_task: greet", "      prompt_task: greet\n      on_ev"),
  );
  expect(await editor.symbols(name)).toBe(outline);
  await editor.change(name, {
    text: pack.replace("    id: greet", "    id: [greet").replace("# done", "done"),
  });
  expect(await editor.symbols(name)).toBe(outline);
  await editor.change(name, { text: "" });
  expect(await editor.symbols(name)).toBe("");
  await editor.open("b.pack.json", clean.replace('"entry": "hello",', '"entry": "hello"\n  "ver'));
  expect(await editor.symbols("b.pack.json")).toBe(
    "section prompts(prompt greet, prompt bye), section workflow(state hello(event Done), state end)",
  );
  const states = '"hello": { "prompt_task": "a" },\n"end": { "terminal": true },\n';
  await editor.change("b.pack.json", { text: `{ "workflow": { "states": {\n${states}\n} } }` });
  expect(await editor.symbols("b.pack.json")).toBe("section workflow(state hello, state end)");
});

it("shows aliases where they are, without what they repeat", async () => {
  const editor = await opened(
    "prompts:\n  a: &a\n    variables:\n      - name: x\n  b: *a\n  c:\n    <<: *a\n    id: c\n",
  );
  expect(await editor.symbols(name)).toBe("section prompts(prompt a(variable x), prompt b, prompt c)");
  const folds = await editor.ask(FoldingRangeRequest.type, name);
  expect(folds?.map(({ startLine, endLine }) => `${startLine}-${endLine}`)).toEqual([
    "0-7",
    "1-3",
    "2-3",
    "5-7",
  ]);
});

it("folds what fills several lines", async () => {
  const folds = async (editor: Editor, file: string) =>
    (await editor.ask(FoldingRangeRequest.type, file))?.map(
      ({ startLine, endLine }) => `${startLine}-${endLine}`,
    );
  const editor = await opened(pack);
  expect(await folds(editor, name)).toEqual([
    "1-2",
    "3-13",
    "4-11",
    "6-8",
    "7-8",
    "9-11",
    "15-22",
    "17-22",
    "18-21",
    "20-21",
  ]);
  await editor.change(name, { text: `${pack}  - [` });
  expect((await folds(editor, name))?.length).toBe(10);
  await editor.open("b.pack.json", '{\n  "id": "a",\n  "prompts": {\n    "a": [\n      1\n    ]\n  }\n}');
  expect(await folds(editor, "b.pack.json")).toEqual(["2-5", "3-4"]);
});

it("highlights a name wherever it is, in a broken file too", async () => {
  const editor = await opened(pack);
  const marked = async (at: string) =>
    (await editor.ask(DocumentHighlightRequest.type, name, at))?.map(
      ({ range, kind }) =>
        `${range.start.line} ${editor.textIn(name, range)} ${kind === 3 ? "written" : "read"}`,
    );
  expect(await marked("prompt_task: gre|et")).toEqual(["4 greet written", "5 greet read", "19 greet read"]);
  expect(await marked("{{w|ho}}")).toEqual(["7 who written", "10 who read"]);
  expect(await marked("termi|nal")).toEqual([]);
  await editor.change(name, { text: pack.replace("Done: end", "Done: end\n        Aga") });
  expect(await marked("prompt_task: gre|et")).toEqual(["4 greet written", "5 greet read", "19 greet read"]);
});

async function lenses(editor: Editor, file = name) {
  const found = await editor.ask(CodeLensRequest.type, file);
  return found?.map(
    ({ range, command }) => `${range.start.line} ${command?.title ?? ""} (${command?.command ?? ""})`,
  );
}

const loop = pack.replace("Done: end", "Done: end\n        Again: hello");

it.each([
  [pack, "shortest run 2 visits · worst case 2 visits"],
  [loop, "shortest run 2 visits · worst case unbounded"],
  [
    loop.replace("prompt_task: greet", "prompt_task: greet\n      max_visits: 3"),
    "shortest run 2 visits · worst case 4 visits",
  ],
  [pack.replace("Done: end", "Done: nowhere"), "shortest run not known · worst case not known"],
  [
    pack.replace("terminal: true", "on_event: { Done: hello }"),
    "shortest run none: no run completes · worst case unbounded",
  ],
  [pack.replace("entry: hello", "entry: end"), "shortest run 1 visit · worst case 1 visit"],
])("says above the workflow how long a run is", async (text, title) => {
  const editor = await opened(text);
  expect(await lenses(editor)).toEqual([`15 ${title} (promptpack.draw)`]);
});

it("has no lens without a workflow, and keeps it in a file that is being typed", async () => {
  const editor = await opened(pack.slice(0, pack.indexOf("# done")));
  expect(await lenses(editor)).toEqual([]);
  await editor.change(name, { text: `${pack}    on_` });
  expect(await lenses(editor)).toHaveLength(1);
  await editor.open("compose.yaml", "services: {}\n");
  expect(await lenses(editor, "compose.yaml")).toBeUndefined();
});

it("opens the drawing of the workflow as it is in the editor", async () => {
  const editor = await Editor.in(folderOf({}), {
    capabilities: { window: { showDocument: { support: true } } },
  });
  const shown: ShowDocumentParams[] = [];
  editor.connection.onRequest(ShowDocumentRequest.type, (params) => {
    shown.push(params);
    return { success: true };
  });
  await editor.open(name, loop);
  await editor.findings();
  await editor.execute("promptpack.draw", editor.uri(name));
  await editor.change(name, { text: loop.replaceAll("hello", "welcome") });
  await editor.execute("promptpack.draw", editor.uri(name));
  const [first, second] = shown;
  expect(second).toEqual(first);
  expect(first?.external).toBe(true);
  const file = fileURLToPath(first?.uri ?? "");
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const page = readFileSync(file, "utf8");
  expect(page).toMatch(/^<!doctype html>.*welcome.*<\/html>\s*$/isu);
  expect(page).not.toContain("hello");
  expect(page).toContain('"rule":"unbounded-loop"');
});

it("says why it cannot open a drawing", async () => {
  const editor = await opened(pack);
  const draw = (file: string) => editor.execute("promptpack.draw", editor.uri(file));
  await expect(draw(name)).rejects.toThrow('This editor cannot open a page: use "promptpack graph --open".');
  await expect(draw("other.pack.yaml")).rejects.toThrow("There is no workflow to draw in this file.");
  await editor.change(name, { text: "id: a\n" });
  await expect(draw(name)).rejects.toThrow("There is no workflow to draw in this file.");
  await expect(editor.execute("promptpack.other", editor.uri(name))).rejects.toThrow(
    "Not a command of promptpack: promptpack.other.",
  );
});

it("leaves commands to an editor that has them", async () => {
  const editor = Editor.silentIn(folderOf({}));
  const commands = ["promptpack.draw", "promptpack.simulate"];
  const { capabilities } = await editor.initialize({}, undefined, { commands });
  expect(capabilities.executeCommandProvider).toBeUndefined();
  await editor.open(name, pack);
  const title = "shortest run 2 visits · worst case 2 visits";
  expect(await lenses(editor)).toEqual([
    `15 ${title} (promptpack.draw)`,
    "15 Simulate (promptpack.simulate)",
  ]);
  const drawing = (file: string) =>
    editor.connection.sendRequest("promptpack/drawing", { textDocument: { uri: editor.uri(file) } });
  expect(await drawing(name)).toMatch(/^<!doctype html>.*hello.*<\/html>\s*$/isu);
  expect(await drawing("other.pack.yaml")).toBeNull();
});

it.each([null, 7, { commands: "promptpack.draw" }])("takes any options of an editor", async (options) => {
  const editor = Editor.silentIn(folderOf({}));
  const { capabilities } = await editor.initialize({}, undefined, options);
  expect(capabilities.executeCommandProvider).toEqual({ commands: ["promptpack.draw"] });
});

it("answers nothing before it is initialized", async () => {
  const editor = Editor.silentIn(folderOf({}));
  await expect(editor.ask(FoldingRangeRequest.type, name)).rejects.toThrow("Not initialized yet.");
});
