import Ajv2020 from "ajv/dist/2020.js";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configNames } from "../../src/cli/files/setting-files.js";
import { rules } from "../../src/rules/index.js";
import type { RuleInfo } from "../../src/rules/rule-info.js";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean, cleanPack, oddEvent } from "./packs.js";

const off = "rules:\n  event-name-case: off\n";
const asJson = '{ "rules": { "event-name-case": "off" } }';

/** The rules of all findings, by file. */
async function found(cwd: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await promptpack(["lint", "-f", "compact", ...args], { cwd });
  const findings = [...stdout.matchAll(/^(.*?):\d+:\d+: (\w+): .*\[(.*)\]$/gm)];
  return [
    ...findings.map(([, file, severity, rule]) => `${file} ${severity} ${rule}`),
    ...stderr.split("\n").slice(0, -1),
  ];
}

describe("finding a config", () => {
  it.each(configNames.map((name) => [name]))("reads %s", async (name) => {
    const text = name.endsWith(".json") ? asJson : off;
    expect(await found(folderOf({ "a.pack.json": oddEvent, [name]: text }))).toEqual([]);
  });

  it("reads .promptpackrc as JSON, too, and the key in package.json", async () => {
    expect(await found(folderOf({ "a.pack.json": oddEvent, ".promptpackrc": asJson }))).toEqual([]);
    const manifest = `{ "name": "x", "promptpack": ${asJson} }`;
    expect(await found(folderOf({ "a.pack.json": oddEvent, "package.json": manifest }))).toEqual([]);
  });

  it("uses the defaults for an empty config", async () => {
    for (const text of ["", "# nothing yet\n\n  # extends: strict\n", "{}"]) {
      const cwd = folderOf({ "a.pack.json": oddEvent, "promptpack.config.yaml": text });
      expect(await found(cwd)).toEqual(["a.pack.json info event-name-case"]);
    }
  });

  it("skips a package.json without the key, broken or not", async () => {
    const dependent = '{ "devDependencies": { "promptpack": "^1.0.0" }';
    for (const manifest of [
      '{ "name": "promptpack" }',
      '{ "name": "promptpack", }',
      `${dependent} }`,
      dependent,
      '{ "peerDependenciesMeta": { "promptpack": { "optional": true } }, }',
      '{ "overrides": { "promptpack": {} }, "a": "{", "b": ["\\"{"',
    ]) {
      const cwd = folderOf({
        "sub/a.pack.json": oddEvent,
        "sub/package.json": manifest,
        ".promptpackrc": off,
      });
      expect(await found(cwd)).toEqual([]);
    }
  });

  it("uses the nearest config of each file, up to the repository", async () => {
    const cwd = folderOf({
      "promptpack.config.yaml": off,
      "a.pack.json": oddEvent,
      "deep/er/b.pack.json": oddEvent,
      "own/promptpack.config.json": '{ "rules": { "event-name-case": "error" } }',
      "own/c.pack.json": oddEvent,
      "repo/.git/HEAD": "",
      "repo/d.pack.json": oddEvent,
    });
    expect(await found(cwd)).toEqual([
      "own/c.pack.json error event-name-case",
      "repo/d.pack.json info event-name-case",
    ]);
  });

  it("--config is used for every file, and --no-config also disables .promptpackignore", async () => {
    const cwd = folderOf({
      "a.pack.json": oddEvent,
      "promptpack.config.yaml": off,
      ".promptpackignore": "a.pack.json\n",
      "other.yaml": "rules: { event-name-case: info }\n",
    });
    expect(await found(cwd, "--no-config")).toEqual(["a.pack.json info event-name-case"]);
    const { stdout } = await promptpack(["lint", "--help"]);
    expect(stdout).toMatch(/--no-config +use no config file, and no \.promptpackignore\n/);
    const second = folderOf({
      "a.pack.json": oddEvent,
      "promptpack.config.yaml": off,
      "other.yaml": "extends: strict\n",
    });
    expect(await found(second, "--config", "other.yaml")).toEqual(["a.pack.json warning event-name-case"]);
    expect(await found(second, "-c", "none.yaml")).toEqual([
      'promptpack: The config file "none.yaml" does not exist.',
    ]);
  });
});

