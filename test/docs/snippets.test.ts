import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { configNames } from "../../src/cli/files/setting-files.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { badEntry, clean, otherId, yamlPack } from "../cli/packs.js";
import { Editor } from "../editor/editor.js";
import { fencedBlocks } from "./fenced-blocks.js";
import { isFile, isRun } from "./page-session.js";
import { pages } from "./pages.js";

const blocks = pages.flatMap((page) =>
  fencedBlocks(readFileSync(page, "utf8")).map((block) => ({ ...block, page })),
);
const packNames = ["a.pack", "a.promptpack", "pack", "promptpack"];

/** A check for one kind of block: what its body looks like, and what must hold. */
type Check = readonly [language: string, looksLike: RegExp, holds: (body: string) => Promise<void> | void];

const checks: readonly Check[] = [
  ["sh", /^npm ci --silent && (?:npm test|node bin\/promptpack\.js )/, quickStart],
  ["sh", /^npm ci && npm install --global \.$/m, hasBin],
  ["sh", /^npm ci && npm run binary$/m, hasBinaryScript],
  // An integration test installs it so.
  ["sh", /^npm install --save-dev --allow-git=root ADDRESS$/m, hasBin],
  ["sh", /^eval "\$\(promptpack completion bash\)"$/m, evaluates],
  ["yaml", /^# promptpack\.config\.yaml, with every key\n/, isConfig],
  ["yaml", /^# promptpack-disable /, silences],
  ["yaml", /^# \.pre-commit-config\.yaml\n/, isPreCommitConfig],
  ["yaml", /^# \.github\/workflows\//, usesTheAction],
  ["yaml", /^# \.gitlab-ci\.yml\n/, reportsToGitlab],
  ["yaml", /^# yaml-language-server: /, namesSchema],
  ["json", /"lint-staged"/, isManifest],
  ["json", /"yaml\.schemas"/, attachesSchemas],
  ["json", /"problemMatcher"/, matchesFindings],
  ["json", /"lsp"/, startsServerOfZed],
  ["toml", /^# languages\.toml\n/, startsServerOfHelix],
  // Neovim itself runs it, in an integration test.
  ["lua", /"promptpack", "lsp"/, () => undefined],
];

/** These are run, or compared with what is printed, by the tests of the pages and of the README. */
const isPlayed = (block: (typeof blocks)[number]) =>
  isRun(block) || isFile(block) || ["text", "ts"].includes(block.language);

describe("the snippets", () => {
  const snippets = blocks.filter((block) => !isPlayed(block));

  it("each have a check", () => {
    const lost = snippets.filter((block) => checksFor(block.language, block.body).length === 0);
    expect(lost.map(({ page, language, line }) => `${language} in ${page}:${line}`)).toEqual([]);
    const idle = checks.filter(
      ([language, looksLike]) =>
        !snippets.some((block) => block.language === language && looksLike.test(block.body)),
    );
    expect(idle.map(([language, looksLike]) => `${language} ${looksLike.source}`)).toEqual([]);
  });

  it.each(snippets.map(({ page, language, body, line }) => [language, page, line, body] as const))(
    "%s in %s:%i holds",
    async (language, _page, _line, body) => {
      for (const [, , holds] of checksFor(language, body)) await holds(body);
    },
  );

  it("are the same where the README and a page show the same file", () => {
    const named = new Map<string, Set<string>>();
    for (const { body } of snippets) {
      const name = /^# (\.\S+)\n/.exec(body)?.[1];
      if (name !== undefined) named.set(name, (named.get(name) ?? new Set()).add(body));
    }
    expect([...named].map(([name, bodies]) => [name, bodies.size])).toEqual([
      [".pre-commit-config.yaml", 1],
      [".github/workflows/packs.yml", 1],
      [".gitlab-ci.yml", 1],
    ]);
  });
});

function checksFor(language: string, body: string): readonly Check[] {
  return checks.filter(([wanted, looksLike]) => wanted === language && looksLike.test(body)).slice(0, 1);
}

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;

async function quickStart(body: string): Promise<void> {
  const command = body.trim().split(" && ")[1] ?? "";
  if (command === "npm test") expect(manifest.scripts["test"]).toContain("vitest run");
  else {
    const args = command.split(" ").slice(2);
    expect(existsSync(args.at(-1) ?? "")).toBe(true);
    expect((await promptpack(args, { cwd: process.cwd() })).code).not.toBe(2);
  }
}

function hasBin(): void {
  expect(existsSync(manifest.bin["promptpack"] ?? "")).toBe(true);
}

function hasBinaryScript(): void {
  expect(manifest.scripts["binary"]).toContain("scripts/binary.mjs");
}

async function evaluates(body: string): Promise<void> {
  const { stdout } = await promptpack(["completion", "bash"]);
  const program = join(folderOf({ script: stdout }), "script");
  const shell = `promptpack() { cat "$1"; }\n${body.replace("promptpack completion bash", `promptpack "${program}"`)}\ncomplete -p promptpack`;
  expect(execFileSync("bash", ["--norc", "-ec", shell], { encoding: "utf8" })).toContain("-F _promptpack");
}

async function isConfig(body: string): Promise<void> {
  const cwd = folderOf({ "promptpack.config.yaml": body });
  const { code, stdout, stderr } = await promptpack(["lint", "--print-config", "drafts/legacy.pack.json"], {
    cwd,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { extends: preset, rules } = parse(body) as { extends: string; rules: Record<string, string> };
  expect(JSON.parse(stdout)).toMatchObject({ config: "promptpack.config.yaml", extends: preset, rules });
}

/** The rules it names are found where the comments are not heeded, and only those. */
async function silences(body: string): Promise<void> {
  const prompts = yamlPack
    .slice(0, yamlPack.indexOf("workflow:"))
    .replace("emit done", "emit done, help or more");
  const cwd = folderOf({ "a.pack.yaml": body + prompts });
  expect(await promptpack(["lint", "-f", "compact"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  const { stdout } = await promptpack(["lint", "-f", "compact", "--no-inline-config"], { cwd });
  const found = [...stdout.matchAll(/\[([a-z-]+)\]$/gm)].map(([, rule]) => rule);
  const named = [...body.matchAll(/promptpack-disable\S* (\S+)/g)].map(([, rule]) => rule);
  expect([...new Set(found)].sort()).toEqual([...new Set(named)].sort());
}

function isPreCommitConfig(body: string): void {
  const { repos } = parse(body) as { repos: { repo: string; rev: string; hooks: { id: string }[] }[] };
  const ours = parse(readFileSync(".pre-commit-hooks.yaml", "utf8")) as { id: string }[];
  const known = new Set(ours.map(({ id }) => id));
  expect(repos.map(({ repo, rev, hooks }) => [repo, rev, hooks.every(({ id }) => known.has(id))])).toEqual([
    ["ADDRESS", "COMMIT", true],
  ]);
  const file = join(folderOf({ "config.yaml": body.replace("COMMIT", "a".repeat(40)) }), "config.yaml");
  const { error, status, stdout } = spawnSync("pre-commit", ["validate-config", file], { encoding: "utf8" });
  if (error === undefined) expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
}

function usesTheAction(body: string): void {
  interface Step {
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }
  const { jobs } = parse(body) as { jobs: Record<string, { steps: readonly Step[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const { inputs } = parse(readFileSync("action.yml", "utf8")) as { inputs: Record<string, unknown> };
  const given = steps.find(({ uses }) => uses === "OWNER/promptpack@COMMIT")?.with ?? {};
  expect(Object.keys(given).filter((name) => !Object.hasOwn(inputs, name))).toEqual([]);
  expect(given).toMatchObject({ sarif: true });
  expect(body).toContain("security-events: write");
}

async function reportsToGitlab(body: string): Promise<void> {
  interface Job {
    readonly script: readonly string[];
    readonly artifacts: { readonly reports: { readonly codequality: string } };
  }
  const { script, artifacts } = (parse(body) as { promptpack: Job }).promptpack;
  const command = script.find((line) => line.startsWith("npx --no-install promptpack "))?.split(" ") ?? [];
  const cwd = folderOf({ "a.pack.json": badEntry });
  expect((await promptpack(command.slice(3), { cwd })).code).toBe(1);
  const report: unknown = JSON.parse(readFileSync(join(cwd, artifacts.reports.codequality), "utf8"));
  expect(report).toMatchObject([{ check_name: "unknown-entry", location: { path: "a.pack.json" } }]);
}

const shipped = (path: string) => path.replace("./node_modules/promptpack/", "");

function namesSchema(body: string): void {
  const path = /\$schema=(\S+)$/m.exec(body)?.[1] ?? "";
  expect(existsSync(shipped(path))).toBe(true);
  expect(parse(body)).toEqual({ id: "support" });
}

async function isManifest(body: string): Promise<void> {
  interface Snippet {
    readonly scripts: Readonly<Record<string, string>>;
    readonly "lint-staged": Readonly<Record<string, string>>;
  }
  const { scripts, "lint-staged": staged } = JSON.parse(body) as Snippet;
  const cwd = folderOf({ "pack.json": otherId, "b.promptpack.json": clean });
  const [script = ""] = Object.values(scripts);
  expect((await promptpack(script.split(" ").slice(1), { cwd })).code).toBe(1);
  const [[pattern, command] = ["", ""]] = Object.entries(staged);
  const names = packNames.flatMap((name) => ["json", "yaml", "yml"].map((ending) => `${name}.${ending}`));
  const matches = picomatch(pattern);
  expect(
    [...names, "backpack.json", "pack.json.bak", "package.json"].filter((name) => matches(name)),
  ).toEqual(names);
  const args = [...command.split(" ").slice(1), join(cwd, "pack.json"), join(cwd, "b.promptpack.json")];
  expect((await promptpack(args, { cwd })).code).toBe(0);
}

function attachesSchemas(body: string): void {
  interface Settings {
    readonly "json.schemas": readonly { readonly fileMatch: readonly string[]; readonly url: string }[];
    readonly "yaml.schemas": Readonly<Record<string, readonly string[]>>;
  }
  const settings = JSON.parse(body) as Settings;
  const pairs = [
    ...settings["json.schemas"].map(({ fileMatch, url }) => [url, fileMatch] as const),
    ...Object.entries(settings["yaml.schemas"]),
  ];
  const isOfPacks = ([path]: readonly [string, readonly string[]]) =>
    path.endsWith("/promptpack.schema.json");
  expect(pairs.filter(([path]) => !existsSync(shipped(path)))).toEqual([]);
  const matches = picomatch(pairs.filter(isOfPacks).flatMap(([, patterns]) => patterns));
  const names = packNames.flatMap((name) => ["json", "yaml", "yml"].map((ending) => `${name}.${ending}`));
  expect(names.filter((name) => !matches(name))).toEqual([]);
  expect(["promptpack.config.yaml", "package.json"].filter((name) => matches(name))).toEqual([]);
  const ofConfigs = pairs.filter(([path]) => path.endsWith("/config.schema.json"));
  const matchesConfig = picomatch(ofConfigs.flatMap(([, patterns]) => patterns));
  // Without an ending, an editor does not know which language it is.
  const configs = configNames.filter((name) => name !== ".promptpackrc");
  expect(configs.filter((name) => !matchesConfig(name))).toEqual([]);
}

async function matchesFindings(body: string): Promise<void> {
  interface Pattern {
    readonly regexp: string;
    readonly [part: string]: string | number;
  }
  interface Task {
    readonly command: string;
    readonly problemMatcher: {
      readonly severity: string;
      readonly pattern: Pattern;
      readonly background: { readonly beginsPattern: string; readonly endsPattern: string };
    };
  }
  const [task] = (JSON.parse(body) as { tasks: readonly Task[] }).tasks;
  const github = JSON.parse(readFileSync(".github/promptpack-matcher.json", "utf8")) as {
    problemMatcher: { severity: string; pattern: Pattern[] }[];
  };
  const pattern = task?.problemMatcher.pattern;
  // What the pattern does not name is an info; a runner of GitHub knows no such severity.
  expect(task?.problemMatcher.severity).toBe("info");
  expect(github.problemMatcher).toEqual([{ owner: "promptpack", severity: "notice", pattern: [pattern] }]);
  const silent = clean.replace("then emit Done", "then stop");
  const cwd = folderOf({ "a: b.pack.json": badEntry, "b.pack.json": otherId, "c.pack.json": silent });
  const args = (task?.command ?? "").split(" ").slice(3);
  const { stdout } = await promptpack(args, { cwd, signal: AbortSignal.abort() });
  // The words are those that the tests of --watch expect.
  const { beginsPattern = "", endsPattern = "" } = task?.problemMatcher.background ?? {};
  expect('promptpack: "a.pack.json" changed.').toMatch(new RegExp(beginsPattern));
  expect("promptpack: Watching 1 file; press Ctrl-C to stop.").toMatch(new RegExp(endsPattern));
  const { regexp = "", ...parts } = pattern ?? {};
  const found = stdout
    .trimEnd()
    .split("\n")
    .map((line) => {
      const match = new RegExp(String(regexp)).exec(line);
      return Object.fromEntries(Object.entries(parts).map(([name, group]) => [name, match?.[Number(group)]]));
    });
  expect(found).toEqual([
    {
      file: "a: b.pack.json",
      line: "25",
      column: "14",
      severity: "error",
      message: 'The workflow starts at "helo", which is not a state. Did you mean "hello"?',
      code: "unknown-entry",
    },
    {
      file: "b.pack.json",
      line: "17",
      column: "13",
      severity: "warning",
      message: expect.any(String) as string,
      code: "prompt-id-differs",
    },
    {
      file: "c.pack.json",
      line: "29",
      column: "9",
      severity: undefined,
      message: expect.any(String) as string,
      code: "event-not-in-prompt",
    },
  ]);
}

interface Zed {
  readonly lsp: Readonly<Record<string, { readonly binary: { path: string; arguments: string[] } }>>;
}

async function startsServerOfZed(body: string): Promise<void> {
  const [[server, { binary }] = ["", { binary: { path: "", arguments: [] } }]] = Object.entries(
    (JSON.parse(body) as Zed).lsp,
  );
  expect(server).toBe("yaml-language-server");
  await startsServer([binary.path, ...binary.arguments]);
}

async function startsServerOfHelix(body: string): Promise<void> {
  const [, name = "", path = "", args = ""] =
    /^\[language-server\.(\w+)\]\ncommand = "(.+)"\nargs = (\[.*\])$/m.exec(body) ?? [];
  const lists = [...body.matchAll(/^name = "(\w+)"\nlanguage-servers = (\[.*\])$/gm)];
  expect(lists.map(([, language]) => language)).toEqual(["yaml", "json"]);
  for (const [, , servers = "[]"] of lists) expect(JSON.parse(servers)).toContain(name);
  await startsServer([path, ...(JSON.parse(args) as string[])]);
}

/** A command of an editor is the server, and the server answers. */
async function startsServer(command: readonly string[]): Promise<void> {
  expect(command).toEqual(["promptpack", "lsp"]);
  const { serverInfo } = await Editor.silentIn(folderOf({})).initialize();
  expect(serverInfo?.name).toBe("promptpack");
}
