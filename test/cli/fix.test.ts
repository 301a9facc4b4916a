import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { hostId, replaceFile } from "../../src/cli/files/write-file.js";
import { reporters } from "../../src/reporters/index.js";
import { SeededRandom } from "../../src/simulate/drive-simulation.js";
import { isFull } from "../runs.js";
import { folderOf, promptpack, promptpackRaw } from "./harness.js";
import { badEntry, clean, oddEvent } from "./packs.js";

/** One safe fix, one unsafe fix, and a warning without a fix. */
const broken = `id: greeter
name: Greeter
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  greet: { id: greet, name: Greet, version: 1.0.0, system_template: "Greet, then emit done." }
  bye: { id: bye, name: Bye, version: 1.0.0, system_template: Say goodbye. }
workflow:
  version: 2
  entry: helo
  states:
    hello:
      prompt_task: greet
      on_event:
        done: end
    end: { prompt_task: bye, on_event: {} } # the end
`;
const certain = broken.replace(
  "prompt_task: bye, on_event: {} }",
  "prompt_task: bye, on_event: {}, terminal: true }",
);
const likely = certain.replace("entry: helo", "entry: hello");

const entryError =
  'a.pack.yaml:10:10: error: The workflow starts at "helo", which is not a state. Did you mean "hello"? [unknown-entry]\n';
const caseWarning =
  'a.pack.yaml:15:9: info: Event "done" is not in PascalCase. Write "Done"; the prompts and the host must change with it. [event-name-case]\n';

const lint = (cwd: string, ...args: string[]) => promptpack(["lint", "-f", "compact", ...args], { cwd });
const read = (cwd: string, file = "a.pack.yaml") => readFileSync(join(cwd, file), "utf8");

