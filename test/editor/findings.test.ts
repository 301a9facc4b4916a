import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";
import { badEntry, clean, oddEvent, yamlPack } from "../cli/packs.js";
import { Editor } from "./editor.js";

const at = (line: number, start: number, end: number) => ({
  start: { line, character: start },
  end: { line, character: end },
});

it("announces its name and capabilities", async () => {
  const editor = Editor.silentIn(folderOf({}));
  const { capabilities, serverInfo } = await editor.initialize();
  expect(serverInfo?.name).toBe("promptpack");
  expect(capabilities).toEqual({
    textDocumentSync: { openClose: true, change: 2, save: true },
    definitionProvider: true,
    referencesProvider: true,
    codeActionProvider: { codeActionKinds: ["quickfix", "source.fixAll.promptpack"] },
    completionProvider: { triggerCharacters: [" ", '"', "'", "{", "$", ".", ">", "-"] },
    hoverProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    documentHighlightProvider: true,
    foldingRangeProvider: true,
    codeLensProvider: {},
    executeCommandProvider: { commands: ["promptpack.draw"] },
  });
});

it("publishes the findings of an open file, with range, severity, rule and page", async () => {
  const editor = await Editor.in(folderOf({}));
  await editor.open("a.pack.yaml", yamlPack);
  const page = (rule: string) => pathToFileURL(join(process.cwd(), "docs", "rules", `${rule}.md`)).href;
  expect(await editor.next()).toEqual({
    uri: editor.uri("a.pack.yaml"),
    version: 1,
    diagnostics: [
      {
        range: at(15, 9, 13),
        severity: 1,
        source: "promptpack",
        code: "unknown-entry",
        codeDescription: { href: page("unknown-entry") },
        message: 'The workflow starts at "helo", which is not a state. Did you mean "hello"?',
      },
      {
        range: at(20, 8, 12),
        severity: 3,
        source: "promptpack",
        code: "event-name-case",
        codeDescription: { href: page("event-name-case") },
        message:
          'Event "done" is not in PascalCase. Write "Done"; the prompts and the host must change with it.',
      },
    ],
  });
});

it("shows the run of a loop in the message, and each of its steps once as a related location", async () => {
  const editor = await Editor.in(process.cwd());
  await editor.open("examples/codegen.pack.yaml", readFileSync("examples/codegen.pack.yaml", "utf8"));
  const { diagnostics } = await editor.next();
  const loop = diagnostics.find(({ code }) => code === "unbounded-loop");
  expect((loop?.message as string).split("\n").slice(1)).toEqual([
    "plan ─PlanReady→ implement ─CodeReady→ test ─TestsFailed→ implement … (10 visits) ─CodeReady→ test ─TestsPassed→ review",
    "↻ review ─ChangesNeeded→ implement ⇒ review",
  ]);
  expect(
    loop?.relatedInformation?.map(({ location, message }) => [location.range.start.line, message]),
  ).toEqual([
    [88, "plan ─PlanReady→ implement"],
    [97, "implement ─CodeReady→ test"],
    [108, "test ─TestsFailed→ implement"],
    [107, "test ─TestsPassed→ review"],
    [92, "review ─ChangesNeeded→ implement ⇒ review"],
  ]);
});

it("reports the same as the command for every example", async () => {
  const names = ["codegen.pack.yaml", "self-correcting.pack.json"];
  const { stdout } = await promptpack(["lint", "-f", "json", ...names], { cwd: "examples" });
  const { files } = JSON.parse(stdout) as {
    files: {
      file: string;
      diagnostics: { rule: string; range: { start: { line: number; column: number } } }[];
    }[];
  };
  for (const { file, diagnostics } of files) {
    const editor = await Editor.in(join(process.cwd(), "examples"));
    await editor.open(file, readFileSync(join("examples", file), "utf8"));
    expect(await editor.findings()).toEqual(
      diagnostics.map(({ rule, range: { start } }) => `${start.line - 1}:${start.column - 1} ${rule}`),
    );
  }
});

it("lints the edited text, not the file on the disk", async () => {
  const editor = await Editor.in(folderOf({ "a.pack.json": clean }));
  await editor.open("a.pack.json", badEntry);
  expect(await editor.findings()).toEqual(["24:13 unknown-entry"]);
  // "helo" becomes "hello".
  await editor.change("a.pack.json", { range: at(24, 17, 17), text: "l" });
  expect(await editor.next()).toMatchObject({ version: 2, diagnostics: [] });
  await editor.change("a.pack.json", { text: oddEvent });
  expect(await editor.findings()).toEqual(["29:10 event-name-case"]);
});

