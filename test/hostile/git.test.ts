import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";
import { badEntry, clean } from "../cli/packs.js";
import { gitEnv, Repository } from "../cli/repository.js";
import { isFull } from "../runs.js";

/** Keys of git's settings that take a program, by how they end; "git help --config" lists those of this git. */
const takesProgram =
  /^(?!(?:advice|color|column|receive)\.)(?:.*(?:askpass|browser|clean|cmd|command|difffilter|driver|editor|external|fsmonitor|gitproxy|helper|hook|httpd|pager|process|program|receivepack|smudge|smtpserver|(?<!cache)textconv|tunnel|uploadpack|vcs)|.*<tool>\.path)$/i;

/** Those that it need not list: newer ones, and those of which it lists the section only. */
const otherKeys = [
  ...["cat-file", "diff", "ls-files", "ls-tree", "merge-base", "rev-parse", "status"].flatMap((command) => [
    `alias.${command}`,
    `pager.${command}`,
  ]),
  "core.fsmonitor",
  "credential.https://example.invalid.helper",
  "diff.<driver>.command",
  "diff.<driver>.textconv",
  "filter.<driver>.clean",
  "filter.<driver>.process",
  "filter.<driver>.smudge",
  "gc.recentObjectsHook",
  "hook.<name>.command",
  "merge.<driver>.driver",
  "submodule.<name>.update",
  "trailer.<token>.cmd",
  "trailer.<token>.command",
  "uploadpack.packObjectsHook",
];

const hooks = [
  ...[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "post-applypatch",
    "post-checkout",
  ],
  ...["post-commit", "post-index-change", "post-merge", "post-receive", "post-rewrite", "post-update"],
  ...[
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
  ],
  ...[
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
  ],
  ...["update"],
];

/** A key in a config file, with the names in it as `latin1`, so that they can hold any byte. */
function setting(key: string, value: string): string {
  const [section = "", ...rest] = key.split(".");
  const name = rest.pop() ?? "";
  const head = rest.length === 0 ? section : `${section} "${rest.join(".")}"`;
  return `[${head}]\n\t${name} = ${value}\n`;
}

const fixable = clean.replace('"terminal": true', '"on_event": {}');

/** A repository in which everything that git could start leaves a mark. */
class MinedRepository extends Repository {
  private readonly mines = folderOf({});

  constructor(hooksAre: "in .git" | "elsewhere") {
    super({
      "a.pack.json": clean,
      "b.pack.json": badEntry,
      "c.pack.json": clean,
      "d.pack.json": clean,
      ".gitattributes": "* text eol=lf filter=mine diff=mine merge=mine\n",
    });
    const git = join(this.cwd, ".git");
    const listed = execFileSync("git", ["help", "--config"], { env: gitEnv, encoding: "utf8" }).split("\n");
    const keys = [...new Set([...listed.filter((key) => takesProgram.test(key)), ...otherKeys])];
    const lines = keys.map((key) => {
      const value = `${key.startsWith("alias.") || key.startsWith("submodule.") ? "!" : ""}${this.mine(key)}`;
      return setting(key.replace("remote.<name>", "remote.origin").replace(/<\w+>/u, "mine"), value);
    });
    const odd = ["clean", "process", "smudge"].map((key) =>
      setting(`filter.x\xff.${key}`, this.mine(`odd-${key}`)),
    );
    const more = [...lines, ...odd, '[filter "mine"]\n\trequired\n[filter "x\xff"]\n\trequired\n'];
    mkdirSync(join(git, "info"), { recursive: true });
    writeFileSync(join(git, "info/attributes"), Buffer.from("d.pack.json filter=x\xff\n", "latin1"));
    const hooksFolder = join(git, hooksAre === "in .git" ? "hooks" : "other-hooks");
    mkdirSync(hooksFolder, { recursive: true });
    for (const hook of hooks) copyFileSync(this.mine(`hook-${hook}`), join(hooksFolder, hook));
    if (hooksAre === "elsewhere") more.push(setting("core.hooksPath", hooksFolder));
    this.write({ "a.pack.json": fixable, "staged.pack.json": badEntry });
    this.git("-c", "core.hooksPath=/dev/null", "add", "a.pack.json", "staged.pack.json");
    appendFileSync(join(git, "config"), Buffer.from(more.join(""), "latin1"));
    this.write({ "c.pack.json": fixable, "new.pack.json": fixable });
    // Of equal size, but another time: git would have to look into them.
    for (const name of ["b", "d"])
      utimesSync(join(this.cwd, `${name}.pack.json`), 2_000_000_000, 2_000_000_000);
    utimesSync(join(git, "index"), 1_000_000_000, 1_000_000_000);
  }

  fired(): readonly string[] {
    return readdirSync(this.mines).filter((name) => name.startsWith("fired "));
  }

