import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { run } from "../../src/cli/run.js";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean, oddEvent } from "./packs.js";

const patience = { timeout: 60_000, interval: 20 };
const line = (file: string) =>
  `${file}:25:14: error: The workflow starts at "helo", which is not a state. Did you mean "hello"? [unknown-entry]\n`;

/** A watch that goes on while the test changes files. */
class Watch {
  private text = "";
  private readonly controller = new AbortController();
  private readonly code: Promise<number>;

  constructor(cwd: string, args: readonly string[], hear: (text: string) => void = () => undefined) {
    const output = {
      write: (text: string) => {
        this.text += text;
        hear(text);
      },
    };
    const stdin = { [Symbol.asyncIterator]: () => Promise.reject(new Error("not asked for")) as never };
    const { signal } = this.controller;
    const all = ["lint", "--watch", "-f", "compact", ...args];
    this.code = run({ args: all, stdin, stdout: output, stderr: output, cwd, env: {}, signal });
    onTestFinished(() => this.controller.abort());
  }

  get heard(): string {
    return this.text;
  }

  /** What was said since the last time, once the program waits again. */
  async said(): Promise<string> {
    await vi.waitFor(() => expect(this.text).toMatch(/Watching .*\n$/), patience);
    const said = this.text.replace(/promptpack: Watching (.*); press Ctrl-C to stop\.\n$/, "$1");
    this.text = "";
    return said;
  }

  async end(): Promise<number> {
    this.controller.abort();
    return this.code;
  }
}