it("publishes the last of several changes last", async () => {
  const editor = await Editor.in(folderOf({}));
  await editor.open("a.pack.json", clean);
  await editor.next();
  await editor.change("a.pack.json", { text: oddEvent });
  await editor.change("a.pack.json", { text: "{" });
  await editor.change("a.pack.json", { text: badEntry });
  let last = await editor.next();
  while (last.version !== 4) last = await editor.next();
  expect(last.diagnostics).toMatchObject([{ code: "unknown-entry" }]);
});

it("clears the findings of a file that is closed", async () => {
  const editor = await Editor.in(folderOf({}));
  await editor.open("a.pack.json", badEntry);
  await editor.next();
  await editor.close("a.pack.json");
  expect(await editor.next()).toEqual({ uri: editor.uri("a.pack.json"), diagnostics: [] });
});

it("lints a saved pack again, but no other", async () => {
  const editor = await Editor.in(folderOf({}));
  for (const name of ["a.pack.json", "b.pack.json"]) {
    await editor.open(name, badEntry);
    await editor.next();
  }
  await editor.save("b.pack.json");
  expect(await editor.next()).toMatchObject({ uri: editor.uri("b.pack.json"), version: 1 });
  await editor.close("b.pack.json");
  expect(await editor.next()).toEqual({ uri: editor.uri("b.pack.json"), diagnostics: [] });
  await editor.change("a.pack.json", { text: clean });
  expect(await editor.next()).toMatchObject({ uri: editor.uri("a.pack.json"), version: 2 });
});

it("lints no file that a search would not find", async () => {
  const files = { ".promptpackignore": "old.pack.json\n", ".gitignore": "build/\n" };
  const editor = await Editor.in(folderOf(files));
  const names = ["compose.yaml", "old.pack.json", "build/a.pack.json", "node_modules/x/a.pack.json"];
  for (const name of names) {
    await editor.open(name, badEntry);
    expect(await editor.next()).toMatchObject({ uri: editor.uri(name), diagnostics: [] });
  }
});

it.each([
  ["a repository inside of one that ignores it", { "inner/.git/HEAD": "" }, "", "inner/"],
  ["an ignored folder that is open itself", {}, "inner", ""],
])("applies in %s only the ignore files of that folder", async (_, files, open, below) => {
  const ignored = { ".gitignore": "inner/\n", "inner/.gitignore": "old.pack.json\n" };
  const editor = await Editor.in(join(folderOf({ ...ignored, ...files }), open));
  await editor.open(`${below}a.pack.json`, badEntry);
  expect(await editor.findings()).toEqual(["24:13 unknown-entry"]);
  await editor.open(`${below}old.pack.json`, badEntry);
  expect(await editor.findings()).toEqual([]);
});

it("uses the nearest config, and lints again when it changes", async () => {
  const folder = folderOf({ "promptpack.config.yaml": "rules: { unknown-entry: warning }\n" });
  const dynamicRegistration = true;
  const capabilities = { workspace: { didChangeWatchedFiles: { dynamicRegistration } } };
  const editor = await Editor.in(folder, { capabilities });
  await editor.open("a.pack.json", badEntry);
  expect(await editor.next()).toMatchObject({ diagnostics: [{ severity: 2 }] });
  expect(editor.registered).toMatchObject([
    {
      method: "workspace/didChangeWatchedFiles",
      registerOptions: {
        watchers: [
          { globPattern: expect.stringContaining("promptpack.config.yaml") as unknown },
          { globPattern: "**/*.{json,yaml,yml}" },
        ],
      },
    },
  ]);
  writeFileSync(join(folder, "promptpack.config.yaml"), "rules: { unknown-entry: info }\n");
  await editor.changedOnDisk("promptpack.config.yaml");
  expect(await editor.next()).toMatchObject({ diagnostics: [{ severity: 3 }] });
  writeFileSync(join(folder, "promptpack.config.yaml"), "rules: { unknown-entry: off }\n");
  await editor.save("promptpack.config.yaml");
  expect(await editor.next()).toMatchObject({ diagnostics: [] });
});