  private mine(key: string): string {
    const name = key.replaceAll(/[^\w.-]/gu, "_");
    const path = join(this.mines, name);
    // Hooks are copies, so the path of the mark is written out.
    const mark = join(this.mines, `fired ${name}`);
    writeFileSync(path, `#!/bin/sh\ntouch '${mark}'\n`);
    chmodSync(path, 0o755);
    return path;
  }
}

const found = async (
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = gitEnv,
) => {
  const { code, stdout, stderr } = await promptpack(args, { cwd, env });
  const files = stdout.split("\n").flatMap((line) => /^(.+?):\d+:\d+: /u.exec(line)?.[1] ?? []);
  return { code, files: [...new Set(files)], stderr };
};

const lintArgs = ["lint", "-f", "compact"];

describe.runIf(process.platform !== "win32")("git runs no program of the repository", () => {
  const since = ["a", "c", "new", "staged"].map((name) => `${name}.pack.json`);

  const places = ["in .git", "elsewhere"] as const;

  describe.each(isFull ? places : places.slice(0, 1))("with its hooks %s", (hooksAre) => {
    it.each([
      [[...lintArgs, "--since", "HEAD"], since],
      [[...lintArgs, "--since", "HEAD", "--fix-dry-run"], undefined],
      [[...lintArgs, "--since", "HEAD", "--fix"], ["staged.pack.json"]],
      [
        [...lintArgs, "--staged"],
        ["a.pack.json", "staged.pack.json"],
      ],
      [[...lintArgs, "--staged", "--fix-dry-run"], undefined],
      [["diff", "--against", "HEAD"], undefined],
    ])("%j", async (args, expected) => {
      const repository = new MinedRepository(hooksAre);
      const index = () => readFileSync(join(repository.cwd, ".git/index")).toString("latin1");
      const before = index();
      const { code, files, stderr } = await found(repository.cwd, args);
      expect(repository.fired()).toEqual([]);
      expect(index()).toBe(before);
      expect(readdirSync(join(repository.cwd, ".git")).filter((name) => name.endsWith(".lock"))).toEqual([]);
      expect(stderr).not.toContain("git cannot");
      expect(code).toBeLessThan(2);
      if (expected !== undefined) expect(files).toEqual(expected);
    });
  });

  it("though git would, if it were asked what changed on the disk", () => {
    const fires = (hooksAre: "in .git" | "elsewhere", ...args: readonly string[]) => {
      const repository = new MinedRepository(hooksAre);
      // The filters do not answer as git expects.
      spawnSync("git", args, { cwd: repository.cwd, env: gitEnv });
      return repository.fired();
    };
    expect(fires("in .git", "diff", "--raw", "HEAD")).toContain("fired core.fsmonitor");
    const careful = ["-c", "core.fsmonitor=false", "-c", "filter.mine.process=", "-c", "filter.mine.clean="];
    const withoutFilter = [...careful, "-c", "filter.mine.required=false"];
    expect(fires("in .git", ...withoutFilter, "diff", "--raw", "HEAD")).toEqual(["fired odd-process"]);
    for (const hooksAre of ["in .git", "elsewhere"] as const) {
      const fired = fires(hooksAre, ...withoutFilter, "update-index", "--force-remove", "a.pack.json");
      expect(fired).toEqual(["fired hook-post-index-change"]);
    }
  });
});