describe("lint --watch", () => {
  it("lints again when a pack is saved, in place or by a new file in its place", async () => {
    const cwd = folderOf({ "a.pack.json": clean, "sub/b.pack.json": clean });
    const watch = new Watch(cwd, []);
    expect(await watch.said()).toBe("2 files");
    writeFileSync(join(cwd, "sub/b.pack.json"), badEntry);
    expect(await watch.said()).toBe(
      `promptpack: "sub/b.pack.json" changed.\n${line("sub/b.pack.json")}2 files`,
    );
    writeFileSync(join(cwd, "sub/b.tmp"), clean);
    renameSync(join(cwd, "sub/b.tmp"), join(cwd, "sub/b.pack.json"));
    expect(await watch.said()).toBe('promptpack: "sub/b.pack.json" changed.\n2 files');
    expect(await watch.end()).toBe(0);
  });

  it("waits for files whose path leads through a file", async () => {
    const cwd = folderOf({ "a.pack.json": clean, notes: "" });
    const watch = new Watch(cwd, ["a.pack.json", "notes/b.pack.json"]);
    expect(await watch.said()).toBe(
      'promptpack: "notes/b.pack.json" cannot be opened: not a directory.\n1 file',
    );
    await watch.end();
  });

  it("mentions once what looks like a pack", async () => {
    const cwd = folderOf({ "a.pack.json": clean, "b.json": clean });
    const watch = new Watch(cwd, []);
    expect(await watch.said()).toMatch(/^promptpack: "b\.json" looks like a pack, .*\n1 file$/);
    writeFileSync(join(cwd, "a.pack.json"), badEntry);
    expect(await watch.said()).toBe(`promptpack: "a.pack.json" changed.\n${line("a.pack.json")}1 file`);
    await watch.end();
  });

  it("sees new packs, new folders, and packs that are gone", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const watch = new Watch(cwd, []);
    expect(await watch.said()).toBe("1 file");
    mkdirSync(join(cwd, "new/deep"), { recursive: true });
    writeFileSync(join(cwd, "new/deep/b.pack.json"), badEntry);
    expect(await watch.said()).toBe(
      `promptpack: "new/deep/b.pack.json" changed.\n${line("new/deep/b.pack.json")}2 files`,
    );
    rmSync(join(cwd, "new"), { recursive: true });
    expect(await watch.said()).toBe('promptpack: "new/deep/b.pack.json" changed.\n1 file');
    rmSync(join(cwd, "a.pack.json"));
    expect(await watch.said()).toBe(
      'promptpack: "a.pack.json" changed.\npromptpack: No pack was found below the working folder.\n0 files',
    );
    expect(await watch.end()).toBe(2);
  });

  it("does not call a config changed when the only pack below it comes or goes", async () => {
    const cwd = folderOf({ "a.pack.json": clean, ".gitignore": "", "sub/.promptpackrc": "{}" });
    const watch = new Watch(cwd, []);
    expect(await watch.said()).toBe("1 file");
    writeFileSync(join(cwd, "sub/b.pack.json"), badEntry);
    expect(await watch.said()).toMatch(/^promptpack: "sub\/b\.pack\.json" changed\.\n/);
    rmSync(join(cwd, "sub/b.pack.json"));
    expect(await watch.said()).toBe('promptpack: "sub/b.pack.json" changed.\n1 file');
    rmSync(join(cwd, "a.pack.json"));
    expect(await watch.said()).toMatch(/^promptpack: "a\.pack\.json" changed\.\n/);
    expect(await watch.end()).toBe(2);
  });

  it("lints again when the config changes, and lives through one that is broken", async () => {
    const cwd = folderOf({ "packs/a.pack.json": badEntry, "packs/odd.pack.json": oddEvent });
    const watch = new Watch(cwd, ["packs/a.pack.json"]);
    expect(await watch.said()).toBe(`${line("packs/a.pack.json")}1 file`);
    writeFileSync(join(cwd, "promptpack.config.yaml"), "rules: { unknown-entry: of }\n");
    expect(await watch.said()).toContain('"of" is not a severity. Did you mean "off"?');
    writeFileSync(join(cwd, "promptpack.config.yaml"), "rules: { unknown-entry: off }\n");
    expect(await watch.said()).toBe('promptpack: "promptpack.config.yaml" changed.\n1 file');
    expect(await watch.end()).toBe(0);
  });

  it("lives through a baseline that is broken for a while, but not from the start", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const remember = ["--baseline", "known.json"];
    expect((await promptpack(["lint", ...remember, "--update-baseline"], { cwd })).code).toBe(0);
    const known = readFileSync(join(cwd, "known.json"), "utf8");
    const watch = new Watch(cwd, remember);
    expect(await watch.said()).toBe("1 file");
    writeFileSync(join(cwd, "known.json"), "{}\n");
    expect(await watch.said()).toBe(
      'promptpack: "known.json" changed.\npromptpack: "known.json" is not a baseline: it has no "findings" list.\n1 file',
    );
    writeFileSync(join(cwd, "known.json"), known);
    expect(await watch.said()).toBe('promptpack: "known.json" changed.\n1 file');
    expect(await watch.end()).toBe(0);
    expect((await promptpack(["lint", "--watch", "--baseline", "gone.json"], { cwd })).code).toBe(2);
  });

  it("is not woken by its own reports, nor by other files", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const watch = new Watch(cwd, ["-f", "json=report.json"]);
    expect(await watch.said()).toBe("1 file");
    writeFileSync(join(cwd, "notes.txt"), "");
    writeFileSync(join(cwd, "a.pack.json"), badEntry);
    expect(await watch.said()).toBe(`promptpack: "a.pack.json" changed.\n${line("a.pack.json")}1 file`);
    expect(await watch.end()).toBe(1);
  });

  it("does not take its own fix for a change, but sees one that comes while it still lints", async () => {
    const fixable = clean.replace('"terminal": true', '"on_event": {}');
    const cwd = folderOf({ "a.pack.json": fixable });
    let next = "";
    const watch = new Watch(cwd, ["--fix"], (text) => {
      if (text.includes("Fixed") && next !== "") writeFileSync(join(cwd, "a.pack.json"), next);
    });
    expect(await watch.said()).toBe("promptpack: Fixed 1 finding in 1 file.\n1 file");
    next = badEntry;
    writeFileSync(join(cwd, "a.pack.json"), fixable);
    const fixed = 'promptpack: "a.pack.json" changed.\npromptpack: Fixed 1 finding in 1 file.\n';
    const again = `promptpack: "a.pack.json" changed.\n${line("a.pack.json")}1 file`;
    await vi.waitFor(() => expect(watch.heard).toContain(line("a.pack.json")), patience);
    expect(await watch.said()).toBe(`${fixed}promptpack: Watching 1 file; press Ctrl-C to stop.\n${again}`);
    expect(await watch.end()).toBe(1);
  });

  it("sees what changes in routes beside a loop, that they are gone, and new ones", async () => {
    const pipeline = (name: string) =>
      `pipelines: [{ on: agentic.tool_request.${name}, steps: [{ uses: ${name} }, { uses: agentic-loop }] }]\n`;
    const cwd = folderOf({
      "loop.yaml": `plugins:
  agentic-loop: { config: { allowed_plugins: [store], max_steps: 20, max_reframes: 2, policies: { handle: { timeout_ms: 9000 } } } }
`,
      "pipelines/store.yaml": pipeline("other"),
      "pipelines/notes.yaml": "",
    });
    const watch = new Watch(cwd, ["loop.yaml", "--rule", "route-limits:off"]);
    expect(await watch.said()).toMatch(/\[route-missing\]\n1 file$/);
    writeFileSync(join(cwd, "pipelines/store.yaml"), pipeline("store"));
    expect(await watch.said()).toBe('promptpack: "pipelines/store.yaml" changed.\n1 file');
    rmSync(join(cwd, "pipelines/store.yaml"));
    expect(await watch.said()).toMatch(
      /^promptpack: "pipelines\/store\.yaml" changed\.\n.*\[route-missing\]\n1 file$/,
    );
    writeFileSync(join(cwd, "pipelines/notes.yaml"), "just: notes\n");
    mkdirSync(join(cwd, "more/deep"), { recursive: true });
    writeFileSync(join(cwd, "more/deep/store.yaml"), pipeline("store"));
    expect(await watch.said()).toBe('promptpack: "more/deep/store.yaml" changed.\n1 file');
    expect(await watch.end()).toBe(0);
  });

  it("sees that a skill comes and goes, but not what is written in it", async () => {
    const cwd = folderOf({
      "a.pack.json": clean.replace("{", '{ "skills": [{ "path": "./skills/one" }],'),
      "skills.txt": "",
    });
    const watch = new Watch(cwd, ["a.pack.json"]);
    expect(await watch.said()).toMatch(/\[skill-path\]\n1 file$/);
    mkdirSync(join(cwd, "skills/one"), { recursive: true });
    writeFileSync(join(cwd, "skills/one/SKILL.md"), "");
    expect(await watch.said()).toBe('promptpack: "skills/one" changed.\n1 file');
    writeFileSync(join(cwd, "skills/one/MORE.md"), "");
    rmSync(join(cwd, "skills"), { recursive: true });
    expect(await watch.said()).toMatch(/^promptpack: "skills\/one" changed\.\n.*\[skill-path\]\n1 file$/);
    await watch.end();
  });

  it("sees what is written where a link leads", async () => {
    const cwd = folderOf({ "real/a.json": clean, "real/config.yaml": "", "packs/notes.txt": "" });
    symlinkSync("../real/a.json", join(cwd, "packs/a.pack.json"));
    symlinkSync("../real/config.yaml", join(cwd, "packs/promptpack.config.yaml"));
    const watch = new Watch(cwd, ["packs"]);
    expect(await watch.said()).toBe("1 file");
    writeFileSync(join(cwd, "real/a.json"), badEntry);
    expect(await watch.said()).toBe(
      `promptpack: "packs/a.pack.json" changed.\n${line("packs/a.pack.json")}1 file`,
    );
    writeFileSync(join(cwd, "real/config.yaml"), "rules: { unknown-entry: off }\n");
    expect(await watch.said()).toBe('promptpack: "packs/promptpack.config.yaml" changed.\n1 file');
    expect(await watch.end()).toBe(0);
  });

  it("lives through links that form a loop, until they lead somewhere", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    for (const name of ["b.pack.json", ".gitignore", "round"]) symlinkSync(name, join(cwd, name));
    const watch = new Watch(cwd, [".", "--config", "round/config.yaml"]);
    const loop = "cannot be opened: too many symbolic links encountered.\n";
    const config = `promptpack: The config file "round/config.yaml" ${loop}`;
    expect(await watch.said()).toContain(config);
    await watch.end();

    const other = new Watch(cwd, []);
    expect(await other.said()).toBe(`promptpack: "b.pack.json" ${loop}2 files`);
    rmSync(join(cwd, "b.pack.json"));
    writeFileSync(join(cwd, "b.pack.json"), badEntry);
    expect(await other.said()).toBe(`promptpack: "b.pack.json" changed.\n${line("b.pack.json")}2 files`);
    symlinkSync("promptpack.config.yaml", join(cwd, "promptpack.config.yaml"));
    expect(await other.said()).toContain(`The config file "promptpack.config.yaml" ${loop}`);
    expect(await other.end()).toBe(2);
  });

  it("does not take standard input", async () => {
    expect(await promptpack(["lint", "--watch", "-"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "promptpack: Standard input cannot be watched: name files or folders.\n",
    });
  });

  it("ends on Ctrl-C with the last exit code, as the built program", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const child = spawn(process.execPath, [resolve("bin/promptpack.js"), "lint", "--watch"], { cwd });
    onTestFinished(() => void child.kill("SIGKILL"));
    let talk = "";
    child.stderr.on("data", (chunk: Buffer) => (talk += chunk.toString()));
    await vi.waitFor(
      () => expect(talk).toBe("promptpack: Watching 1 file; press Ctrl-C to stop.\n"),
      patience,
    );
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([1, null]);
  });

  it("ends with one line when nobody reads its findings any more", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const child = spawn(process.execPath, [resolve("bin/promptpack.js"), "lint", "--watch"], { cwd });
    onTestFinished(() => void child.kill("SIGKILL"));
    let talk = "";
    child.stderr.on("data", (chunk: Buffer) => (talk += chunk.toString()));
    await vi.waitFor(() => expect(talk).toMatch(/Watching 1 file.*\n$/), patience);
    talk = "";
    child.stdout.destroy();
    writeFileSync(join(cwd, "a.pack.json"), badEntry);
    expect(await once(child, "close")).toEqual([1, null]);
    expect(talk).toBe(
      'promptpack: "a.pack.json" changed.\npromptpack: The watch ends: its output can no longer be written.\n',
    );
  });

  it("ends when its messages cannot be written", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const stderr = { isLost: true, write: () => undefined };
    const io = { args: ["lint", "--watch"], stdout: { write: () => undefined }, stderr, cwd, env: {} };
    expect(await run({ ...io, stdin: Readable.from([]) })).toBe(1);
  });
});