describe("--fix", () => {
  it("removes a comment that suppresses nothing once the last error is fixed", async () => {
    const cwd = folderOf({
      "a.pack.yaml": broken.replace(
        "entry: helo",
        "entry: helo # promptpack-disable-line unknown-prompt-task",
      ),
    });
    await lint(cwd, "--fix", "--unsafe-fixes");
    expect(read(cwd)).toBe(likely);
  });

  it("fixes what is certain, and reports the rest", async () => {
    const cwd = folderOf({ "a.pack.yaml": broken });
    expect(await lint(cwd, "--fix")).toEqual({
      code: 1,
      stdout: entryError + caseWarning,
      stderr: "promptpack: Fixed 1 finding in 1 file.\n",
    });
    expect(read(cwd)).toBe(certain);
    expect(readdirSync(cwd)).toEqual([".git", "a.pack.yaml"]);
  });

  it("--unsafe-fixes fixes what is likely, too; then there is nothing left to do", async () => {
    const cwd = folderOf({ "a.pack.yaml": broken, "b.pack.json": badEntry });
    expect(await lint(cwd, "--fix", "--unsafe-fixes")).toEqual({
      code: 0,
      stdout: caseWarning,
      stderr: "promptpack: Fixed 3 findings in 2 files.\n",
    });
    expect({ a: read(cwd), b: read(cwd, "b.pack.json") }).toEqual({ a: likely, b: clean });
    const before = statSync(join(cwd, "a.pack.yaml"), { bigint: true });
    expect(await lint(cwd, "--fix", "--unsafe-fixes")).toEqual({ code: 0, stdout: caseWarning, stderr: "" });
    const after = statSync(join(cwd, "a.pack.yaml"), { bigint: true });
    expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([before.ino, before.mtimeNs, before.ctimeNs]);
  });

  it("--unsafe-fixes makes the best of the fixes that are proved", async () => {
    const endless = likely.replace("done: end", "done: end\n        Again: hello");
    const cwd = folderOf({ "a.pack.yaml": endless });
    const ended = endless.replace("Again: hello\n", "Again: hello\n      max_visits: 5\n");
    const { stdout } = await lint(cwd, "--fix-dry-run", "--unsafe-fixes");
    expect(stdout).toContain(
      "@@\n       on_event:\n         done: end\n         Again: hello\n+      max_visits: 5\n",
    );
    await lint(cwd, "--fix");
    expect(read(cwd)).toBe(endless);
    await lint(cwd, "--fix", "--unsafe-fixes");
    // Once the loop is guarded, the budget that it lacks is proved as well.
    const budget = "  engine:\n    budget:\n      max_total_visits: 6\n";
    expect(read(cwd)).toBe(ended + budget);
    await lint(cwd, "--fix", "--unsafe-fixes");
    expect(read(cwd)).toBe(ended + budget);
  });

  it("proves nothing for what the baseline remembers", async () => {
    const endless = likely.replace("done: end", "done: end\n        Again: hello");
    const cwd = folderOf({ "a.pack.yaml": endless });
    const baseline = ["--baseline", "base.json"];
    await lint(cwd, ...baseline, "--update-baseline");
    await lint(cwd, ...baseline, "--fix", "--unsafe-fixes");
    expect(read(cwd)).toBe(endless);
  });

  it("heeds what the config and comments silence", async () => {
    const config =
      "rules: { ambiguous-terminal: off }\nignore: [{ file: a.pack.yaml, rule: unused-suppression, pointer: '' }]\n";
    const cwd = folderOf({ "a.pack.yaml": broken, "promptpack.config.yaml": config });
    await lint(cwd, "--fix");
    expect(read(cwd)).toBe(broken);
  });

  it("leaves alone what the baseline remembers, unless that is written anew", async () => {
    const cwd = folderOf({ "a.pack.yaml": broken });
    const baseline = ["--baseline", "base.json"];
    await lint(cwd, ...baseline, "--update-baseline");
    const later =
      broken.replace("done: end", "done: end\n        Left: gone") +
      "    gone: { prompt_task: bye, on_event: {} }\n";
    writeFileSync(join(cwd, "a.pack.yaml"), later.replace("emit done", "emit done or Left"));
    expect(await lint(cwd, ...baseline, "--fix", "--max-warnings", "0")).toEqual({
      code: 0,
      stdout: "",
      stderr: "promptpack: Fixed 1 finding in 1 file.\n",
    });
    const [known = "", fresh = ""] = read(cwd).split("    gone:");
    expect(known).not.toContain("terminal: true");
    expect(fresh).toBe(" { prompt_task: bye, on_event: {}, terminal: true }\n");
    await lint(cwd, ...baseline, "--fix", "--update-baseline");
    expect(read(cwd)).toContain("end: { prompt_task: bye, on_event: {}, terminal: true } # the end");
    expect((await lint(cwd, ...baseline)).stdout).toBe("");
  });

  it("keeps the byte order mark, the line breaks and the mode", async () => {
    const crlf = (text: string) => `\ufeff${text.replaceAll("\n", "\r\n")}`;
    const cwd = folderOf({ "a.pack.yaml": crlf(broken) });
    chmodSync(join(cwd, "a.pack.yaml"), 0o640);
    await lint(cwd, "--fix");
    expect(read(cwd)).toBe(crlf(certain));
    expect(statSync(join(cwd, "a.pack.yaml")).mode & 0o777).toBe(0o640);
  });

  it("writes through a symbolic link", async () => {
    const cwd = folderOf({ "real/pack.yaml": broken });
    symlinkSync("real/pack.yaml", join(cwd, "a.pack.yaml"));
    await lint(cwd, "--fix", "a.pack.yaml");
    expect(lstatSync(join(cwd, "a.pack.yaml")).isSymbolicLink()).toBe(true);
    expect(read(cwd, "real/pack.yaml")).toBe(certain);
    expect(readdirSync(join(cwd, "real"))).toEqual(["pack.yaml"]);
  });

  it("takes no notice of what has the name of its draft", async () => {
    const cwd = folderOf({ "a.pack.yaml": broken });
    const draft = `.promptpack-${hostId()}.${process.pid}-0.tmp`;
    mkdirSync(join(cwd, draft));
    await lint(cwd, "--fix");
    expect(read(cwd)).toBe(certain);
    expect(readdirSync(cwd)).toEqual([".git", draft, "a.pack.yaml"]);
  });

  it.each([
    [["--fix", "--fix-dry-run"], '"--fix" and "--fix-dry-run" cannot be used together: choose one.'],
    [["--unsafe-fixes"], '"--unsafe-fixes" needs "--fix" or "--fix-dry-run".'],
  ])("%j is exit 2", async (args, message) => {
    const cwd = folderOf({ "a.pack.yaml": broken });
    expect(await lint(cwd, ...args)).toEqual({ code: 2, stdout: "", stderr: `promptpack: ${message}\n` });
    expect(read(cwd)).toBe(broken);
  });
});