describe("git", () => {
  const elsewhere = 'promptpack: The working tree of the repository is not the folder with its ".git".\n';

  it("is refused where a setting makes another folder the working tree", async () => {
    const victim = folderOf({ "a.pack.json": fixable });
    const repository = new Repository({ "a.pack.json": clean });
    repository.git("config", "core.worktree", victim);
    for (const args of [
      [...lintArgs, "--since", "HEAD", "--fix"],
      [...lintArgs, "--staged"],
      ["diff", "--against", "HEAD"],
    ])
      expect(await found(repository.cwd, args)).toEqual({ code: 2, files: [], stderr: elsewhere });
    expect(readFileSync(join(victim, "a.pack.json"), "utf8")).toBe(fixable);
  });

  it("takes no folder for a repository that only looks like one", async () => {
    const repository = new Repository({ "sub/a.pack.json": clean, "sub/refs/keep": "" });
    const { cwd } = repository;
    const sub = join(cwd, "sub");
    const canary = join(cwd, ".git/canary");
    writeFileSync(canary, `#!/bin/sh\ntouch '${cwd}/ran'\n`, { mode: 0o755 });
    // The files of a bare repository, all of which a commit can hold.
    repository.write({
      "sub/HEAD": "ref: refs/heads/main\n",
      "sub/objects/keep": "",
      "sub/config": `[core]\n\trepositoryformatversion = 0\n\tworktree = ..\n\tfsmonitor = ${canary}\n`,
    });
    repository.commit("looks like a repository");
    repository.write({ "sub/a.pack.json": badEntry });
    expect(await found(sub, [...lintArgs, "--since", "HEAD"])).toMatchObject({ files: ["a.pack.json"] });
    expect(await found(cwd, [...lintArgs, "--since", "HEAD", "sub"])).toMatchObject({
      files: ["sub/a.pack.json"],
    });
    repository.git("add", "--all");
    expect(await found(sub, [...lintArgs, "--staged"])).toMatchObject({ files: ["a.pack.json"] });
    expect(await found(sub, ["diff", "--against", "HEAD"])).toMatchObject({ code: 1, stderr: "" });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
    // Nor if the folder has an empty ".git", which git would pass over.
    mkdirSync(join(sub, ".git"));
    expect(await found(sub, [...lintArgs, "--since", "HEAD"])).toEqual({
      code: 2,
      files: [],
      stderr: "promptpack: The working folder is not in a git repository.\n",
    });
  });

  it("goes by the folder and the index of a hook, and by no other variable of git", async () => {
    const other = new Repository({ "x.pack.json": badEntry });
    const repository = new Repository({ "a.pack.json": clean });
    const { cwd } = repository;
    repository.write({ "sub/b.pack.json": badEntry });
    const env = {
      ...gitEnv,
      GIT_DIR: join(other.cwd, ".git"),
      GIT_WORK_TREE: other.cwd,
      GIT_OBJECT_DIRECTORY: join(other.cwd, ".git/objects"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.worktree",
      GIT_CONFIG_VALUE_0: other.cwd,
      GIT_CEILING_DIRECTORIES: cwd,
    };
    expect(await found(cwd, [...lintArgs, "--since", "HEAD"], env)).toMatchObject({
      files: ["sub/b.pack.json"],
    });
    // As "git commit sub" has it, relative to the top.
    copyFileSync(join(cwd, ".git/index"), join(cwd, ".git/next-index"));
    execFileSync("git", ["add", "sub"], { cwd, env: { ...gitEnv, GIT_INDEX_FILE: ".git/next-index" } });
    const staged = [...lintArgs, "--staged"];
    expect(await found(cwd, staged, env)).toEqual({ code: 0, files: [], stderr: "" });
    for (const index of [".git/next-index", join(cwd, ".git/next-index")]) {
      const hook = { ...env, GIT_INDEX_FILE: index };
      expect(await found(cwd, staged, hook)).toMatchObject({ files: ["sub/b.pack.json"] });
      expect(await found(join(cwd, "sub"), staged, hook)).toMatchObject({ files: ["b.pack.json"] });
    }
  });

  it("knows the working trees whose .git is a file: linked ones and submodules", async () => {
    const repository = new Repository({ "a.pack.json": clean });
    const linked = join(folderOf({}), "linked");
    repository.git("worktree", "add", "--quiet", "--detach", linked);
    repository.git(
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      repository.cwd,
      "module",
    );
    const module = join(repository.cwd, "module");
    for (const cwd of [linked, module]) {
      writeFileSync(join(cwd, "a.pack.json"), badEntry);
      expect(await found(cwd, [...lintArgs, "--since", "HEAD"])).toMatchObject({ files: ["a.pack.json"] });
      execFileSync("git", ["add", "--all"], { cwd, env: gitEnv });
      expect(await found(cwd, [...lintArgs, "--staged"])).toMatchObject({ files: ["a.pack.json"] });
      expect((await found(cwd, ["diff", "--against", "HEAD"])).code).toBeLessThan(2);
    }
    expect(await found(repository.cwd, [...lintArgs, "--since", "HEAD"])).toEqual({
      code: 0,
      files: [],
      stderr: "",
    });
    const index = execFileSync("git", ["rev-parse", "--git-path", "index"], {
      cwd: linked,
      encoding: "utf8",
    });
    const env = { ...gitEnv, GIT_DIR: dirname(index.trim()), GIT_INDEX_FILE: index.trim() };
    expect(await found(linked, [...lintArgs, "--staged"], env)).toMatchObject({ files: ["a.pack.json"] });
  });

  it("follows no link that has taken the place of a folder", async () => {
    const repository = new Repository({ "sub/a.pack.json": clean });
    const { cwd } = repository;
    const victim = folderOf({ "a.pack.json": fixable });
    repository.git("mv", "sub", "old");
    repository.git(
      "update-index",
      "--add",
      "--cacheinfo",
      `100644,${repository.git("hash-object", "old/a.pack.json").trim()},sub/a.pack.json`,
    );
    symlinkSync(victim, join(cwd, "sub"));
    const { code } = await found(cwd, [...lintArgs, "--since", "HEAD", "--fix"]);
    expect(code).toBe(0);
    expect(readFileSync(join(victim, "a.pack.json"), "utf8")).toBe(fixable);
  });
});

describe.runIf(process.platform === "linux")("names that are not UTF-8", () => {
  const odd = (cwd: string, byte: number) =>
    Buffer.concat([Buffer.from(`${cwd}/x`), Buffer.of(byte), Buffer.from(".pack.json")]);
  const fault = 'promptpack: "x\ufffd.pack.json" cannot be opened: its name is not valid UTF-8.\n';

  it("are never taken for another", async () => {
    const repository = new Repository({ "x\ufffd.pack.json": badEntry });
    const { cwd } = repository;
    writeFileSync(odd(cwd, 0xfe), clean);
    repository.commit("one");
    // One of them changes, though not the one that has the name which text gives to it.
    writeFileSync(odd(cwd, 0xfe), badEntry);
    repository.git("add", "--all");
    expect(await found(cwd, [...lintArgs, "--staged"])).toEqual({ code: 2, files: [], stderr: fault });
    writeFileSync(odd(cwd, 0xff), badEntry);
    repository.commit("two");
    expect(await found(cwd, [...lintArgs, "--staged"])).toEqual({ code: 0, files: [], stderr: "" });
    expect(await found(cwd, ["diff", "--against", "HEAD~1"])).toMatchObject({ code: 2, stderr: fault });
    expect(await found(cwd, [...lintArgs, "--since", "HEAD"])).toEqual({ code: 2, files: [], stderr: fault });
  });
});

it("a file that is only announced is not staged", async () => {
  const repository = new Repository({});
  repository.write({ "a.pack.json": badEntry, "b.pack.json": "" });
  repository.git("add", "--intent-to-add", "a.pack.json");
  repository.git("add", "b.pack.json");
  expect((await found(repository.cwd, [...lintArgs, "--staged"])).files).toEqual(["b.pack.json"]);
});

it("a file with conflicts is linted as it is on the disk, and is not staged", async () => {
  const repository = new Repository({ "a.pack.json": clean });
  const { cwd } = repository;
  repository.git("switch", "--quiet", "--create", "topic");
  repository.write({ "a.pack.json": badEntry });
  repository.commit("topic");
  repository.git("switch", "--quiet", "main");
  repository.write({ "a.pack.json": badEntry.replace("helo", "hallo") });
  repository.commit("main");
  expect(() => repository.git("merge", "--quiet", "topic")).toThrow();
  expect((await found(cwd, [...lintArgs, "--since", "HEAD"])).files).toEqual(["a.pack.json"]);
  expect(await found(cwd, [...lintArgs, "--staged"])).toEqual({ code: 0, files: [], stderr: "" });
});

it.runIf(process.platform !== "win32")(
  "git is asked for objects and names, whatever is asked of us",
  async () => {
    const repository = new Repository({ "a.pack.json": clean, "b.pack.json": clean });
    const bin = folderOf({});
    const log = join(bin, "asked");
    const logging = `#!/bin/sh
env | grep ^GIT_ | cut -d= -f1 | sort | tr '\\n' ' ' >> '${log}'
(while [ "\${1#-}" != "$1" ]; do case $1 in -c | -C) shift ;; esac; shift; done; echo "$@" >> '${log}')
PATH='${gitEnv.PATH}' exec git "$@"
`;
    writeFileSync(join(bin, "git"), logging, { mode: 0o755 });
    repository.write({ "a.pack.json": badEntry });
    repository.git("add", "--all");
    repository.write({ "a.pack.json": fixable });
    const { cwd } = repository;
    const env = { ...gitEnv, GIT_INDEX_FILE: ".git/index", PATH: [bin, gitEnv.PATH].join(delimiter) };
    await found(cwd, [...lintArgs, "--staged"], env);
    await found(cwd, [...lintArgs, "--since", "main"], env);
    await found(cwd, ["diff", "--against", "main"], env);
    const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
    const variables =
      "GIT_ALLOW_PROTOCOL GIT_CEILING_DIRECTORIES GIT_INDEX_FILE GIT_NO_LAZY_FETCH GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT ";
    const asked = lines.map((line) => line.replace(variables, "").replaceAll(/[0-9a-f]{40}/g, "ID"));
    expect([...new Set(asked)].sort()).toEqual([
      "cat-file blob ID",
      "ls-files --stage -t -z",
      "ls-tree -r -z --full-tree ID",
      "merge-base ID HEAD",
      "rev-parse --git-dir --show-toplevel",
      "rev-parse --verify --quiet --end-of-options HEAD^{commit}",
      "rev-parse --verify --quiet --end-of-options main^{commit}",
    ]);
  },
);