it("shows once why a file cannot be linted, and continues", async () => {
  const editor = await Editor.in(folderOf({}), { flags: ["--config", "gone.yaml"] });
  await editor.open("a.pack.json", badEntry);
  expect(await editor.findings()).toEqual([]);
  await editor.change("a.pack.json", { text: oddEvent });
  expect(await editor.findings()).toEqual([]);
  expect(editor.shown).toEqual([expect.stringContaining('gone.yaml" does not exist')]);
});

it("shows no link to a command, whatever a config is called or holds", async () => {
  const link = "[Click](command:workbench.action.quit)";
  const config = JSON.stringify({ rules: { [link]: "off" } });
  const editor = await Editor.in(folderOf({ "promptpack.config.json": config }));
  await editor.open("a.pack.json", badEntry);
  await editor.next();
  expect(editor.shown).toEqual([expect.stringContaining("[Click] (command:")]);
});

const rulez = 'The configuration has no key "rulez". Did you mean "rules"?';
const faultOfConfig = { range: at(0, 0, 5), severity: 1, source: "promptpack", message: rulez };

it("shows a broken config once for all files, and its mistakes in it until they are fixed", async () => {
  const folder = folderOf({ "promptpack.config.yaml": "rulez: {}\n" });
  const editor = await Editor.in(folder);
  await editor.open("a.pack.json", badEntry);
  expect(await editor.findings()).toEqual([]);
  expect(await editor.next()).toEqual({
    uri: editor.uri("promptpack.config.yaml"),
    diagnostics: [faultOfConfig],
  });
  await editor.open("b.pack.json", badEntry);
  expect(await editor.next()).toMatchObject({ uri: editor.uri("b.pack.json"), diagnostics: [] });
  expect(editor.shown).toEqual([`promptpack.config.yaml:1:1: ${rulez}`]);
  expect(editor.logged).toEqual([]);
  await editor.close("b.pack.json");
  expect(await editor.next()).toMatchObject({ uri: editor.uri("b.pack.json"), diagnostics: [] });
  writeFileSync(join(folder, "promptpack.config.yaml"), "rules: {}\n");
  await editor.save("promptpack.config.yaml");
  expect(await editor.findings()).toEqual(["24:13 unknown-entry"]);
  expect(await editor.next()).toEqual({ uri: editor.uri("promptpack.config.yaml"), diagnostics: [] });
});

it("clears the mistakes of a config once no open file uses it", async () => {
  const folder = folderOf({ "promptpack.config.yaml": "rulez: {}\n" });
  const editor = await Editor.in(folder);
  await editor.open("a.pack.json", badEntry);
  await editor.next();
  expect((await editor.next()).diagnostics).toEqual([faultOfConfig]);
  rmSync(join(folder, "promptpack.config.yaml"));
  await editor.changedOnDisk("promptpack.config.yaml");
  expect(await editor.findings()).toEqual(["24:13 unknown-entry"]);
  expect(await editor.next()).toEqual({ uri: editor.uri("promptpack.config.yaml"), diagnostics: [] });
});

it("checks an open config as edited, and a closed one as it is on the disk", async () => {
  const config = "promptpack.config.yaml";
  const editor = await Editor.in(folderOf({ [config]: "rulez: {}\n" }));
  await editor.open("a.pack.json", badEntry);
  expect(await editor.next()).toMatchObject({ uri: editor.uri("a.pack.json"), diagnostics: [] });
  expect(await editor.next()).toEqual({ uri: editor.uri(config), diagnostics: [faultOfConfig] });
  await editor.open(config, "\ufeffrules: {}\n");
  expect(await editor.next()).toEqual({ uri: editor.uri(config), version: 1, diagnostics: [] });
  await editor.change("a.pack.json", { text: oddEvent });
  expect(await editor.next()).toMatchObject({ uri: editor.uri("a.pack.json"), diagnostics: [] });
  await editor.change(config, { text: "\ufeffrulez: {}\nrules: { unknown-entri: off }\n" });
  expect(await editor.next()).toMatchObject({
    uri: editor.uri(config),
    version: 2,
    diagnostics: [{ ...faultOfConfig, range: at(0, 1, 6) }, { range: at(1, 9, 22) }],
  });
  await editor.close(config);
  expect(await editor.next()).toEqual({ uri: editor.uri(config), diagnostics: [] });
  expect(await editor.next()).toEqual({ uri: editor.uri(config), diagnostics: [faultOfConfig] });
});

