import { CancellationTokenSource, type Range } from "vscode-languageserver-protocol/node";
import { expect, it, onTestFinished, vi } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";
import { badEntry, clean, yamlPack } from "../cli/packs.js";
import { Editor, everywhere } from "./editor.js";

const on = (line: number): Range => ({ start: { line, character: 0 }, end: { line, character: 99 } });

/** One safe fix: a state that ends the run does not say so. */
const unmarked = yamlPack.replace("entry: helo", "entry: hello").replace("terminal: true", "on_event: {}");
const fixAll = ["source.fixAll"];

async function opened(text: string, name = "a.pack.yaml"): Promise<Editor> {
  const editor = await Editor.in(folderOf({}));
  await editor.open(name, text);
  await editor.next();
  return editor;
}

async function lintOf(text: string, flags: readonly string[] = []): Promise<string> {
  return (await promptpack(["lint", "-f", "compact", ...flags, "-"], { stdin: text })).stdout;
}

it("offers a safe fix as preferred", async () => {
  const editor = await opened(unmarked);
  const [action] = await editor.actions("a.pack.yaml", on(21));
  expect(action).toMatchObject({
    title: "Add terminal: true",
    kind: "quickfix",
    isPreferred: true,
    diagnostics: [{ code: "ambiguous-terminal" }],
  });
  const fixed = editor.after("a.pack.yaml", action);
  expect(fixed).toBe(unmarked.replace("on_event: {} }", "on_event: {}, terminal: true }"));
});

it("marks an unsafe fix as likely, not certain", async () => {
  const editor = await opened(badEntry, "a.pack.json");
  const [action, ...others] = await editor.actions("a.pack.json", on(24));
  expect(action).toMatchObject({ isPreferred: false });
  expect(action?.title).toBe('Replace "helo" with "hello" (likely, not certain)');
  expect(editor.after("a.pack.json", action)).toBe(clean);
  expect(others).toEqual([]);
});

it("offers nothing if there is no finding", async () => {
  const editor = await opened(yamlPack);
  expect(await editor.actions("a.pack.yaml", on(0))).toEqual([]);
});

it("silences a finding with a comment above it, or in the whole file", async () => {
  const editor = await opened(yamlPack);
  const [here, everywhereInFile, ...others] = await editor.actions("a.pack.yaml", on(20));
  expect([here?.title, everywhereInFile?.title]).toEqual([
    "Silence event-name-case here",
    "Silence event-name-case in this file",
  ]);
  expect(others).toEqual([]);
  const lines = yamlPack.split("\n");
  const comment = "        # promptpack-disable-next-line event-name-case";
  expect(editor.after("a.pack.yaml", here).split("\n")).toEqual([
    ...lines.slice(0, 20),
    comment,
    ...lines.slice(20),
  ]);
  expect(editor.after("a.pack.yaml", everywhereInFile)).toBe(
    `# promptpack-disable event-name-case\n${yamlPack}`,
  );
  for (const action of [here, everywhereInFile]) {
    expect(await lintOf(editor.after("a.pack.yaml", action))).not.toContain("event-name-case");
  }
});

it.each([
  ["a block", "|\n      Emit Done.\n      Greet {{nobody}}.\n      Greet {{nobody}} twice."],
  ["quotes", '"Emit Done.\n      Then\n      greet {{nobody}}."'],
])("silences a finding in a string in %s with a comment above its key", async (_, template) => {
  const text = unmarked.replace("Greet the user, then emit done.", template);
  const editor = await opened(text);
  const actions = await editor.actions("a.pack.yaml", on(11));
  expect(actions.map(({ title }) => title)).toEqual([
    "Silence undeclared-variable in this text",
    "Silence undeclared-variable in this file",
  ]);
  const comment = "# promptpack-disable-next-line undeclared-variable";
  expect(editor.after("a.pack.yaml", actions[0])).toBe(
    text.replace("    system_template:", `    ${comment}\n    system_template:`),
  );
});

it("offers no comment that would not silence the finding", async () => {
  const editor = await opened(yamlPack.replace("helo", "[helo"));
  const titles = (await editor.actions("a.pack.yaml", everywhere)).map(({ title }) => title);
  expect(titles).toEqual([]);
});

it("offers no comment that would also silence findings elsewhere", async () => {
  const text = yamlPack.replace(
    "bye, name: Bye, version: 1.0.0,",
    "bye,\n    name: 5,\n    version: 1.0.0,\n    ",
  );
  const prompt = text.replace("system_template: Say goodbye.", "");
  const editor = await opened(prompt);
  const titles = async (line: number) =>
    (await editor.actions("a.pack.yaml", on(line))).map(({ title }) => title);
  // The prompt lacks its template, and has a name that is no text.
  expect(await titles(10)).toEqual(["Silence schema in this file"]);
  expect(await titles(11)).toEqual([
    "Put it in quotes",
    "Silence schema here",
    "Silence schema in this file",
  ]);
});