describe("without --fix", () => {
  it.each(Object.keys(reporters))("%s proves fixes only if it shows them", async (format) => {
    const cwd = folderOf({ "a.pack.yaml": broken });
    const lint = (...args: string[]) => promptpack(["lint", ...args, "--stats"], { cwd });
    const proves = ["pretty", "json"].includes(format);
    expect(/^fixes /mu.test((await lint("-f", format)).stderr)).toBe(proves);
    expect((await lint("-f", format, "-f", "json=out")).stderr).toMatch(/^fixes /mu);
    expect(read(cwd, "out")).toContain('"fix":');
  });
});

describe("--fix-dry-run", () => {
  const diff = `--- a/a.pack.yaml
+++ b/a.pack.yaml
@@ -13,4 +13,4 @@
       prompt_task: greet
       on_event:
         done: end
-    end: { prompt_task: bye, on_event: {} } # the end
+    end: { prompt_task: bye, on_event: {}, terminal: true } # the end
`;

  it("prints what would change, and reports the rest on stderr", async () => {
    const cwd = folderOf({ "a.pack.yaml": broken, "b.pack.json": oddEvent });
    const { code, stdout, stderr } = await lint(cwd, "--fix-dry-run", "a.pack.yaml");
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: diff,
      stderr: `${entryError}${caseWarning}promptpack: Would fix 1 finding in 1 file.\n`,
    });
    expect(read(cwd)).toBe(broken);
  });

  it("prints a patch that makes the files what --fix makes them", async () => {
    const files = { "a.pack.yaml": broken, "sub dir/b.pack.yaml": broken.trimEnd() };
    const cwd = folderOf(files);
    const other = folderOf(files);
    const { stdout } = await lint(cwd, "--fix-dry-run", "--unsafe-fixes");
    execFileSync("patch", ["-p1", "-s"], { cwd, input: stdout });
    await lint(other, "--fix", "--unsafe-fixes");
    for (const name of Object.keys(files)) expect(read(cwd, name)).toBe(read(other, name));
  });

  it.each([
    ["patch", ["-p1", "-s"]],
    ["git", ["apply"]],
  ])("prints a patch for a folder above where files lie outside, which %s takes", async (program, args) => {
    const files = { "sub/a.pack.yaml": broken, "here/b.pack.yaml": broken };
    const top = folderOf(files);
    const cwd = join(top, "here");
    const { stdout, stderr } = await lint(cwd, "--fix-dry-run", "../sub", ".");
    expect(stderr).toContain('Would fix 2 findings in 2 files. Apply the diff in the folder "..".\n');
    execFileSync(program, args, { cwd: top, input: stdout });
    for (const name of Object.keys(files)) expect(read(top, name)).toBe(certain);
  });

  it.each([
    ["patch", ["-p1", "-s"]],
    ["git", ["apply"]],
  ])("prints a patch for what links lead to, which %s takes", async (program, args) => {
    const top = folderOf({ "real/a.pack.yaml": broken, "real/folder/b.pack.yaml": broken, "here/x": "" });
    const cwd = join(top, "here");
    symlinkSync("../real/a.pack.yaml", join(cwd, "a.pack.yaml"));
    symlinkSync("../real/folder", join(cwd, "folder"));
    const { stdout, stderr } = await lint(cwd, "--fix-dry-run", "a.pack.yaml", "folder/b.pack.yaml");
    expect(stderr).toContain('Would fix 2 findings in 2 files. Apply the diff in the folder "..".\n');
    execFileSync(program, args, { cwd: top, input: stdout });
    for (const name of ["a.pack.yaml", "folder/b.pack.yaml"]) expect(read(cwd, name)).toBe(certain);
  });

  it("exits with 1 while there is something to fix, even if nothing else is wrong", async () => {
    const cwd = folderOf({ "a.pack.yaml": broken.replace("helo", "hello") });
    const { code, stdout } = await lint(cwd, "--fix-dry-run");
    expect({ code, stdout }).toEqual({ code: 1, stdout: diff });
    expect(await lint(cwd, "--fix-dry-run", "--exit-zero")).toMatchObject({ code: 0, stdout: diff });
    expect(await lint(cwd, "--fix")).toMatchObject({ code: 0 });
    expect(await lint(cwd, "--fix-dry-run")).toMatchObject({ code: 0, stdout: "" });
  });

  it("says nothing where nothing would change", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    expect(await lint(cwd, "--fix-dry-run")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("lets no control character reach a terminal", async () => {
    const cwd = folderOf({ "a.pack.yaml": broken.replace("# the end", "# the\u009b31mend\tx") });
    const { stdout } = await promptpack(["lint", "--fix-dry-run", "-f", "compact"], { cwd, terminal: 80 });
    expect(stdout).toContain("# the\\u009b31mend\tx\n");
    expect(stdout).not.toContain("\u009b");
  });
});