describe("severities", () => {
  const packs = {
    "a.pack.json": badEntry,
    "b.pack.json": oddEvent,
    "c.pack.json": clean.replace("emit Done", "stop"),
  };
  const all = [
    "a.pack.json error unknown-entry",
    "b.pack.json info event-name-case",
    "c.pack.json info event-not-in-prompt",
  ];

  it.each([
    ["recommended", all],
    ["strict", all.map((line) => line.replace("info", "warning"))],
    ["errors", all.slice(0, 1)],
  ])("extends: %s", async (preset, expected) => {
    expect(await found(folderOf({ ...packs, ".promptpackrc": `extends: ${preset}\n` }))).toEqual(expected);
    expect(
      await found(folderOf({ ...packs, ".promptpackrc": "extends: spec\n" }), "--preset", preset),
    ).toEqual(expected);
  });

  it.each<[string, (rule: RuleInfo) => boolean]>([
    ["recommended", () => false],
    ["strict", () => false],
    ["spec", ({ source, severity }) => severity === "info" || !/^(?:RFC|PromptPack schema)/u.test(source)],
    ["errors", ({ severity }) => severity !== "error"],
  ])("--preset %s turns off exactly the rules it should", async (preset, isOff) => {
    const { stdout } = await promptpack(["lint", "--print-config", "a.pack.json", "--preset", preset]);
    const { rules: levels } = JSON.parse(stdout) as { rules: Record<string, string> };
    const silent = Object.keys(levels).filter((id) => levels[id] === "off");
    expect(silent).toEqual(rules.filter(isOff).map(({ id }) => id));
  });

  it("--preset spec reports a loop that never ends, whether or not another run ends", async () => {
    const pack = cleanPack();
    const wait = { prompt_task: "greet", on_event: { Back: "hello" } };
    const endless = { hello: { prompt_task: "greet", on_event: { Done: "wait" } }, wait };
    const ends = {
      begin: { prompt_task: "greet", on_event: { Go: "hello", Stop: "end" } },
      end: { prompt_task: "bye", terminal: true },
    };
    const packed = (entry: string, states: object) =>
      JSON.stringify({ ...pack, workflow: { version: 1, entry, states } });
    const cwd = folderOf({
      "a.pack.json": packed("hello", endless),
      "b.pack.json": packed("begin", { ...ends, ...endless }),
    });
    expect(await found(cwd, "--preset", "spec")).toEqual([
      "a.pack.json warning trapped-states",
      "b.pack.json warning trapped-states",
    ]);
  });

  it("applies the preset, then rules, then overrides in order", async () => {
    const config = `extends: errors
rules: { event-name-case: info }
overrides:
  - files: "b.*"
    rules: { event-name-case: error }
  - files: [nothing.json, "*.pack.json"]
    rules: { unknown-entry: warning }
  - files: ./c.pack.json
    rules: { event-not-in-prompt: warning }
`;
    expect(await found(folderOf({ ...packs, "promptpack.config.yaml": config }))).toEqual([
      "a.pack.json warning unknown-entry",
      "b.pack.json error event-name-case",
      "c.pack.json warning event-not-in-prompt",
    ]);
  });

  it.each<[string, readonly string[]]>([
    ["d.pack.json", ["d", "drafts/d", "sub/drafts/d"]],
    ["./d.pack.json", ["d"]],
    ["/d.pack.json", ["d"]],
    ["{c,d}.pack.json", ["d", "drafts/d", "sub/drafts/d"]],
    ["drafts/", ["drafts/d", "sub/drafts/d"]],
    ["/drafts/", ["drafts/d"]],
    ["./drafts/**", ["drafts/d"]],
    ["/drafts/**", ["drafts/d"]],
    ["drafts/**", ["drafts/d"]],
    ["**/drafts/*", ["drafts/d", "sub/drafts/d"]],
    ["sub/drafts/", ["sub/drafts/d"]],
    ["sub/*", []],
    ["drafts", ["drafts/d", "sub/drafts/d"]],
    ["/drafts", ["drafts/d"]],
    ["sub/drafts", ["sub/drafts/d"]],
    ["draft", []],
  ])("an override for %s", async (files, expected) => {
    const names = ["d", "drafts/d", "sub/drafts/d"];
    const cwd = folderOf({
      ...Object.fromEntries(names.map((name) => [`${name}.pack.json`, oddEvent])),
      ".promptpackrc": `overrides: [{ files: "${files}", rules: { event-name-case: error } }]\n`,
    });
    const errors = (await found(cwd)).filter((line) => line.includes(" error "));
    expect(errors).toEqual(expected.map((name) => `${name}.pack.json error event-name-case`));
  });

  it.each([
    "app/[slug]/d.pack.json",
    "app/[slug]/",
    "[slug]/",
    "app/[slug]",
    "[slug]",
    "app/\\\\[slug\\\\]",
    "app/[slug]/*.pack.json",
    "app/[[]slug]/d.pack.json",
    "{app,src}/[slug]/d.pack.json",
  ])("an override for %s, where brackets may be part of a name", async (files) => {
    const cwd = folderOf({
      "app/[slug]/d.pack.json": oddEvent,
      "app/l/d.pack.json": oddEvent,
      ".promptpackrc": `overrides: [{ files: "${files}", rules: { event-name-case: error } }]\n`,
    });
    expect(await found(cwd)).toContain("app/[slug]/d.pack.json error event-name-case");
  });

  it("gives the command line precedence", async () => {
    const cwd = folderOf({
      ...packs,
      ".promptpackrc": "rules: { event-name-case: error, unknown-entry: off }\n",
    });
    expect(await found(cwd, "--preset", "errors")).toEqual(["b.pack.json error event-name-case"]);
    expect(await found(cwd, "--preset", "errors", "--rule", "unknown-entry:info")).toEqual([
      "a.pack.json info unknown-entry",
      "b.pack.json error event-name-case",
    ]);
  });
});