it("shows the mistakes of a config again after it was open for a moment", async () => {
  const config = "promptpack.config.yaml";
  const editor = await Editor.in(folderOf({ [config]: "rulez: {}\n" }));
  await editor.open("a.pack.json", badEntry);
  await editor.next();
  expect((await editor.next()).diagnostics).toEqual([faultOfConfig]);
  await Promise.all([editor.open(config, "rulez: {}\n"), editor.close(config)]);
  let told = await editor.next();
  // On a slow machine the moment may be long enough to be linted in.
  if (told.diagnostics.length > 0) told = await editor.next();
  expect(told).toEqual({ uri: editor.uri(config), diagnostics: [] });
  expect(await editor.next()).toEqual({ uri: editor.uri(config), diagnostics: [faultOfConfig] });
});

it("clears the mistakes of a config under its own spelling of the URI, not only under the editor's", async () => {
  const folder = folderOf({ "a b/promptpack.config.yaml": "rulez: {}\n" });
  const editor = await Editor.in(folder);
  await editor.open("a b/a.pack.json", badEntry);
  await editor.next();
  const { uri, diagnostics } = await editor.next();
  expect(diagnostics).toEqual([faultOfConfig]);
  await editor.openAt(uri.replace("config.yaml", "%63onfig.yaml"), "rules: {}\n");
  expect(await editor.next()).toEqual({ uri, diagnostics: [] });
});

it("survives a file that is opened without a text", async () => {
  const editor = await Editor.in(folderOf({}));
  await editor.open("a.pack.json", undefined as never);
  await editor.open("b.pack.json", badEntry);
  expect(await editor.findings()).toEqual(["24:13 unknown-entry"]);
});

it("lints again when a skill that was missing is written", async () => {
  const folder = folderOf({});
  const editor = await Editor.in(folder);
  await editor.open("a.pack.json", clean.replace('"prompts":', '"skills": ["./skills/refunds"], "prompts":'));
  expect(await editor.findings()).toEqual([expect.stringContaining("skill-path")]);
  mkdirSync(join(folder, "skills/refunds"), { recursive: true });
  writeFileSync(join(folder, "skills/refunds/SKILL.md"), "# Refunds\n");
  await editor.changedOnDisk("skills/refunds/SKILL.md");
  expect(await editor.findings()).toEqual([]);
});

it.each([
  [["--config", "own.yaml"], "own.yaml", 1],
  [["--config", "own.yaml"], "promptpack.config.yaml", 0],
  [["--no-config"], "promptpack.config.yaml", 0],
  [[], "package.json", 1],
  [[], "sub/package.json", 0],
])("checks with %j %s as a config: %i", async (flags, name, count) => {
  const manifest = '{ "promptpack": { "rulez": {} } }';
  const editor = await Editor.in(folderOf({ "package.json": manifest }), { flags });
  await editor.open(name, name.endsWith(".json") ? manifest : "rulez: {}\n");
  expect((await editor.next()).diagnostics).toHaveLength(count);
});

it("lints each folder of a workspace on its own", async () => {
  const folder = folderOf({ "b/.promptpackignore": "old.pack.json\n" });
  rmSync(join(folder, ".git"), { recursive: true });
  const editor = await Editor.in(folder, { folders: ["a", "b"] });
  for (const [name, findings] of [
    ["a/old.pack.json", ["24:13 unknown-entry"]],
    ["b/old.pack.json", []],
    ["c.pack.json", ["24:13 unknown-entry"]],
  ] as const) {
    await editor.open(name, badEntry);
    expect(await editor.findings()).toEqual(findings);
  }
});

it("watches the config and the baseline that the command line names", async () => {
  const capabilities = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };
  const flags = ["--config", "conf/own.yaml", "--baseline", "known.json"];
  const editor = await Editor.in(folderOf({}), { flags, capabilities });
  await editor.open("a.pack.json", clean);
  await editor.next();
  expect(JSON.stringify(editor.registered)).toContain(",own.yaml,known.json}");
});

