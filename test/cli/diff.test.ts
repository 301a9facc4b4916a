import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack, type Surround } from "./harness.js";
import { clean, cleanPack } from "./packs.js";
import { gitEnv, Repository } from "./repository.js";
import { isFull } from "../runs.js";

type Pack = ReturnType<typeof cleanPack>;

/** The pack without findings, in another version and changed. */
function packOf(version: string, change: (pack: Pack) => void = () => undefined): string {
  const pack = cleanPack();
  pack.version = version;
  change(pack);
  return JSON.stringify(pack, null, 2);
}

const extra = { id: "extra", name: "Extra", version: "1.0.0", system_template: "More." };
const withExtra = (version: string) =>
  packOf(version, ({ prompts }) => Object.assign(prompts, { extra: { ...extra } }));
const reworded = (version: string) =>
  packOf(version, ({ prompts: { bye } }) => {
    bye.system_template = "Say farewell.";
    bye.version = "1.1.0";
  });
const brokenWorkflow = packOf("1.0.0", ({ workflow }) => Object.assign(workflow, { states: [] }));

interface Change {
  readonly rule: string;
  readonly level: string | null;
  readonly [key: string]: unknown;
}

interface Compared {
  readonly status?: string;
  readonly old: { readonly file: string } | null;
  readonly new: { readonly file: string } | null;
  readonly requiredBump: string;
  readonly changes: readonly Change[];
  readonly behaviour: unknown;
}

const rulesOf = ({ changes }: Compared) => changes.map(({ rule, level }) => `${level ?? "-"} ${rule}`);

/** Compares two texts as files; the changes as `level rule`. */
async function diff(old: string, now: string, ...args: string[]) {
  const cwd = folderOf({ "old.json": old, "new.json": now });
  const { code, stdout, stderr } = await promptpack(["diff", "old.json", "new.json", "-f", "json", ...args], {
    cwd,
  });
  return { code, stderr, rules: stdout === "" ? undefined : rulesOf(JSON.parse(stdout) as Compared) };
}