describe("standard input", () => {
  const fix = (stdin: string, ...args: string[]) =>
    promptpack(["lint", "-", "-f", "compact", "--fix", ...args], { stdin });

  it("is printed fixed, and reported on stderr", async () => {
    expect(await fix(broken)).toEqual({
      code: 1,
      stdout: certain,
      stderr: `${(entryError + caseWarning).replaceAll("a.pack.yaml", "<stdin>")}promptpack: Fixed 1 finding in 1 file.\n`,
    });
  });

  it.each([
    ["without findings", clean, 0],
    ["with a byte order mark", `\ufeff${clean}`, 0],
    ["that does not parse", "{", 1],
  ])("%s is printed as it is", async (_, text, code) => {
    expect(await fix(text)).toMatchObject({ code, stdout: text });
  });

  it("that is not text is printed byte for byte", async () => {
    const bytes = Buffer.from([...Buffer.from("\ufeffa: "), 0xff, 0x0a]);
    const { code, stdout } = await promptpackRaw(["lint", "--fix", "-"], { stdin: [bytes] });
    expect({ code, stdout }).toEqual({ code: 1, stdout: bytes });
    const shown = await promptpack(["lint", "--fix", "-"], { stdin: [bytes], terminal: 80 });
    expect(shown.stdout).toContain("a: \ufffd\n");
  });

  it("that is too large is printed to its end", async () => {
    const stdin = ["a: 1\n", "b: 2\n", "c: 3\n", "d: 4\n"].map((line) => Buffer.from(line));
    const args = ["lint", "-", "-f", "compact", "--max-size", "7"];
    const fixed = await promptpack([...args, "--fix"], { stdin });
    expect(fixed).toMatchObject({ code: 1, stdout: "a: 1\nb: 2\nc: 3\nd: 4\n" });
    expect(fixed.stderr).toContain("--max-size");
    for (const flag of ["--fix-dry-run", "--quiet"])
      expect((await promptpack([...args, flag], { stdin })).stdout).not.toContain("d: 4");
  });

  it("is printed when a file of its name is ignored", async () => {
    const cwd = folderOf({ ".promptpackignore": "x.yaml\n" });
    const args = ["lint", "-", "--fix", "-f", "compact", "--stdin-filename", "x.yaml"];
    expect(await promptpack(args, { cwd, stdin: broken })).toEqual({
      code: 0,
      stdout: broken,
      stderr: 'promptpack: "x.yaml" is skipped: ".promptpackignore" ignores it.\n',
    });
  });
});

describe("replaceFile", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it("does not write over what another program wrote meanwhile", () => {
    const cwd = folderOf({ f: "newer" });
    expect(() => replaceFile(join(cwd, "f"), bytes("old"), bytes("fixed"))).toThrow(
      "changed while it was being fixed, so it was left alone",
    );
    expect({ f: read(cwd, "f"), files: readdirSync(cwd) }).toEqual({ f: "newer", files: [".git", "f"] });
  });

  it.runIf(process.getuid?.() !== 0)("does not replace a file that may not be written", () => {
    const cwd = folderOf({ f: "old" });
    chmodSync(join(cwd, "f"), 0o444);
    expect(() => replaceFile(join(cwd, "f"), bytes("old"), bytes("fixed"))).toThrow("EACCES");
  });
});