it("stops when the editor cancels the request", async () => {
  const editor = await opened(yamlPack);
  const source = new CancellationTokenSource();
  const actions = editor.actions("a.pack.yaml", on(20), undefined, source.token);
  source.cancel();
  await expect(actions).rejects.toMatchObject({ code: -32801 });
});

it("offers no edit of a text that has changed meanwhile", async () => {
  const editor = await opened(yamlPack);
  const actions = editor.actions("a.pack.yaml", on(20));
  await editor.change("a.pack.yaml", { text: unmarked });
  await expect(actions).rejects.toMatchObject({ code: -32801 });
});

it("offers nothing automatically until the findings of an edit are published", async () => {
  const editor = await opened(clean, "a.pack.json");
  // On a busy machine, the server may lint before it reads the request.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await editor.change("a.pack.json", { text: badEntry });
  expect(await editor.actions("a.pack.json", on(24), undefined, undefined, "typing")).toEqual([]);
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  await editor.next();
  expect(await editor.actions("a.pack.json", on(24), undefined, undefined, "typing")).toHaveLength(1);
});

it("keeps the line breaks of the file", async () => {
  const text = yamlPack.replaceAll("\n", "\r\n");
  const editor = await opened(text);
  const [here] = await editor.actions("a.pack.yaml", on(20));
  expect(editor.after("a.pack.yaml", here)).toContain(
    "\r\n        # promptpack-disable-next-line event-name-case\r\n",
  );
});

it("edits a text after a byte order mark in the right place", async () => {
  const editor = await opened(`\ufeff${unmarked}`);
  const [action] = await editor.actions("a.pack.yaml", on(21));
  expect(editor.after("a.pack.yaml", action)).toMatch(
    /^\ufeffid[^]*end: \{ prompt_task: bye, on_event: \{\}, terminal: true \}\n$/,
  );
  const [all] = await editor.actions("a.pack.yaml", everywhere, fixAll);
  expect(editor.after("a.pack.yaml", all)).toBe(editor.after("a.pack.yaml", action));
});

it("counts a byte order mark as a character of the first line, as editors do", async () => {
  const oneLine = JSON.stringify(JSON.parse(badEntry));
  const column = oneLine.indexOf('"helo"');
  for (const mark of ["", "\ufeff"]) {
    const editor = await opened(mark + oneLine, "a.pack.json");
    await editor.save("a.pack.json");
    const start = column + mark.length;
    const [found, ...others] = (await editor.next()).diagnostics;
    expect(found?.range).toEqual({
      start: { line: 0, character: start },
      end: { line: 0, character: start + 6 },
    });
    expect(others).toEqual([]);
    const at = (character: number) => ({ start: { line: 0, character }, end: { line: 0, character } });
    expect(await editor.actions("a.pack.json", at(start - 1))).toEqual([]);
    const [action] = await editor.actions("a.pack.json", at(start + 6));
    expect(editor.after("a.pack.json", action)).toBe(mark + JSON.stringify(JSON.parse(clean)));
  }
});

it("locates the steps of a run after a byte order mark", async () => {
  const endless = clean.replace('"Done": "end"', '"Done": "end", "Again": "hello"');
  const oneLine = JSON.stringify(JSON.parse(endless));
  const editor = await opened(`\ufeff${oneLine}`, "a.pack.json");
  await editor.save("a.pack.json");
  const places = (await editor.next()).diagnostics.flatMap(
    ({ relatedInformation = [] }) => relatedInformation,
  );
  expect(places.map(({ location: { range }, message }) => [range.start.character, message])).toEqual([
    [oneLine.indexOf('"hello"', oneLine.indexOf('"Again"')) + 1, "hello ─Again→ hello"],
  ]);
});

it("puts a comment between a byte order mark and the first line", async () => {
  const text = yamlPack.replace("id: greeter", "id: 5");
  for (const mark of ["", "\ufeff"]) {
    const editor = await opened(mark + text);
    const [here] = await editor.actions("a.pack.yaml", on(0));
    expect(here).toMatchObject({ title: "Silence schema here" });
    expect(editor.after("a.pack.yaml", here)).toBe(`${mark}# promptpack-disable-next-line schema\n${text}`);
  }
});