describe("diff of two files", () => {
  it("is silent about two that say the same", async () => {
    expect(await diff(clean, JSON.stringify(cleanPack()))).toEqual({ code: 0, stderr: "", rules: [] });
    const cwd = folderOf({ "a.json": clean });
    expect(await promptpack(["diff", "a.json", "a.json", "--fail-on", "any"], { cwd })).toEqual({
      code: 0,
      stdout: "✔ No changes.\n",
      stderr: "",
    });
  });

  it("fails when the version was not raised enough", async () => {
    expect(await diff(withExtra("1.0.0"), packOf("1.1.0"))).toEqual({
      code: 1,
      stderr: "",
      rules: ["- version-not-raised", "breaking prompt-removed"],
    });
    expect((await diff(withExtra("1.0.0"), packOf("2.0.0"))).code).toBe(0);
  });

  it.each([
    ["breaking", [1, 0, 0]],
    ["behaviour", [1, 1, 0]],
    ["any", [1, 1, 1]],
  ])("fails on %s changes with --fail-on, and on graver ones", async (level, expected) => {
    const codes = [
      await diff(withExtra("1.0.0"), packOf("2.0.0"), "--fail-on", level),
      await diff(clean, reworded("1.1.0"), "--fail-on", level),
      await diff(clean, withExtra("1.1.0"), "--fail-on", level),
    ].map(({ code }) => code);
    expect(codes).toEqual(expected);
  });

  it("has the fields of the contract", async () => {
    const cwd = folderOf({ "old.json": withExtra("1.0.0"), "new.json": packOf("2.0.0") });
    const { stdout } = await promptpack(["diff", "old.json", "new.json", "--format", "json"], { cwd });
    const report = JSON.parse(stdout) as Compared;
    expect(Object.keys(report)).toEqual(["old", "new", "requiredBump", "changes", "behaviour"]);
    expect(report).toMatchObject({
      old: { file: "old.json", version: "1.0.0" },
      new: { file: "new.json", version: "2.0.0" },
      requiredBump: "major",
      changes: [
        {
          rule: "prompt-removed",
          level: "breaking",
          severity: "warning",
          message: expect.any(String) as string,
          side: "old",
          file: "old.json",
          line: 22,
          column: 5,
          pointer: "/prompts/extra",
        },
      ],
    });
  });

  it("takes one side from standard input, or from a folder", async () => {
    const cwd = folderOf({ "old/a.pack.json": clean, "new.json": withExtra("1.1.0") });
    const json = async (args: string[], more: Surround) => {
      const { code, stdout, stderr } = await promptpack(["diff", ...args, "-f", "json"], { cwd, ...more });
      const { old, new: now, ...rest } = JSON.parse(stdout) as Compared;
      return { code, stderr, files: [old?.file, now?.file], rules: rulesOf({ old, new: now, ...rest }) };
    };
    const expected = { code: 0, stderr: "", rules: ["compatible prompt-added"] };
    expect(await json(["old", "-"], { stdin: withExtra("1.1.0") })).toEqual({
      ...expected,
      files: ["old/a.pack.json", "<stdin>"],
    });
    expect(await json(["-", "new.json"], { stdin: clean })).toEqual({
      ...expected,
      files: ["<stdin>", "new.json"],
    });
  });

  it.each([
    [[], 'Name two packs, the old one and the new one, or a commit to compare with: "--against <ref>".'],
    [
      ["a.json"],
      'Name two packs, the old one and the new one, or a commit to compare with: "--against <ref>".',
    ],
    [
      ["a.json", "a.json", "a.json"],
      'Name two packs, the old one and the new one, or a commit to compare with: "--against <ref>".',
    ],
    [["-", "-"], "Standard input cannot be both packs: name a file for one of them."],
    [["a.json", "none.json"], '"none.json" does not exist.'],
    [
      ["a.json", "."],
      'No pack was found below the working folder. "a.json" looks like one: pass it by name, or rename it to "a.pack.json".',
    ],
    [["a.json", "a.json", "--format", "jsn"], '"diff" has no format "jsn". Did you mean "json"?'],
    [["a.json", "a.json", "--fail-on", "break"], '"--fail-on" cannot be "break". Did you mean "breaking"?'],
    [["a.json", "a.json", "--spec-version", "0.1"], /^promptpack: .*0\.1/],
    [["a.json", "a.json", "--max-size", "ten"], /^promptpack: "--max-size" must be/],
    [["a.json", "a.json", "--against", ""], '"--against" must not be empty.'],
    [
      ["a.json", "b.json", "-o", "b.json"],
      '"b.json" would be overwritten, but it is an input: choose another file.',
    ],
    [
      ["a.json", "b.json", "-f", "json", "-o", "c.pack.json"],
      /^promptpack: "c\.pack\.json" cannot be used for a report/,
    ],
  ])("refuses %j", async (args, message) => {
    const cwd = folderOf({ "a.json": clean, "b.json": reworded("1.1.0") });
    const { code, stdout, stderr } = await promptpack(["diff", ...args], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    if (typeof message === "string") expect(stderr).toBe(`promptpack: ${message}\n`);
    else expect(stderr).toMatch(message);
  });

  it.each([
    ["does not parse", "{", /^old\.json:1:2: error: .* \[parse-error\]\n$/],
    ["is something else", '{ "openapi": "3.1.0" }', /^old\.json:1:1: error: .*OpenAPI.* \[not-a-pack\]\n$/],
    [
      "has a workflow that breaks the schema",
      brokenWorkflow,
      /^promptpack: "old\.json" cannot be compared: its workflow breaks the schema, as "promptpack lint" shows\.\n$/,
    ],
    [
      "is too deep",
      '{ "prompts": [[[[[[[[]]]]]]]] }',
      /^old\.json:.* "--max-depth" raises the limit\. \[parse-error\]\n$/,
    ],
  ])("cannot compare a file that %s", async (_, old, message) => {
    const { code, stderr, rules } = await diff(old, clean, "--max-depth", "7");
    expect({ code, rules }).toEqual({ code: 2, rules: undefined });
    expect(stderr).toMatch(message);
  });

  it("compares packs with other findings, at the version that a flag names", async () => {
    const odd = packOf("1.0.0", ({ workflow }) => (workflow.entry = "nowhere"));
    expect(await diff(odd, odd)).toEqual({ code: 0, stderr: "", rules: [] });
    expect((await diff(clean, clean, "--spec-version", "1.4")).code).toBe(0);
  });

  it.runIf(isFull)("gives up on a long name that is in every message", async () => {
    const name = "n".repeat(500_000);
    const variables = Array.from({ length: 120 }, (_, index) => ({ name: `v${index}`, type: "string" }));
    const long = (more: object) =>
      packOf("1.0.0", ({ prompts }) => Object.assign(prompts, { [name]: { ...extra, ...more } }));
    expect(await diff(long({ variables }), long({}))).toEqual({
      code: 2,
      stderr: 'promptpack: The changes of "new.json" take more than 100000000 characters.\n',
      rules: undefined,
    });
  });

  it("reads no more than the limits allow", async () => {
    for (const limit of ["--max-size=10", "--max-values=3", "--max-alias-nodes=0"]) {
      const cwd = folderOf({ "a.yaml": "a: &x [1]\nb: *x\nprompts: {}\n", "b.json": clean });
      const { code, stderr } = await promptpack(["diff", "a.yaml", "b.json", limit], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain(`"${limit.split("=")[0] ?? ""}" raises the limit.`);
    }
  });
});

describe("the formats of diff", () => {
  const files = { "old.json": withExtra("1.2.0"), "new.json": reworded("1.3.0") };
  const run = async (...args: string[]) => {
    const cwd = folderOf(files);
    return { cwd, ...(await promptpack(["diff", "old.json", "new.json", ...args], { cwd })) };
  };

  it("pretty shows each change in its own file, and what the version must be", async () => {
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toBe(`new.json

   4:14  error      The version only rose from 1.2.0 to 1.3.0, but this change
                    is breaking: write 2.0.0.  version-not-raised
   4 │   "version": "1.3.0",
     │              ^^^^^^^

  20:7   behaviour  The "system_template" of prompt "bye" changed.
                    template-changed
  20 │       "system_template": "Say farewell."
     │       ^^^^^^^^^^^^^^^^^

old.json

  22:5  breaking  Prompt "extra" is gone: whoever runs it fails.  prompt-removed
  22 │     "extra": {
     │     ^^^^^^^

✖ 2 changes: 1 breaking, 1 behaviour. Version 1.2.0 → 1.3.0; this needs 2.0.0.
`);
  });

  it("pretty has colours on request", async () => {
    expect((await run("--color")).stdout).toContain("\u001b[33mbreaking\u001b[39m");
    expect((await run("--no-color")).stdout).not.toContain("\u001b");
  });

  it("github annotates the new file, also for what is gone", async () => {
    const { stdout } = await run("--format", "github");
    const commands = [...stdout.matchAll(/^::(\w+) (file=[^,]*,line=\d+),.*?title=([a-z-]+)::/gm)];
    expect(commands.map(([, ...parts]) => parts.join(" "))).toEqual([
      "error file=new.json,line=4 version-not-raised",
      "warning file=new.json,line=9 prompt-removed",
      "notice file=new.json,line=20 template-changed",
    ]);
    expect(stdout).toMatch(
      /^2 changes: 1 breaking, 1 behaviour\. Version 1\.2\.0 → 1\.3\.0; this needs 2\.0\.0\.$/m,
    );
  });

  it("github names paths from the top of the repository", async () => {
    const cwd = folderOf({ "sub/old.json": files["old.json"], "sub/new.json": files["new.json"] });
    const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: cwd };
    const { stdout } = await promptpack(["diff", "old.json", "new.json", "-f", "github"], {
      cwd: join(cwd, "sub"),
      env,
    });
    expect(stdout).toContain("::error file=sub/new.json,line=4,");
  });

  it("sarif has a result for each", async () => {
    const { stdout } = await run("--format", "sarif");
    interface Log {
      readonly runs: readonly [{ readonly results: readonly { ruleId: string; level: string }[] }];
    }
    const [{ results }] = (JSON.parse(stdout) as Log).runs;
    expect(results.map(({ ruleId, level }) => `${level} ${ruleId}`)).toEqual([
      "error version-not-raised",
      "warning prompt-removed",
      "note template-changed",
    ]);
  });

  it("markdown is a table, and the step summary of a job", async () => {
    const { stdout } = await run("--format", "markdown");
    expect(stdout.replaceAll(/\*\* \| .*? (`[a-z-]+`) \|/g, "** $1")).toBe(`## ❌ 1 pack changed

### new.json

2 changes: 1 breaking, 1 behaviour. Version 1.2.0 → 1.3.0; this needs 2.0.0.

| Level | Change | Place |
| --- | --- | --- |
| **error** \`version-not-raised\` line 4 |
| **breaking** \`prompt-removed\` old.json, line 22 |
| **behaviour** \`template-changed\` line 20 |
`);
    const cwd = folderOf(files);
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(cwd, "summary.md") };
    await promptpack(["diff", "old.json", "new.json", "-f", "github"], { cwd, env });
    expect(readFileSync(join(cwd, "summary.md"), "utf8")).toBe(stdout);
  });

  it.each([
    ["out/diff.json", /^\{\n {2}"old"/],
    ["diff.md", /^## ❌/],
    ["diff.sarif", /^\{\n {2}"\$schema"/],
    ["diff.html", /^<!doctype html>/],
    ["diff.txt", /^new\.json\n/],
  ])("is written to %s in the format of its name", async (output, content) => {
    const { cwd, code, stdout, stderr } = await run("--output", output);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: "" });
    expect(readFileSync(join(cwd, output), "utf8")).toMatch(content);
  });

  it("says when it cannot be written", async () => {
    const { code, stderr } = await run("-f", "json", "-o", "new.json/x.json");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^promptpack: "new\.json\/x\.json" cannot be written/);
  });
});