describe("ignoring", () => {
  it("leaves out files of `ignore` and of .promptpackignore, even when they are named", async () => {
    const cwd = folderOf({
      "promptpack.config.yaml": "ignore: [old/, '*.gen.pack.json', /top.pack.json]\n",
      "sub/.promptpackignore": "x.pack.json\n",
      "old/a.pack.json": badEntry,
      "sub/b.gen.pack.json": badEntry,
      "sub/x.pack.json": badEntry,
      "top.pack.json": badEntry,
      "sub/top.pack.json": clean,
    });
    expect(await found(cwd)).toEqual([]);
    expect((await promptpack(["lint"], { cwd })).code).toBe(0);
    const { code, stdout, stderr } = await promptpack(
      ["lint", "-f", "compact", "old/a.pack.json", "sub/x.pack.json"],
      { cwd },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe(
      'promptpack: "old/a.pack.json" is skipped: "promptpack.config.yaml" ignores it.\n' +
        'promptpack: "sub/x.pack.json" is skipped: "sub/.promptpackignore" ignores it.\n',
    );
  });

  it("names the .promptpackignore that applies, from any folder", async () => {
    const cwd = folderOf({
      ".promptpackignore": "old\n*.pack.json\n",
      "sub/.promptpackignore": "!a.pack.json\nb.*\n",
      "old/.promptpackignore": "!*\n",
      "old/a.pack.json": badEntry,
      "sub/a.pack.json": clean,
      "sub/b.pack.json": badEntry,
      "sub/c.pack.json": badEntry,
    });
    const names = ["../old/a.pack.json", "a.pack.json", "b.pack.json", "c.pack.json"];
    const { stderr } = await promptpack(["lint", ...names], { cwd: join(cwd, "sub") });
    expect(stderr).toBe(
      'promptpack: "../old/a.pack.json" is skipped: "../.promptpackignore" ignores it.\n' +
        'promptpack: "b.pack.json" is skipped: ".promptpackignore" ignores it.\n' +
        'promptpack: "c.pack.json" is skipped: "../.promptpackignore" ignores it.\n',
    );
  });

  it("ignores no file because of a link to it, nor a link because of its file", async () => {
    const files = { "b/one.pack.json": badEntry, "c/two.pack.json": badEntry };
    const cwd = folderOf({ ...files, ".promptpackignore": "/a/\nc/\n" });
    mkdirSync(join(cwd, "a"));
    symlinkSync("../b/one.pack.json", join(cwd, "a", "one.pack.json"));
    symlinkSync("../c/two.pack.json", join(cwd, "b", "two.pack.json"));
    expect(await found(cwd)).toEqual([
      "b/one.pack.json error unknown-entry",
      "b/two.pack.json error unknown-entry",
    ]);
  });

  it("exits with 2 if every file is ignored and none was named", async () => {
    const files = { "a.pack.json": badEntry, "sub/b.pack.json": badEntry };
    const exits = async (own: Record<string, string>, ...args: string[]) => {
      const { code, stderr } = await promptpack(["lint", ...args], { cwd: folderOf({ ...files, ...own }) });
      return { code, stderr };
    };
    const config = { "promptpack.config.yaml": "ignore: [sub]\n" };
    const both = { ...config, ".promptpackignore": "/a.*\n" };
    const says = (sentence: string) => ({ code: 2, stderr: `promptpack: ${sentence}\n` });
    expect(await exits({ ".promptpackrc": 'ignore: ["*"]\n' })).toEqual(
      says('Every file that was found is skipped: ".promptpackrc" ignores them.'),
    );
    expect(await exits(config, "sub", "sub/*.json")).toEqual(
      says('Every file that was found is skipped: "promptpack.config.yaml" ignores them.'),
    );
    expect(await exits(both)).toEqual(
      says(
        'Every file that was found is skipped: ".promptpackignore" and "promptpack.config.yaml" ignore them.',
      ),
    );
    expect(await exits(config)).toEqual({ code: 1, stderr: "" });
    expect(await exits(config, "sub", "sub/b.pack.json")).toEqual({
      code: 0,
      stderr: 'promptpack: "sub/b.pack.json" is skipped: "promptpack.config.yaml" ignores it.\n',
    });
  });

  const entry = (pointer: string, file = "a.pack.json", rule = "unknown-entry") =>
    `ignore:\n  - { file: ${file}, rule: ${rule}, pointer: ${pointer}, reason: later }\n`;

  it("leaves out a finding at a pointer and below it, and nowhere else", async () => {
    const files = { "a.pack.json": badEntry, "b.pack.json": badEntry };
    for (const pointer of ["/workflow/entry", "/workflow"]) {
      const cwd = folderOf({ ...files, "promptpack.config.yaml": entry(pointer) });
      expect(await found(cwd)).toEqual(["b.pack.json error unknown-entry"]);
    }
    const elsewhere = folderOf({ "sub/a.pack.json": badEntry, "promptpack.config.yaml": entry("/workflow") });
    expect((await found(elsewhere))[1]).toBe("sub/a.pack.json error unknown-entry");
    const everywhere = folderOf({ ...files, "promptpack.config.yaml": entry("/workflow", '"*.json"') });
    expect(await found(everywhere)).toEqual([]);
  });

  it.each([
    ["sub/", ["a.pack.json"]],
    ["./sub/", ["a.pack.json"]],
    ["/a.pack.json", ["sub/a.pack.json"]],
    ["./*.json", ["sub/a.pack.json"]],
    ["/sub/*", ["a.pack.json"]],
  ])("resolves %j from the folder of the config", async (file, left) => {
    const files = { "a.pack.json": badEntry, "sub/a.pack.json": badEntry };
    const cwd = folderOf({ ...files, "promptpack.config.yaml": entry("/workflow", `"${file}"`) });
    expect(await found(cwd)).toEqual(left.map((each) => `${each} error unknown-entry`));
  });

  it("explains how to name the files of a folder", async () => {
    const config = entry("/workflow", "sub");
    const cwd = folderOf({ "sub/a.pack.json": clean, "promptpack.config.yaml": config });
    expect((await promptpack(["lint", "-f", "compact"], { cwd })).stdout).toBe(
      'promptpack.config.yaml:2:13: warning: "sub" is a folder: write "sub/" for the files in it. [unused-suppression]\n',
    );
  });

  it("reports an entry that suppresses nothing in a linted file", async () => {
    const cwd = folderOf({
      "a.pack.json": oddEvent,
      "b.pack.json": clean,
      "promptpack.config.yaml": entry("/workflow/entry", "a.pack.json", "event-name-case"),
    });
    const { code, stdout } = await promptpack(["lint", "-f", "compact", "--max-warnings", "0"], { cwd });
    expect({ code, stdout: stdout.split("\n").slice(1) }).toEqual({
      code: 1,
      stdout: [
        'promptpack.config.yaml:2:32: warning: "event-name-case" reports nothing at "/workflow/entry" in "a.pack.json": remove the entry. [unused-suppression]',
        "",
      ],
    });
    expect(await found(cwd, "b.pack.json")).toEqual([]);
    expect(await found(cwd, "--preset", "errors")).toEqual([]);
  });

  it("reports an entry whose pointer does not exist, as after a rename", async () => {
    const config = entry("/workflow/states/hallo");
    const cwd = folderOf({ "a.pack.json": clean, "promptpack.config.yaml": config });
    expect((await promptpack(["lint", "-f", "compact"], { cwd })).stdout).toBe(
      'promptpack.config.yaml:2:32: warning: There is no "/workflow/states/hallo" in "a.pack.json": correct the pointer, or remove the entry. [unused-suppression]\n',
    );
  });

  it.each([
    ["a file that cannot be parsed", "{", "parse-error"],
    ["a file with an error", badEntry, "unknown-entry"],
  ])("reports no stale entry for %s", async (_, text, rule) => {
    const config = entry("/workflow", "a.pack.json", "unreachable-state");
    const cwd = folderOf({ "a.pack.json": text, "promptpack.config.yaml": config });
    expect(await found(cwd)).toEqual([`a.pack.json error ${rule}`]);
  });

  it.each([
    ["the config", "rules: { parse-error: off }", []],
    ["an override", "overrides: [{ files: a.*, rules: { parse-error: off } }]", []],
    ["--rule", "", ["--rule", "parse-error:off"]],
    ["--preset", "rules: { parse-error: warning }", ["--preset", "errors"]],
  ])("does not pass an unparsable file if %s turns parse-error off", async (_, config, args) => {
    const cwd = folderOf({ "a.pack.json": "{", "b.pack.json": clean, "promptpack.config.yaml": config });
    const { code, stderr } = await promptpack(["lint", ...args], { cwd });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'promptpack: "a.pack.json" cannot be parsed, and "parse-error", which would say why, is off: turn it on, or ignore the file.\n',
    });
    expect((await promptpack(["lint", ...args, "b.pack.json"], { cwd })).code).toBe(0);
  });

  it("counts the files that were linted, not the config", async () => {
    const config = entry("/workflow");
    const cwd = folderOf({ "a.pack.json": clean, "b.pack.json": clean, "promptpack.config.yaml": config });
    const summary = async (...args: string[]) =>
      (await promptpack(["lint", ...args], { cwd })).stdout.trimEnd().split("\n").at(-1);
    expect(await summary()).toBe("⚠ 1 problem (1 warning) in 1 file");
    expect(await summary("-q")).toBe("✔ No errors in 2 files");
    const { stdout } = await promptpack(["lint", "-f", "json"], { cwd });
    expect((JSON.parse(stdout) as { summary: object }).summary).toEqual({
      files: 2,
      errors: 0,
      warnings: 1,
      infos: 0,
    });
  });

  it("has one report if the config is linted as well", async () => {
    const config = entry("/workflow");
    const cwd = folderOf({ "a.pack.json": clean, "promptpack.config.yaml": config });
    const { stdout } = await promptpack(["lint", "a.pack.json", "promptpack.config.yaml", "-f", "junit"], {
      cwd,
    });
    expect([...stdout.matchAll(/<testsuite name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      "a.pack.json",
      "promptpack.config.yaml",
    ]);
    expect(stdout).toContain("reports nothing at");
    expect(stdout).toContain("is not a property of a pack");
  });

  it("reports an entry for a linted file that has another config", async () => {
    const files = { "a.pack.json": clean, "sub/b.pack.json": badEntry };
    const nearer = "sub/promptpack.config.yaml";
    const cwd = folderOf({
      ...files,
      "promptpack.config.yaml": entry("/workflow", "sub/b.pack.json"),
      [nearer]: "rules: {}\n",
    });
    const { stdout } = await promptpack(["lint", "-f", "compact"], { cwd });
    expect(stdout.split("\n")[0]).toBe(
      `promptpack.config.yaml:2:13: warning: Only the config "${nearer}" counts for "sub/b.pack.json": move the entry there, with the file "b.pack.json". [unused-suppression]`,
    );
    expect(await found(cwd, "a.pack.json")).toEqual([]);
    expect(await found(cwd, "--config", "promptpack.config.yaml")).toEqual([]);
    const moved = { "promptpack.config.yaml": "rules: {}\n", [nearer]: entry("/workflow", "b.pack.json") };
    expect(await found(folderOf({ ...files, ...moved }))).toEqual([]);
  });

  it("reports an entry for a file that does not exist once", async () => {
    const cwd = folderOf({
      "a.pack.json": clean,
      "b.pack.json": clean,
      "promptpack.config.yaml": entry("/workflow", "gone.pack.json"),
    });
    const { code, stdout } = await promptpack(["lint", "-f", "compact"], { cwd });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'promptpack.config.yaml:2:13: warning: The file "gone.pack.json" does not exist: remove the entry. [unused-suppression]\n',
    });
  });
});