it("applies the flags of the command line", async () => {
  const flags = [
    "--stdio",
    "--clientProcessId=1",
    "--no-config",
    "--preset",
    "errors",
    "--rule",
    "event-name-case:info",
  ];
  const editor = await Editor.in(folderOf({}), { flags });
  await editor.open("a.pack.yaml", yamlPack);
  expect(await editor.findings()).toEqual(["15:9 unknown-entry", "20:8 event-name-case"]);
});

it("applies --config and --spec-version", async () => {
  const folder = folderOf({ "own.yaml": "rules: { event-name-case: off }\n" });
  const flags = ["--config", "own.yaml", "--spec-version", "1.3"];
  const editor = await Editor.in(folder, { flags });
  await editor.open("a.pack.json", oddEvent);
  expect(await editor.findings()).toEqual(["34:20 newer-field"]);
});

it.each([["--max-size=100"], ["--max-depth=2"], ["--max-values=3"]])("respects %s", async (flag) => {
  const editor = await Editor.in(folderOf({}), { flags: [flag] });
  await editor.open("a.pack.json", clean);
  expect((await editor.findings()).map((found) => found.split(" ")[1])).toEqual(["parse-error"]);
});

it("respects --max-alias-nodes", async () => {
  const editor = await Editor.in(folderOf({}), { flags: ["--max-alias-nodes", "1"] });
  await editor.open("a.pack.yaml", `metadata: { a: &a [1, 2, 3], b: *a }\n${yamlPack}`);
  expect((await editor.findings()).map((found) => found.split(" ")[1])).toEqual(["parse-error"]);
});

it("leaves out what a baseline records", async () => {
  const folder = folderOf({ "a.pack.json": badEntry });
  await promptpack(["lint", "--baseline", "known.json", "--update-baseline"], { cwd: folder });
  const editor = await Editor.in(folder, { flags: ["--baseline", "known.json"] });
  await editor.open("a.pack.json", oddEvent.replace('"entry": "hello"', '"entry": "helo"'));
  expect(await editor.findings()).toEqual(["29:10 event-name-case"]);
});

it("reports that a baseline cannot be read", async () => {
  const editor = await Editor.in(folderOf({}), { flags: ["--baseline", "gone.json"] });
  await editor.open("a.pack.json", badEntry);
  expect(await editor.findings()).toEqual([]);
  expect(editor.shown).toEqual([expect.stringContaining('"gone.json"')]);
});

const fetchRoute =
  "pipelines:\n  - { name: f, on: agentic.tool_request.fetch, steps: [{ uses: fetch }, { uses: agentic-loop }] }\n";
const loop = (plugins: string) => `plugins:
  agentic-loop:
    timeouts: { handle: 120s }
    config: { allowed_plugins: ${plugins}, default_max_steps: 20 }
`;

it("lints routes again, but no pack, when a file beside them changes on the disk", async () => {
  const folder = folderOf({ "loop.yaml": loop("[fetch]") });
  const editor = await Editor.in(folder);
  await editor.open("a.pack.json", badEntry);
  await editor.next();
  await editor.open("loop.yaml", loop("[fetch]"));
  expect((await editor.findings()).join()).toContain("route-missing");
  writeFileSync(join(folder, "routes.yaml"), fetchRoute);
  await editor.changedOnDisk("routes.yaml");
  expect((await editor.findings()).join()).not.toContain("route-missing");
  rmSync(join(folder, "routes.yaml"));
  await editor.changedOnDisk("loop.yaml");
  await editor.changedOnDisk("node_modules/routes.yaml");
  await editor.change("a.pack.json", { text: clean });
  expect(await editor.next()).toMatchObject({ uri: editor.uri("a.pack.json"), diagnostics: [] });
});

it("lints routes together with the files beside them, as they are in the editor", async () => {
  const folder = folderOf({ "loop.yaml": loop("[fetch]"), "routes.yaml": fetchRoute });
  const lint = async () => (await promptpack(["lint", "-f", "compact", "."], { cwd: folder })).stdout;
  expect(await lint()).not.toContain("route-missing");
  const editor = await Editor.in(folder);
  await editor.open("loop.yaml", loop("[fetch, shell]"));
  expect((await editor.findings()).join()).toContain("route-missing");
  await editor.open(
    "routes.yaml",
    `${fetchRoute}${fetchRoute.split("\n").slice(1).join("\n").replaceAll("fetch", "shell").replace("name: f", "name: s")}`,
  );
  await editor.next();
  await editor.save("routes.yaml");
  expect((await editor.findings()).join()).not.toContain("route-missing");
  await editor.next();
  // What was not saved is gone with the editor's copy.
  await editor.close("routes.yaml");
  await editor.next();
  expect((await editor.findings()).join()).toContain("route-missing");
});