it("applies all safe fixes, as --fix does, if the kind is requested", async () => {
  const text = unmarked
    .replace("done: end", "Done: ending")
    .replace("end: {", "ending: {")
    .replace("workflow:", "workflow: # the run");
  const editor = await opened(text);
  const [action, ...others] = await editor.actions("a.pack.yaml", everywhere, fixAll);
  expect(action).toMatchObject({ kind: "source.fixAll.promptpack" });
  expect(others).toEqual([]);
  const { stdout } = await promptpack(["lint", "--fix", "-"], { stdin: text });
  expect(editor.after("a.pack.yaml", action)).toBe(stdout);
  expect(stdout).not.toBe(text);
});

it("applies no unsafe fixes when it fixes all", async () => {
  const editor = await opened(badEntry, "a.pack.json");
  expect(await editor.actions("a.pack.json", everywhere, fixAll)).toEqual([]);
});

it("offers only the kinds that are requested", async () => {
  const editor = await opened(unmarked);
  const kinds = async (only?: string[]) => [
    ...new Set((await editor.actions("a.pack.yaml", everywhere, only)).map(({ kind }) => kind)),
  ];
  expect(await kinds()).toEqual(["quickfix"]);
  expect(await kinds([])).toEqual(["quickfix"]);
  expect(await kinds(["quickfix"])).toEqual(["quickfix"]);
  expect(await kinds([""])).toEqual(["quickfix", "source.fixAll.promptpack"]);
  expect(await kinds(["source"])).toEqual(["source.fixAll.promptpack"]);
  expect(await kinds(["source.organizeImports"])).toEqual([]);
  expect(await kinds(["refactor"])).toEqual([]);
});

it("adds the version of the text if the editor supports it", async () => {
  const capabilities = { workspace: { workspaceEdit: { documentChanges: true } } };
  const editor = await Editor.in(folderOf({}), { capabilities });
  await editor.open("a.pack.json", badEntry);
  const [action] = await editor.actions("a.pack.json", on(24));
  expect(action?.edit).toMatchObject({
    documentChanges: [{ textDocument: { uri: editor.uri("a.pack.json"), version: 1 } }],
  });
});

it("answers for the current text, even if it was not linted yet", async () => {
  const editor = await opened(clean, "a.pack.json");
  await editor.change("a.pack.json", { text: badEntry });
  expect(await editor.actions("a.pack.json", on(24))).toHaveLength(1);
});

it("offers comments for at most ten findings, and the one for the file once", async () => {
  const events = Array.from({ length: 11 }, (_, index) => `        Out${index}: nowhere`).join("\n");
  const editor = await opened(yamlPack.replace("        done: end", events));
  expect(
    await editor.actions("a.pack.yaml", {
      start: { line: 20, character: 0 },
      end: { line: 30, character: 15 },
    }),
  ).toEqual([]);
  expect(
    await editor.actions("a.pack.yaml", {
      start: { line: 20, character: 0 },
      end: { line: 29, character: 15 },
    }),
  ).toHaveLength(11);
});

const endless = yamlPack
  .replace("entry: helo", "entry: hello")
  .replace("        done: end\n", "        Done: end\n        Again: hello\n")
  .replace("then emit done", "then emit Done or Again");

it("offers what is proved to end a loop, the smallest edit first", async () => {
  const editor = await opened(endless);
  const actions = await editor.actions("a.pack.yaml", on(17));
  expect(actions.slice(0, 2).map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
    ['Add max_visits 5 to "hello": longest run 6 visits, was endless', false],
    ['Add max_visits 5 and on_max_visits "end" to "hello": longest run 6 visits, was endless', false],
  ]);
  expect(actions[0]).toMatchObject({ kind: "quickfix", diagnostics: [{ code: "unbounded-loop" }] });
  const again = "        Again: hello\n";
  expect(editor.after("a.pack.yaml", actions[0])).toBe(
    endless.replace(again, `${again}      max_visits: 5\n`),
  );
  expect(editor.after("a.pack.yaml", actions[1])).toBe(
    endless.replace(again, `${again}      max_visits: 5\n      on_max_visits: end\n`),
  );
  // The same actions again, and none of an older text.
  expect(await editor.actions("a.pack.yaml", on(17))).toEqual(actions);
  await editor.change("a.pack.yaml", { text: editor.after("a.pack.yaml", actions[0]) });
  await editor.next();
  const left = await editor.actions("a.pack.yaml", on(17));
  expect(left.filter(({ title }) => title.includes("endless"))).toEqual([]);
});

it("offers nothing proved for a suppressed finding", async () => {
  const editor = await opened(`# promptpack-disable unbounded-loop\n${endless}`);
  const titles = (await editor.actions("a.pack.yaml", on(18))).map(({ title }) => title);
  expect(titles.filter((title) => title.startsWith("Add"))).toEqual([]);
});