describe("a config with mistakes exits with 2, and each mistake has its location", () => {
  it.each([
    ["rules:\n  unkown-entry: off\n", '2:3: No rule is called "unkown-entry". Did you mean "unknown-entry"?'],
    ["rules:\n  unknown-entry: eror\n", '2:18: "eror" is not a severity. Did you mean "error"?'],
    [
      "rules:\n  unknown-entry: 2\n",
      '2:18: This is not a severity. Choose "off", "info", "warning" or "error".',
    ],
    ["rules:\n  unknown-entry: warn\n", '2:18: "warn" is not a severity. Did you mean "warning"?'],
    ["rules:\n  unknown-entry: Warnings\n", '2:18: "Warnings" is not a severity. Did you mean "warning"?'],
    ["rules:\n  unknown-entry: err\n", '2:18: "err" is not a severity. Did you mean "error"?'],
    [
      "rules:\n  unknown-entry: x\n",
      '2:18: "x" is not a severity. Choose "off", "info", "warning" or "error".',
    ],
    ["[]\n", "1:1: The file holds a list. A config must be an object with keys such as extends and rules."],
    ["null\n", "1:1: The file holds null. A config must be an object with keys such as extends and rules."],
    [
      "word\n",
      "1:1: The file holds a string. A config must be an object with keys such as extends and rules.",
    ],
    ["{}\n---\n{}\n", "2:1: The file holds several YAML documents. A config must be a single document."],
    ["rules: [unknown-entry]\n", '1:1: "rules" must be an object of rule ids and severities.'],
    ["ruels: {}\n", '1:1: The configuration has no key "ruels". Did you mean "rules"?'],
    ["extends: strickt\n", '1:10: "strickt" is not a preset. Did you mean "strict"?'],
    ["extends: strict\nextends: spec\n", '2:1: "extends" is set twice.'],
    ["overrides: {}\n", '1:1: "overrides" must be a list.'],
    ["overrides:\n  - file: a\n", '2:5: An override has no key "file". Did you mean "files"?'],
    [
      'overrides:\n  - files: "!a.yaml"\n',
      '2:12: "!a.yaml" matches no file: "files" can only name files to include, not files to leave out.',
    ],
    ['overrides:\n  - files: ""\n', '2:12: "" matches no file: it is empty.'],
    ["overrides:\n  - files: /\n", '2:12: "/" matches no file: it is empty.'],
    ["overrides:\n  - files: []\n", '2:5: "files" is empty, so it matches no file.'],
    ['ignore: [""]\n', '1:10: "" matches no file: it is empty.'],
    ['ignore: ["! "]\n', '1:10: "! " matches no file: it is empty.'],
    ["ignore: [3]\n", "1:10: A file to ignore must be a string."],
    [
      "ignore:\n  - { file: '!a', rule: schema, pointer: '' }\n",
      '2:13: "!a" matches no file: "file" can only name files to include, not files to leave out.',
    ],
    [
      "ignore:\n  - { file: a, rule: x, pointer: b }\n",
      '2:22: No rule is called "x". "promptpack rules" lists them.',
    ],
    [
      "ignore:\n  - { file: a, rule: schema, pointer: b }\n",
      '2:39: "b" is not a JSON Pointer: a JSON Pointer begins with "/".',
    ],
    [
      "ignore:\n  - { file: a, rule: schema, pointer: /a~2b }\n",
      '2:39: "/a~2b" is not a JSON Pointer: "~" must be followed by 0 or 1: "~0" means "~", and "~1" means "/".',
    ],
    [
      'ignore:\n  - { file: a, rule: parse-error, pointer: "" }\n',
      '2:22: "parse-error" cannot be ignored at one place in a file: ignore the whole file.',
    ],
    ["__proto__: {}\n", '1:1: The configuration has no key "__proto__".'],
  ])("%j", async (text, message) => {
    const cwd = folderOf({ "a.pack.json": clean, "promptpack.config.yaml": text });
    const { code, stdout, stderr } = await promptpack(["lint", "-f", "compact"], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.split("\n")[0]).toContain(`promptpack: promptpack.config.yaml:${message}`);
  });

  it("reports that a config is not UTF-8", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    writeFileSync(join(cwd, ".promptpackrc"), Buffer.from("\ufeffextends: strict\n", "utf16le"));
    expect(await promptpack(["lint", "-f", "compact"], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: "promptpack: .promptpackrc:1:1: The file is encoded as UTF-16; save it as UTF-8.\n",
    });
  });

  it("lints the files of other configs, and prints each mistake once", async () => {
    const cwd = folderOf({
      "x/.promptpackrc": "a: 1\nb: 2\n",
      "x/1.pack.json": badEntry,
      "x/2.pack.json": badEntry,
      "y.pack.json": badEntry,
    });
    const { code, stdout, stderr } = await promptpack(["lint", "-f", "compact"], { cwd });
    expect({ code, files: stdout.split("\n").map((line) => line.split(":")[0]) }).toEqual({
      code: 2,
      files: ["y.pack.json", ""],
    });
    expect(stderr).toBe(
      'promptpack: x/.promptpackrc:1:1: The configuration has no key "a". The known keys are "$schema", "extends", "rules", "overrides", "ignore", "properties", "runtimes", "validatorTypes" and "evalTypes".\n' +
        'promptpack: x/.promptpackrc:2:1: The configuration has no key "b". The known keys are "$schema", "extends", "rules", "overrides", "ignore", "properties", "runtimes", "validatorTypes" and "evalTypes".\n',
    );
  });

  it("prints the first twenty mistakes in the order of the file", async () => {
    const text = "ignore: [3]\noverrides: 3\nrules: { x: y }\nextends: z\nno: 1\n";
    const cwd = folderOf({ "a.pack.json": clean, ".promptpackrc": text });
    const places = (await found(cwd)).map((line) => /:(\d+:\d+):/.exec(line)?.[1]);
    expect(places).toEqual(["1:10", "2:12", "3:10", "3:13", "4:10", "5:1"]);
    const many = `${"a: 1\n".repeat(30)}ignore: [3]\n`.replace("a: 1", "rules: [x]");
    const lines = await found(folderOf({ "a.pack.json": clean, ".promptpackrc": many }));
    expect([lines.length, lines[0]]).toEqual([
      21,
      'promptpack: .promptpackrc:1:1: "rules" must be an object of rule ids and severities.',
    ]);
  });

  it("locates a mistake in package.json", async () => {
    const manifest = '{\n  "promptpack": {\n    "extends": "x"\n  }\n}\n';
    expect(await found(folderOf({ "a.pack.json": clean, "package.json": manifest }))).toEqual([
      'promptpack: package.json:3:16: "x" is not a preset. Choose "recommended", "strict", "spec" or "errors".',
    ]);
  });

  it("does not skip a broken package.json that has the key", async () => {
    const manifest = '{\n  "promptpack": { "extends": "errors" },\n}\n';
    expect(await found(folderOf({ "a.pack.json": clean, "package.json": manifest }))).toEqual([
      "promptpack: package.json:2:40: JSON allows no comma after the last entry; remove it.",
    ]);
  });

  it("reports keys that are set twice only below the key in package.json", async () => {
    const manifest =
      '{ "a": 1, "a": 2, "promptpackage": { "b": 1, "b": 2 },\n  "promptpack": { "extends": "spec", "extends": "errors" } }';
    expect(await found(folderOf({ "a.pack.json": clean, "package.json": manifest }))).toEqual([
      'promptpack: package.json:2:38: "extends" is set twice.',
    ]);
  });

  it("does not skip a config that is a dangling link", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    symlinkSync("gone.yaml", join(cwd, "promptpack.config.yaml"));
    expect(await found(cwd)).toEqual([
      'promptpack: The config file "promptpack.config.yaml" is a link to something that does not exist.',
    ]);
  });
});