/** Compares with a commit; each pack as `status file: changes`. */
async function against(
  cwd: string,
  revision: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = gitEnv,
) {
  const { code, stdout, stderr } = await promptpack(["diff", "--against", revision, "-f", "json", ...args], {
    cwd,
    env,
  });
  const { packs } = (stdout === "" ? { packs: [] } : JSON.parse(stdout)) as { packs: readonly Compared[] };
  const shown = packs.map((pack) =>
    [`${pack.status ?? ""} ${(pack.new ?? pack.old)?.file ?? ""}`, ...rulesOf(pack)].join(", "),
  );
  return { code, packs: shown, stderr };
}

describe("diff --against", () => {
  it("compares all packs of the working folder with a commit", async () => {
    const repository = new Repository({
      "a.pack.json": clean,
      "b.pack.json": clean,
      "c.pack.json": clean,
      "sub/d.pack.json": clean,
      "notes.json": "{",
    });
    repository.write({
      "a.pack.json": withExtra("1.1.0"),
      "new.pack.json": clean,
      "c.pack.json": `${clean}\n`,
    });
    rmSync(join(repository.cwd, "b.pack.json"));
    const expected = {
      code: 0,
      packs: [
        "changed a.pack.json, compatible prompt-added",
        "removed b.pack.json",
        "same c.pack.json",
        "added new.pack.json",
        "same sub/d.pack.json",
      ],
      stderr: "",
    };
    expect(await against(repository.cwd, "main")).toEqual(expected);
    repository.commit("more");
    expect(await against(repository.cwd, "HEAD~1")).toEqual(expected);
    expect((await against(join(repository.cwd, "sub"), "HEAD~1")).packs).toEqual(["same d.pack.json"]);
    expect((await against(join(repository.cwd, "sub"), "HEAD~1", ["../a.pack.json"])).packs).toEqual([
      "changed ../a.pack.json, compatible prompt-added",
    ]);
  });

  it("is pretty with the revision beside the old file", async () => {
    const repository = new Repository({ "a.pack.json": withExtra("1.0.0"), "b.pack.json": clean });
    repository.write({ "a.pack.json": packOf("2.0.0"), "new.pack.json": clean });
    const { code, stdout } = await promptpack(["diff", "--against", "main"], {
      cwd: repository.cwd,
      env: gitEnv,
    });
    expect(code).toBe(0);
    expect(stdout.split("\n").filter((line) => /^\S|^ {2}\S/.test(line) && !/:\d+ {2}/.test(line))).toEqual([
      "a.pack.json (main)",
      '  22 │     "extra": {',
      "⚠ a.pack.json: 1 change: 1 breaking. Version 1.0.0 → 2.0.0.",
      "  new.pack.json: added.",
    ]);
    const same = await promptpack(["diff", "--against", "main", "b.pack.json"], {
      cwd: repository.cwd,
      env: gitEnv,
    });
    expect(same.stdout).toBe("✔ No changes.\n");
  });

  it("is narrowed by files, folders and globs, also where they are gone", async () => {
    const repository = new Repository({
      "one/a.pack.json": clean,
      "one/b.json": clean,
      "two/c.pack.json": clean,
    });
    const { cwd } = repository;
    rmSync(join(cwd, "one/b.json"));
    rmSync(join(cwd, "two"), { recursive: true });
    expect((await against(cwd, "HEAD", ["one"])).packs).toEqual(["same one/a.pack.json"]);
    expect((await against(cwd, "HEAD", ["one/b.json"])).packs).toEqual(["removed one/b.json"]);
    expect((await against(cwd, "HEAD", ["two"])).packs).toEqual(["removed two/c.pack.json"]);
    expect((await against(cwd, "HEAD", ["*/*.pack.json"])).packs).toEqual([
      "same one/a.pack.json",
      "removed two/c.pack.json",
    ]);
    expect(await against(cwd, "HEAD", ["three", "one"])).toEqual({
      code: 2,
      packs: ["same one/a.pack.json"],
      stderr: 'promptpack: "three" does not exist.\n',
    });
    mkdirSync(join(cwd, "empty"));
    expect((await against(cwd, "HEAD", ["empty"])).stderr).toBe(
      'promptpack: No pack was found in "empty".\n',
    );
    const elsewhere = folderOf({ "x.pack.json": clean });
    expect((await against(cwd, "HEAD", [elsewhere])).stderr).toBe(
      `promptpack: "${elsewhere}" is not in the repository of the working folder.\n`,
    );
  });

  it("takes a renamed pack for two", async () => {
    const repository = new Repository({ "a.pack.json": clean });
    renameSync(join(repository.cwd, "a.pack.json"), join(repository.cwd, "b.pack.json"));
    expect((await against(repository.cwd, "HEAD")).packs).toEqual([
      "removed a.pack.json",
      "added b.pack.json",
    ]);
  });

  it("leaves out what git or the config ignores, and links, but not a tracked file or a named one", async () => {
    const repository = new Repository({
      "tracked.pack.json": clean,
      "old/bad.pack.json": "{",
      "promptpack.config.yaml": "ignore: [old]\n",
    });
    const { cwd } = repository;
    repository.write({
      ".gitignore": "*.pack.json\n",
      "ignored.pack.json": clean,
      "node_modules/m.pack.json": clean,
      "old/bad.pack.json": "[",
    });
    symlinkSync("tracked.pack.json", join(cwd, "link.pack.json"));
    expect((await against(cwd, "HEAD")).packs).toEqual(["same tracked.pack.json"]);
    expect((await against(cwd, "HEAD", ["ignored.pack.json"])).packs).toEqual(["added ignored.pack.json"]);
  });

  it("goes on after a pack that cannot be compared", async () => {
    const repository = new Repository({ "a.pack.json": "{", "b.pack.json": clean, "same.pack.json": "{" });
    repository.write({ "a.pack.json": clean, "b.pack.json": withExtra("1.1.0") });
    const { code, packs, stderr } = await against(repository.cwd, "HEAD");
    expect({ code, packs }).toEqual({
      code: 2,
      packs: ["changed b.pack.json, compatible prompt-added", "same same.pack.json"],
    });
    expect(stderr).toMatch(/^a\.pack\.json \(HEAD\):1:2: error: .*\[parse-error\]\n$/);
  });

  it("has nothing to compare with before the first commit", async () => {
    const repository = new Repository({ "a.pack.json": clean });
    repository.git("update-ref", "-d", "HEAD");
    expect(await against(repository.cwd, "HEAD")).toEqual({
      code: 0,
      packs: ["added a.pack.json"],
      stderr: "",
    });
    expect((await against(repository.cwd, "main")).code).toBe(2);
  });

  it.each([
    ["nope", 'git does not know the commit "nope".'],
    ["--output=x", 'git does not know the commit "--output=x".'],
    ["HEAD:a.pack.json", 'git does not know the commit "HEAD:a.pack.json".'],
  ])("refuses the revision %s", async (revision, message) => {
    const { cwd } = new Repository({ "a.pack.json": clean });
    const { code, stdout, stderr } = await promptpack(["diff", `--against=${revision}`], {
      cwd,
      env: gitEnv,
    });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: `promptpack: ${message}\n` });
    expect(existsSync(join(cwd, "x"))).toBe(false);
  });

  it("needs a repository, and no standard input", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    expect(await against(cwd, "HEAD")).toEqual({
      code: 2,
      packs: [],
      stderr: "promptpack: The working folder is not in a git repository.\n",
    });
    expect((await against(cwd, "HEAD", ["-"])).stderr).toBe(
      "promptpack: Standard input is not in a repository: name files or folders.\n",
    );
  });

  it.runIf(isFull)("works in a worktree, with line endings that git converts, and with SHA-256", async () => {
    const repository = new Repository({ "a.pack.json": clean, ".gitattributes": "*.json eol=crlf\n" });
    const tree = join(folderOf({}), "tree");
    repository.git("worktree", "add", "--quiet", "--detach", tree);
    expect(readFileSync(join(tree, "a.pack.json"), "utf8")).toContain("\r\n");
    expect(await against(tree, "main")).toEqual({ code: 0, packs: ["same a.pack.json"], stderr: "" });
    const other = folderOf({ "a.pack.json": clean });
    rmSync(join(other, ".git"), { recursive: true });
    repository.git("init", "--quiet", "--object-format=sha256", other);
    repository.git("-C", other, "add", "--all");
    repository.git("-C", other, "commit", "--quiet", "--message", "begin");
    expect((await against(other, "HEAD")).packs).toEqual(["same a.pack.json"]);
  });

  it.runIf(isFull)("reads what a sparse checkout leaves out", async () => {
    const repository = new Repository({ "a.pack.json": clean, "far/b.pack.json": clean });
    repository.write({ "far/b.pack.json": withExtra("1.1.0") });
    repository.commit("more");
    repository.git("sparse-checkout", "set", "--no-cone", "/a.pack.json");
    expect(existsSync(join(repository.cwd, "far"))).toBe(false);
    expect((await against(repository.cwd, "HEAD~1")).packs).toEqual([
      "same a.pack.json",
      "changed far/b.pack.json, compatible prompt-added",
    ]);
  });

  it.runIf(isFull)("says when a shallow clone lacks the commit", async () => {
    const origin = new Repository({ "a.pack.json": clean });
    origin.write({ "a.pack.json": withExtra("1.1.0") });
    origin.commit("more");
    const clone = join(folderOf({}), "clone");
    origin.git("clone", "--quiet", "--depth=1", pathToFileURL(origin.cwd).href, clone);
    expect((await against(clone, "HEAD~1")).stderr).toBe(
      'promptpack: git does not know the commit "HEAD~1". The clone is shallow: fetch more of its history, in GitHub Actions with "fetch-depth: 0".\n',
    );
    expect((await against(clone, "HEAD")).packs).toEqual(["same a.pack.json"]);
  });

  it.each([
    ["blob:none", '"a.pack.json (HEAD~1)" cannot be read from git: '],
    ["tree:0", "git cannot tell what changed: "],
  ])("fetches nothing into a partial clone (%s), and runs no program for it", async (filter, lead) => {
    const origin = new Repository({ "a.pack.json": clean });
    origin.git("config", "uploadpack.allowFilter", "true");
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true");
    origin.write({ "a.pack.json": withExtra("1.1.0") });
    origin.commit("more");
    const folder = folderOf({
      "spy.sh": '#!/bin/sh\ntouch "$(dirname "$0")/ran"\nexec git-upload-pack "$@"\n',
    });
    const [clone, spy] = [join(folder, "clone"), join(folder, "spy.sh")];
    chmodSync(spy, 0o755);
    origin.git("clone", "--quiet", `--filter=${filter}`, pathToFileURL(origin.cwd).href, clone);
    origin.git("-C", clone, "config", "remote.origin.uploadpack", spy);
    origin.git("-C", clone, "config", "protocol.file.allow", "always");
    const missing = "the clone is partial, and the object has not been fetched.\n";
    const { code, packs, stderr } = await against(clone, "HEAD~1");
    expect({ code, packs, stderr }).toEqual({
      code: 2,
      packs: [],
      stderr: `promptpack: ${lead}${missing}`,
    });
    const since = ["lint", "--since", "HEAD~1", "-f", "compact"];
    expect(await promptpack(since, { cwd: clone, env: gitEnv })).toEqual(
      filter === "blob:none"
        ? { code: 0, stdout: "", stderr: "" }
        : { code: 2, stdout: "", stderr: `promptpack: ${lead}${missing}` },
    );
    expect(existsSync(join(folder, "ran"))).toBe(false);
    // The program is one that git would have run.
    origin.git("-C", clone, "cat-file", "-e", "HEAD~1:a.pack.json");
    expect(existsSync(join(folder, "ran"))).toBe(true);
    expect((await against(clone, "HEAD~1")).packs).toEqual(["changed a.pack.json, compatible prompt-added"]);
  });

  it("draws the one pack that changed", async () => {
    const repository = new Repository({ "a.pack.json": clean, "b.pack.json": clean });
    const { cwd } = repository;
    const draw = (...args: string[]) =>
      promptpack(["diff", "--against", "HEAD", "-f", "html", ...args], { cwd, env: gitEnv });
    repository.write({ "a.pack.json": reworded("1.1.0") });
    expect((await draw()).stdout).toMatch(/^<!doctype html>/);
    repository.write({ "b.pack.json": reworded("1.1.0") });
    expect((await draw()).stderr).toBe(
      "promptpack: A picture shows one pack that has changed, and here are 2: name one.\n",
    );
    expect((await draw("b.pack.json")).code).toBe(0);
    const { workflow: _, ...bare } = cleanPack();
    repository.write({ "b.pack.json": JSON.stringify({ ...bare, version: "9.0.0" }) });
    expect((await draw("b.pack.json")).stderr).toBe(
      'promptpack: "b.pack.json" cannot be drawn: it has no workflow with states.\n',
    );
  });
});