describe("a draft that was left behind", () => {
  const here = hostId();
  const draft = (host: string, pid: number) => `.promptpack-${host}.${pid}-0.tmp`;
  const nobody = 999_999_999;

  it.each([
    ["by a process that is gone", draft(here, nobody), 0, false],
    ["by a process that had our number", draft(here, process.pid), 0, false],
    ["by a process whose number is another one's by now", draft(here, process.ppid), 3600, false],
    ["by another machine, long ago", draft("0123456789ab", process.ppid), 3600, false],
    ["for a moment, by a process at work", draft(here, process.ppid), 0, true],
    ["for a moment, by another machine", draft("0123456789ab", nobody), 0, true],
    ["by somebody else", ".promptpack-notes.tmp", 3600, true],
  ])("%s", async (_, name, age, isKept) => {
    const cwd = folderOf({ [`sub/${name}`]: "half", "sub/a.pack.json": clean });
    const then = Date.now() / 1000 - age;
    utimesSync(join(cwd, "sub", name), then, then);
    expect(await lint(cwd)).toMatchObject({ code: 0 });
    expect(readdirSync(join(cwd, "sub"))).toEqual([name, "a.pack.json"]);
    expect(await lint(cwd, "--fix")).toMatchObject({ code: 0 });
    expect(readdirSync(join(cwd, "sub"))).toEqual(isKept ? [name, "a.pack.json"] : ["a.pack.json"]);
  });

  it("is removed by the next report into its folder, too, but is no folder", async () => {
    const cwd = folderOf({ [draft(here, nobody)]: "half", "a.pack.json": clean });
    mkdirSync(join(cwd, draft(here, nobody - 1)));
    expect(await lint(cwd, "-f", "json=report.json")).toMatchObject({ code: 0 });
    expect(readdirSync(cwd)).toEqual([".git", draft(here, nobody - 1), "a.pack.json", "report.json"]);
  });
});

describe("a file with a second name", () => {
  it("is replaced under the name that was given; the other keeps the old content", async () => {
    const cwd = folderOf({ "a.pack.yaml": broken });
    linkSync(join(cwd, "a.pack.yaml"), join(cwd, "backup"));
    await lint(cwd, "--fix");
    expect([read(cwd), read(cwd, "backup")]).toEqual([certain, broken]);
  });
});

describe.runIf(isFull)("a run that is killed", () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.pack.yaml`);

  /** Starts the built program and kills it when the folder has changed so many times. */
  async function killed(cwd: string, changes: number): Promise<void> {
    let seen = 0;
    const child = spawn(process.execPath, [resolve("bin/promptpack.js"), "lint", "--fix", "--no-config"], {
      cwd,
      stdio: "ignore",
    });
    const watcher = watch(cwd, () => {
      if (++seen >= changes) child.kill("SIGKILL");
    });
    await once(child, "close");
    watcher.close();
  }

  it("leaves each file as it was or fixed, and the next one removes its drafts", async () => {
    const random = new SeededRandom(5);
    const cwd = folderOf({});
    const seen = new Set<string>();
    for (let round = 0; round < 50; round++) {
      for (const name of readdirSync(cwd)) rmSync(join(cwd, name), { recursive: true });
      mkdirSync(join(cwd, ".git"));
      for (const name of names) writeFileSync(join(cwd, name), broken);
      await killed(cwd, 1 + random.below(60));
      const states = names.map((name) => {
        const text = read(cwd, name);
        return text === broken ? "as it was" : text === certain ? "fixed" : `torn: ${text}`;
      });
      for (const state of states) seen.add(state);
      if (new Set(states).size === 2) seen.add("half-way");
      if (readdirSync(cwd).some((name) => name.startsWith(".promptpack-"))) seen.add("with a draft");
      await lint(cwd, "--fix", "--no-config");
      expect(readdirSync(cwd).sort()).toEqual([".git", ...names].sort());
      expect(names.map((name) => read(cwd, name))).toEqual(names.map(() => certain));
    }
    expect([...seen].sort()).toEqual(["as it was", "fixed", "half-way", "with a draft"]);
  });
});