it("lints open routes again while another file of routes is edited", async () => {
  const editor = await Editor.in(folderOf({ "loop.yaml": loop("[fetch]"), "routes.yaml": fetchRoute }));
  await editor.open("a.pack.json", clean);
  await editor.next();
  await editor.open("loop.yaml", loop("[fetch]"));
  expect((await editor.findings()).join()).not.toContain("route-missing");
  await editor.open("routes.yaml", fetchRoute);
  await editor.next();
  await editor.change("routes.yaml", { text: fetchRoute.replaceAll("fetch", "shell") });
  const told = [await editor.next(), await editor.next()];
  expect(told.map(({ uri }) => uri).sort()).toEqual(
    ["loop.yaml", "routes.yaml"].map((name) => editor.uri(name)),
  );
  const codes = told.find(({ uri }) => uri === editor.uri("loop.yaml"))?.diagnostics.map(({ code }) => code);
  expect(codes).toContain("route-missing");
});

it("escapes invisible characters", async () => {
  const editor = await Editor.in(folderOf({}));
  await editor.open("a.pack.json", clean.replace('"entry": "hello"', '"entry": "he\\u001b[31m\\u202elo"'));
  const { diagnostics } = await editor.next();
  expect(diagnostics[0]?.message).toContain(String.raw`"he\u001b[31m\u202elo"`);
});

it.each([["untitled:Untitled-1"], ["file:///a%2Fb.pack.json"], ["nonsense"]])("ignores %s", async (uri) => {
  const editor = await Editor.in(folderOf({}));
  editor.uri = () => uri;
  await editor.open("", badEntry);
  await editor.change("", { text: clean });
  expect(await editor.actions("", at(0, 0, 1))).toEqual([]);
});

it("exits with 0 when it is shut down, and with 1 when the editor is gone", async () => {
  expect(await (await Editor.in(folderOf({}))).shutDown()).toBe(0);
  expect(await (await Editor.in(folderOf({}))).vanish()).toBe(1);
  expect(await (await Editor.in(folderOf({}))).vanish('Content-Length: 500\r\n\r\n{"jsonrpc"')).toBe(1);
});

it("ends in the middle of a message", () => {
  const input = 'Content-Length: 500\r\n\r\n{"jsonrpc"';
  const { status } = spawnSync(process.execPath, ["bin/promptpack.js", "lsp"], { input, timeout: 30_000 });
  expect(status).toBe(1);
});

it("reads all messages before the end", async () => {
  const editor = await Editor.in(folderOf({}));
  await editor.open("a.pack.json", badEntry);
  const framed = (message: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    return `Content-Length: ${body.length}\r\n\r\n${body}`;
  };
  const lastWords = framed({ id: 99, method: "shutdown" }) + framed({ method: "exit" });
  expect(await editor.vanish(lastWords)).toBe(0);
});

it("ends quietly if findings cannot be sent", async () => {
  const editor = await Editor.in(folderOf({}));
  await editor.open("a.pack.json", badEntry);
  expect(await editor.vanish()).toBe(1);
});

it("refuses requests in the wrong order", async () => {
  const editor = Editor.silentIn(folderOf({}));
  await editor.open("a.pack.json", badEntry);
  await expect(editor.actions("a.pack.json", at(24, 13, 13))).rejects.toMatchObject({ code: -32002 });
  for (const asked of ["definition", "references"] as const) {
    const answer = editor.leadsTo("a.pack.json", '"entry": |', asked);
    await expect(answer).rejects.toMatchObject({ code: -32002 });
  }
  await editor.initialize();
  await expect(editor.initialize()).rejects.toMatchObject({ code: -32600 });
  await editor.askToShutDown();
  await expect(editor.actions("a.pack.json", at(24, 13, 13))).rejects.toMatchObject({ code: -32600 });
});

it("refuses to run in a terminal", async () => {
  const { code, stdout, stderr } = await promptpack(["lsp"], { terminal: 80 });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("promptpack lint --watch");
});