describe("--print-config", () => {
  it("refuses a folder", async () => {
    const { code, stderr } = await promptpack(["lint", "--print-config", "."], { cwd: folderOf({}) });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'promptpack: "." is a folder: "--print-config" needs the name of a file, which need not exist.\n',
    });
  });

  it("prints the settings of a file", async () => {
    const config =
      "extends: errors\nrules: { event-name-case: info }\nignore: [{ file: a.json, rule: schema, pointer: /x }]\n";
    const cwd = folderOf({ ".promptpackrc": config });
    const { code, stdout } = await promptpack(["lint", "--print-config", "a.json", "--rule", "schema:info"], {
      cwd,
    });
    const shown = JSON.parse(stdout) as Record<string, unknown> & { rules: Record<string, string> };
    const { rules, ...rest } = shown;
    expect({ code, rest }).toEqual({
      code: 0,
      rest: {
        file: "a.json",
        config: ".promptpackrc",
        extends: "errors",
        ignored: false,
        runtimes: ["promptkit"],
        ignore: [{ file: "a.json", rule: "schema", pointer: "/x" }],
      },
    });
    expect([rules["event-name-case"], rules["schema"], rules["unknown-entry"], rules["dead-guard"]]).toEqual([
      "info",
      "info",
      "error",
      "off",
    ]);
  });

  it("treats a path below a file as a file that does not exist", async () => {
    const { code, stderr } = await promptpack(["lint", "--print-config", "a.txt/b.pack.json"], {
      cwd: folderOf({ "a.txt": "" }),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("escapes invisible characters", async () => {
    const entry = {
      file: "a.pack.json",
      rule: "dead-guard",
      pointer: "",
      reason: "\u009b2J\u202e\u007f\u2028",
    };
    const cwd = folderOf({ "promptpack.config.json": JSON.stringify({ ignore: [entry] }) });
    const { stdout } = await promptpack(["lint", "--print-config", "a.pack.json"], { cwd });
    expect(stdout).toContain('"reason": "\\u009b2J\\u202e\\u007f\\u2028"');
    expect(JSON.parse(stdout)).toMatchObject({ ignore: [entry] });
  });
});

describe("schema/config.schema.json", () => {
  const validate = new Ajv2020.default({ strict: false }).compile(
    JSON.parse(readFileSync("schema/config.schema.json", "utf8")) as object,
  );

  it.each<[object, boolean]>([
    [{}, true],
    [
      { $schema: "x", extends: "strict", rules: { schema: "off" }, overrides: [{ files: "a", rules: {} }] },
      true,
    ],
    [
      {
        overrides: [{ files: ["a", "b"] }],
        ignore: ["a", { file: "a", rule: "schema", pointer: "", reason: "r" }],
      },
      true,
    ],
    [{ ruels: {} }, false],
    [{ extends: "x" }, false],
    [{ rules: { schema: "fatal" } }, false],
    [{ rules: { shema: "off" } }, false],
    [{ overrides: [{ files: "a", rules: { shema: "off" } }] }, false],
    [{ overrides: [{ rules: {} }] }, false],
    [{ overrides: [{ files: "" }] }, false],
    [{ overrides: [{ files: ["a/", "!a"] }] }, false],
    [{ overrides: [{ files: ["./", "/a"] }] }, false],
    [{ overrides: [{ files: [] }] }, false],
    [{ ignore: [{ file: "a", rule: "schema" }] }, false],
    [{ ignore: [{ file: "", rule: "schema", pointer: "" }] }, false],
    [{ ignore: [{ file: "!a", rule: "schema", pointer: "" }] }, false],
    [{ ignore: [{ file: "./a/", rule: "schema", pointer: "" }] }, true],
    [{ ignore: [{ file: "a", rule: "schema", pointer: "x" }] }, false],
    [{ ignore: [{ file: "a", rule: "shema", pointer: "" }] }, false],
    [{ ignore: [{ file: "a", rule: "parse-error", pointer: "" }] }, false],
  ])("%j: %s", async (config, valid) => {
    expect(validate(config)).toBe(valid);
    const cwd = folderOf({ "a.pack.json": clean, "promptpack.config.json": JSON.stringify(config) });
    const { code } = await promptpack(["lint", "--print-config", "a.pack.json"], { cwd });
    expect(code).toBe(valid ? 0 : 2);
  });
});
