import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { run } from "../../src/cli/run.js";
import { reporters } from "../../src/reporters/index.js";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean, oddEvent, yamlPack } from "./packs.js";
import { specVersions } from "../../src/text/tool-info.js";

const entryError = (file: string, at = "25:14") =>
  `${file}:${at}: error: The workflow starts at "helo", which is not a state. Did you mean "hello"? [unknown-entry]\n`;
const caseInfo = (file: string, at = "30:11") =>
  `${file}:${at}: info: Event "done" is not in PascalCase. Write "Done"; the prompts and the host must change with it. [event-name-case]\n`;

/** Lints with the compact format, which tells everything in a line. */
const lint = (cwd: string, ...args: string[]) => promptpack(["lint", "-f", "compact", ...args], { cwd });

describe("exit codes and streams", () => {
  it.each([
    ["clean", clean, 0, ""],
    ["an info", oddEvent, 0, caseInfo("a.pack.json")],
    ["an error", badEntry, 1, entryError("a.pack.json")],
  ])("%s", async (_, text, code, stdout) => {
    expect(await lint(folderOf({ "a.pack.json": text }))).toEqual({ code, stdout, stderr: "" });
  });

  it("a file that does not parse is a finding", async () => {
    const { code, stdout, stderr } = await lint(folderOf({ "a.pack.json": "{" }));
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(/^a\.pack\.json:1:2: error: .* \[parse-error\]\n$/);
  });

  it("2 beats 1, and the other files are linted", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    expect(await lint(cwd, "a.pack.json", "b.pack.yaml")).toEqual({
      code: 2,
      stdout: entryError("a.pack.json"),
      stderr: 'promptpack: "b.pack.yaml" does not exist.\n',
    });
  });

  it("no pack is exit 2", async () => {
    expect(await lint(folderOf({}))).toEqual({
      code: 2,
      stdout: "",
      stderr: "promptpack: No pack was found below the working folder.\n",
    });
  });

  it.runIf(process.platform !== "win32")("a FIFO or a device is exit 2", async () => {
    const cwd = folderOf({ "b.pack.json": clean });
    execFileSync("mkfifo", [join(cwd, "a.pack.json")]);
    const { code, stdout, stderr } = await lint(cwd, ".", "/dev/zero");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^promptpack: ".*dev\/zero" is not a regular file\.$/) as string,
      'promptpack: "a.pack.json" is not a regular file.',
      "",
    ]);
  });
});

describe("flags", () => {
  it("--max-warnings fails a run with more warnings", async () => {
    const cwd = folderOf({ "a.pack.json": oddEvent });
    const stdout = caseInfo("a.pack.json").replace("info", "warning");
    const args = ["--rule", "event-name-case:warning", "--max-warnings"];
    expect(await lint(cwd, ...args, "1")).toEqual({ code: 0, stdout, stderr: "" });
    expect(await lint(cwd, ...args, "0")).toEqual({
      code: 1,
      stdout,
      stderr: 'promptpack: There is 1 warning, more than the 0 that "--max-warnings" allows.\n',
    });
  });

  it("--quiet shows errors only, and the exit code stays", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry, "b.pack.json": oddEvent });
    expect(await lint(cwd, "--quiet")).toEqual({ code: 1, stdout: entryError("a.pack.json"), stderr: "" });
    expect((await lint(cwd, "-q", "--max-warnings", "0", "--preset", "strict", "b.pack.json")).code).toBe(1);
    expect((await promptpack(["lint", "-q", "b.pack.json"], { cwd })).stdout).toBe("✔ No errors in 1 file\n");
  });

  it("--quiet shows errors only among what is silenced, too", async () => {
    const ignore = ["unknown-entry", "event-name-case"].map(
      (rule) => `  - { file: "*.json", rule: ${rule}, pointer: "" }\n`,
    );
    const files = { "a.pack.json": badEntry, "b.pack.json": oddEvent };
    const cwd = folderOf({ ...files, "promptpack.config.yaml": `ignore:\n${ignore.join("")}` });
    const { stdout } = await promptpack(["lint", "--quiet", "-f", "sarif"], { cwd });
    const { runs } = JSON.parse(stdout) as { runs: { results: { ruleId: string }[] }[] };
    expect(runs.flatMap(({ results }) => results.map(({ ruleId }) => ruleId))).toEqual(["unknown-entry"]);
  });

  it("--exit-zero forgives findings, not troubles", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    expect((await lint(cwd, "--exit-zero")).code).toBe(0);
    expect((await lint(cwd, "--exit-zero", "b.json")).code).toBe(2);
  });

  it("--rule sets the severity of a rule", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry, "b.pack.json": oddEvent });
    const args = ["--rule", "unknown-entry:off", "--rule", "event-name-case:error"];
    expect(await lint(cwd, ...args)).toEqual({
      code: 1,
      stdout: caseInfo("b.pack.json").replace("info", "error"),
      stderr: "",
    });
  });

  it("--preset errors, and validate, leave out everything else", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry, "b.pack.json": oddEvent });
    const expected = { code: 1, stdout: entryError("a.pack.json"), stderr: "" };
    expect(await lint(cwd, "--preset", "errors")).toEqual(expected);
    expect(await promptpack(["validate", "-f", "compact"], { cwd })).toEqual(expected);
  });

  it("--preset strict makes infos warnings", async () => {
    const info = clean.replace("then emit Done", "then stop");
    const cwd = folderOf({ "a.pack.json": info });
    const before = await lint(cwd);
    expect(before.stdout).toMatch(/^a\.pack\.json:\d+:\d+: info: .* \[event-not-in-prompt\]\n$/);
    const after = await lint(cwd, "--preset", "strict");
    expect(after.stdout).toBe(before.stdout.replace(": info:", ": warning:"));
  });

  it("--spec-version overrides what $schema says", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const { stdout } = await lint(cwd, "-f", "json=out.json", "--spec-version", "1.3");
    const report = JSON.parse(readFileSync(join(cwd, "out.json"), "utf8")) as {
      files: { specVersion: string }[];
    };
    expect(report.files.map(({ specVersion }) => specVersion)).toEqual(["1.3.1"]);
    expect(stdout).toBe(
      'a.pack.json:35:21: warning: "terminal" was added in v1.4, but the pack is checked against v1.3.1. Remove it, or check the pack against v1.4. [newer-field]\n',
    );
  });

  it.each([
    ["--max-size", "10", /more than 10 bytes. "--max-size" raises the limit/],
    ["--max-depth", "2", /. "--max-depth" raises the limit/],
  ])("%s limits what is read, and the finding names it", async (flag, value, name) => {
    const { code, stdout } = await lint(folderOf({ "a.pack.json": clean }), flag, value);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^a\.pack\.json:\d+:\d+: error: .* \[parse-error\]\n$/);
    expect(stdout).toMatch(name);
  });

  it("--max-alias-nodes limits what aliases add", async () => {
    const cwd = folderOf({ "a.pack.yaml": "a: &x [1, 2, 3]\nb: *x\nc: *x\n" });
    const { stdout } = await lint(cwd, "--max-alias-nodes", "3");
    expect(stdout).toMatch(
      /^a\.pack\.yaml:\d+:\d+: error: .*"--max-alias-nodes" raises the limit.* \[parse-error\]\n$/,
    );
  });

  it("--stats prints the time of phases and rules to stderr", async () => {
    const { code, stdout, stderr } = await lint(folderOf({ "a.pack.json": clean }), "--stats");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    const names = stderr
      .trimEnd()
      .split("\n")
      .map((line) => /^(.*?) +\d+\.\d ms$/.exec(line)?.[1]);
    expect(names).toEqual(
      expect.arrayContaining(["find files", "read files", "parse", "unknown-entry", "report"]),
    );
  });

  it("takes any number for a limit, however large", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const limits = [
      "--max-values",
      "9999999999999999",
      "--max-depth",
      "9".repeat(400),
      "--max-size",
      "9999999999999",
    ];
    expect((await promptpack(["lint", ...limits, "a.pack.json"], { cwd })).code).toBe(0);
  });

  it.each([
    [["--max-warnings", "-1"], '"--max-warnings" must be a whole number of 0 or more, not "-1".'],
    [["--max-depth", "x"], '"--max-depth" must be a whole number of 0 or more, not "x".'],
    [
      ["--max-size", "1TB"],
      '"--max-size" must be a number of bytes such as 500000, 800kB or 64MB, not "1TB".',
    ],
    [["--preset", "strickt"], '"--preset" cannot be "strickt". Did you mean "strict"?'],
    [["--rule", "unknown-entri:off"], 'No rule is called "unknown-entri". Did you mean "unknown-entry"?'],
    [["--rule", "unknown-entry:warn"], '"--rule unknown-entry" cannot be "warn". Did you mean "warning"?'],
    [["--rule", "unknown-entry:eror"], '"--rule unknown-entry" cannot be "eror". Did you mean "error"?'],
    [
      ["--rule", "unknown-entry"],
      '"--rule unknown-entry" must be a rule id, a colon and a severity, such as unknown-entry:error.',
    ],
    [
      ["--rule", "dead-guard=2"],
      '"--rule dead-guard=2" must be a rule id, a colon and a severity, such as unknown-entry:error.',
    ],
    [["--format", "sarrif"], 'There is no format "sarrif". Did you mean "sarif"?'],
    [
      ["--format", "constructor"],
      'There is no format "constructor". Choose "pretty", "compact", "json", "sarif", "github", "gitlab", "junit" or "markdown".',
    ],
    [["-f=json"], 'There is no format "=json". Did you mean "json"?'],
    [["--format", "json="], 'The format "json=" needs a file name after "=".'],
    [
      ["--format", "json=a", "--format", "sarif=a"],
      'Two formats would be written to "a": give each a file of its own.',
    ],
    [
      ["--format", "json=./a", "--format", "sarif=a"],
      'Two formats would be written to "a": give each a file of its own.',
    ],
    [
      ["--spec-version", "9"],
      `There is no spec version "9". The known versions are ${specVersions.join(", ")} and latest.`,
    ],
    [
      ["--stdin-filename", "x.yaml"],
      '"--stdin-filename" has no effect, because standard input is not read: add "-" to the paths.',
    ],
    [
      ["--fix-dry-run", "--baseline", "b.json", "--update-baseline"],
      '"--fix-dry-run" and "--update-baseline" cannot be used together: a dry run changes no files.',
    ],
    [
      ["--watch", "--baseline", "b.json", "--update-baseline"],
      '"--watch" and "--update-baseline" cannot be used together: choose one.',
    ],
    [["--only", "unknown-entri"], 'No rule is called "unknown-entri". Did you mean "unknown-entry"?'],
    [["--update-baseline"], '"--update-baseline" needs "--baseline <file>" to say which file.'],
    [
      ["--config", "a.yaml", "--no-config"],
      '"--config" and "--no-config" cannot be used together: choose one.',
    ],
    [
      ["--no-config", "--config", "a.yaml"],
      '"--config" and "--no-config" cannot be used together: choose one.',
    ],
    [
      ["--print-config", "a.pack.json", "b.pack.json", "c.pack.json"],
      '"--print-config" takes no other paths: leave out "b.pack.json" and "c.pack.json".',
    ],
  ])("%j is exit 2", async (args, message) => {
    const cwd = folderOf({ "a.pack.json": clean });
    expect(await promptpack(["lint", ...args], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: `promptpack: ${message}\n`,
    });
  });
});

describe("--only", () => {
  const compact = async (pack: string, ...args: string[]) => {
    const cwd = folderOf({
      "a.pack.yaml": pack,
      "promptpack.config.yaml": "rules: { event-name-case: off }\n",
    });
    const { code, stdout } = await promptpack(["lint", "-f", "compact", ...args], { cwd });
    return { code, ids: stdout.match(/(?<=\[)[\w-]+(?=\]$)/gm) };
  };

  it("runs the rules that it names, even where the config or a preset turns them off, and no other", async () => {
    expect(await compact(yamlPack)).toEqual({ code: 1, ids: ["unknown-entry"] });
    expect(await compact(yamlPack, "--only", "event-name-case")).toEqual({
      code: 0,
      ids: ["event-name-case"],
    });
    expect(await compact(yamlPack, "--only", "event-name-case", "--preset", "errors")).toEqual({
      code: 0,
      ids: ["event-name-case"],
    });
    const both = ["--only", "event-name-case", "--only", "unknown-entry"];
    expect(await compact(yamlPack, ...both)).toEqual({ code: 1, ids: ["unknown-entry", "event-name-case"] });
    expect(await compact(yamlPack, "--only", "dead-guard")).toEqual({ code: 0, ids: null });
  });

  it("takes the severity of the rule from elsewhere", async () => {
    const error = ["--only", "event-name-case", "--rule", "event-name-case:error"];
    expect(await compact(yamlPack, ...error)).toEqual({ code: 1, ids: ["event-name-case"] });
  });

  it("still reports a file that cannot be parsed", async () => {
    expect(await compact("id: [", "--only", "dead-guard")).toEqual({ code: 1, ids: ["parse-error"] });
  });
});

describe("standard input", () => {
  it("is linted by its content", async () => {
    const json = await promptpack(["lint", "-", "-f", "compact"], { stdin: badEntry });
    expect(json).toEqual({ code: 1, stdout: entryError("<stdin>"), stderr: "" });
    const yaml = await promptpack(["lint", "-", "-f", "compact"], { stdin: yamlPack });
    expect(yaml.stdout).toBe(entryError("<stdin>", "16:10") + caseInfo("<stdin>", "21:9"));
  });

  it("is read no further than the limit", async () => {
    let given = 0;
    const endless = async function* () {
      for (;;) yield await Promise.resolve(Buffer.alloc(1024, (given++, 32)));
    };
    const out: string[] = [];
    const io = {
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: () => true },
      cwd: "/",
      env: {},
    };
    const args = ["lint", "-", "-f", "compact", "--max-size", "8kB", "--no-config"];
    expect(await run({ ...io, args, stdin: endless() })).toBe(1);
    expect({ given, finding: /\[.*\]$/m.exec(out.join(""))?.[0] }).toEqual({
      given: 9,
      finding: "[parse-error]",
    });
  });

  it("--stdin-filename gives it a name, a format and a config", async () => {
    const cwd = folderOf({ "sub/promptpack.config.yaml": "rules: { event-name-case: off }\n" });
    const args = ["lint", "-", "-f", "compact", "--stdin-filename", "sub/x.pack.yaml"];
    const { code, stdout } = await promptpack(args, { cwd, stdin: yamlPack });
    expect({ code, stdout }).toEqual({ code: 1, stdout: entryError("sub/x.pack.yaml", "16:10") });
  });

  it("takes the place of the file whose name it has", async () => {
    const cwd = folderOf({ "x.pack.yaml": "id: [", "y.pack.yaml": yamlPack });
    const args = ["lint", "-", ".", "-f", "compact", "--rule", "event-name-case:off"];
    const { code, stdout } = await promptpack([...args, "--stdin-filename", "x.pack.yaml"], {
      cwd,
      stdin: yamlPack,
    });
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: entryError("x.pack.yaml", "16:10") + entryError("y.pack.yaml", "16:10"),
    });
  });

  it("--stdin-filename is reported as any path is: relative, and without detours", async () => {
    const cwd = folderOf({});
    for (const name of [join(cwd, "sub/x.pack.yaml"), "./sub/../sub/x.pack.yaml"]) {
      const args = ["lint", "-", "-f", "compact", "--no-config", "--stdin-filename", name];
      const { stdout } = await promptpack([...args, "--rule", "event-name-case:off"], {
        cwd,
        stdin: yamlPack,
      });
      expect(stdout).toBe(entryError("sub/x.pack.yaml", "16:10"));
    }
    const { code, stderr } = await promptpack(["lint", "-", "--stdin-filename", ""], {
      cwd,
      stdin: yamlPack,
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'promptpack: "--stdin-filename" must not be empty.\n',
    });
  });
});

describe("formats", () => {
  it("a link in the place of a report leads where it led", async () => {
    const cwd = folderOf({ "a.pack.json": clean, "real/old.txt": "old" });
    symlinkSync("real/old.txt", join(cwd, "out.txt"));
    expect((await lint(cwd, "-f", "json=out.txt")).code).toBe(0);
    expect(lstatSync(join(cwd, "out.txt")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, "real/old.txt"), "utf8")).toContain('"schemaVersion": 1');
  });

  it("so does a link to what is not there yet, but none that goes round in a circle", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    symlinkSync("next.txt", join(cwd, "out.txt"));
    symlinkSync("real/new.txt", join(cwd, "next.txt"));
    symlinkSync("round.txt", join(cwd, "round.txt"));
    expect((await lint(cwd, "-f", "json=out.txt")).code).toBe(0);
    expect(lstatSync(join(cwd, "out.txt")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(cwd, "next.txt")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, "real/new.txt"), "utf8")).toContain('"schemaVersion": 1');
    expect((await lint(cwd, "-f", "json=round.txt")).stderr).toBe(
      'promptpack: "round.txt" cannot be written: too many symbolic links encountered.\n',
    );
  });

  it.runIf(process.platform === "linux")("a device that was led into a file is not replaced", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const file = join(cwd, "out.txt");
    const device = `/proc/self/fd/${openSync(file, "w")}`;
    expect((await lint(cwd, "--format", `compact=${device}`)).code).toBe(1);
    expect(readFileSync(file, "utf8")).toBe(entryError("a.pack.json"));
  });

  it("- stands for standard output", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    expect(await promptpack(["lint", "-f", "compact=-"], { cwd })).toEqual({
      code: 1,
      stdout: entryError("a.pack.json"),
      stderr: "",
    });
    expect(readdirSync(cwd)).toEqual([".git", "a.pack.json"]);
    expect((await promptpack(["lint", "-f", "json", "-f", "sarif=-"], { cwd })).stderr).toMatch(
      /^promptpack: Both /,
    );
  });

  it("two in one run, one of them into a file in a folder that is made", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const { code, stdout } = await lint(cwd, "--format", "json=reports/out.json");
    expect({ code, stdout }).toEqual({ code: 1, stdout: entryError("a.pack.json") });
    const report = JSON.parse(readFileSync(join(cwd, "reports/out.json"), "utf8")) as { summary: unknown };
    expect(report.summary).toEqual({ files: 1, errors: 1, warnings: 0, infos: 0 });
    expect(readdirSync(join(cwd, "reports"))).toEqual(["out.json"]);
  });

  it("a report that cannot be written is exit 2, and leaves nothing behind", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    mkdirSync(join(cwd, "out.json"));
    expect(await lint(cwd, "-f", "json=out.json")).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: "out.json" is a folder.\n',
    });
    expect(readdirSync(cwd).sort()).toEqual([".git", "a.pack.json", "out.json"]);
  });

  it("a name that ends in a slash is a folder's, also if there is none", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    expect(await lint(cwd, "-f", "json=out/")).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: "out/" is a folder.\n',
    });
    expect(readdirSync(cwd).sort()).toEqual([".git", "a.pack.json"]);
  });

  it.runIf(existsSync("/proc/self"))(
    "a report where no file can be made is not said to be missing",
    async () => {
      const cwd = folderOf({ "a.pack.json": clean });
      expect(await lint(cwd, "-f", "json=/proc/x.json")).toEqual({
        code: 2,
        stdout: "",
        stderr: 'promptpack: "/proc/x.json" cannot be written: no such file or directory.\n',
      });
    },
  );

  it("appends a summary in GitHub Actions", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry, "summary.md": "before\n" });
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(cwd, "summary.md") };
    await promptpack(["lint", "-f", "compact"], { cwd, env });
    const summary = readFileSync(join(cwd, "summary.md"), "utf8");
    expect(summary.startsWith("before\n")).toBe(true);
    expect(summary).toContain("unknown-entry");
    await promptpack(["lint", "-f", "compact"], { cwd, env: { GITHUB_STEP_SUMMARY: join(cwd, "none.md") } });
    expect(existsSync(join(cwd, "none.md"))).toBe(false);
  });
});

it("makes the folder of the summary, as that of any report", async () => {
  const cwd = folderOf({ "a.pack.json": clean });
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(cwd, "not/here/summary.md") };
  expect(await promptpack(["lint", "-f", "compact"], { cwd, env })).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  expect(readFileSync(join(cwd, "not/here/summary.md"), "utf8")).toContain("No problems in 1 file");
});

describe("colour", () => {
  const colored = async (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    terminal?: number,
  ) => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const surround = { cwd, env, ...(terminal === undefined ? {} : { terminal }) };
    return (await promptpack(["lint", ...args], surround)).stdout.includes("\u001b[");
  };

  it.each<[string[], Record<string, string>, number | undefined, boolean]>([
    [[], {}, undefined, false],
    [[], {}, 80, true],
    [[], { TERM: "dumb" }, 80, false],
    [[], { NO_COLOR: "1" }, 80, false],
    [[], { NO_COLOR: "" }, 80, true],
    [[], { FORCE_COLOR: "1" }, undefined, true],
    [[], { FORCE_COLOR: "0" }, 80, false],
    [[], { CLICOLOR_FORCE: "1" }, undefined, true],
    [[], { CLICOLOR: "0" }, 80, false],
    [[], { CLICOLOR: "1" }, 80, true],
    [[], { CLICOLOR: "0", CLICOLOR_FORCE: "1" }, 80, true],
    [[], { CLICOLOR: "0", FORCE_COLOR: "1" }, 80, true],
    [[], { NO_COLOR: "1", FORCE_COLOR: "1" }, 80, false],
    [["--color"], { NO_COLOR: "1" }, undefined, true],
    [["--no-color"], { FORCE_COLOR: "1" }, 80, false],
  ])("%j %j on %s columns: %s", async (args, env, terminal, expected) => {
    expect(await colored(args, env, terminal)).toBe(expected);
  });
});

describe("comments", () => {
  it("silence a rule, unless --no-inline-config", async () => {
    const cwd = folderOf({
      "a.pack.yaml": yamlPack.replace("# the door", "# promptpack-disable-next-line unknown-entry"),
    });
    const warning = caseInfo("a.pack.yaml", "21:9");
    expect(await lint(cwd)).toEqual({ code: 0, stdout: warning, stderr: "" });
    const all = await lint(cwd, "--no-inline-config");
    expect(all).toEqual({ code: 1, stdout: entryError("a.pack.yaml", "16:10") + warning, stderr: "" });
  });

  it("are not called stale in a file that is not a pack", async () => {
    const text =
      "# promptpack-disable dead-guard\napiVersion: promptkit.io/v1\nkind: PromptConfig\nspec: {}\n";
    const { stdout } = await lint(folderOf({ "a.pack.yaml": text }));
    expect(stdout).toMatch(/^a\.pack\.yaml:3:7: error: .* \[not-a-pack\]\n$/);
  });
});

describe("packs that are not named like packs", () => {
  const advice =
    'but folders are searched by file name: pass such files by name, or rename them to end in ".pack.json" or ".pack.yaml".\n';
  const stderrOf = async (files: Readonly<Record<string, string>>, ...args: string[]) => {
    const { code, stdout, stderr } = await lint(folderOf({ "a.pack.json": clean, ...files }), ...args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    return stderr;
  };

  it("are mentioned once by a search that linted others", async () => {
    const one = `promptpack: "examples/b.json" looks like a pack, ${advice}`;
    expect(await stderrOf({ "examples/b.json": clean, "package.json": "{}" })).toBe(one);
    expect(await stderrOf({ "examples/b.json": clean }, ".", "examples/../")).toBe(one);
    const many = Object.fromEntries(["e", "d", "c", "b"].map((name) => [`examples/${name}.json`, clean]));
    const { "examples/e.json": _, ...three } = many;
    expect(await stderrOf(three)).toBe(
      `promptpack: "examples/b.json", "examples/c.json" and "examples/d.json" look like packs, ${advice}`,
    );
    expect(await stderrOf(many)).toBe(
      `promptpack: "examples/b.json", "examples/c.json", "examples/d.json" and others look like packs, ${advice}`,
    );
  });

  it("are not mentioned if they are linted, ignored, or were not searched for", async () => {
    const files = { "b.json": clean };
    expect(await stderrOf(files, ".", "b.json")).toBe("");
    expect(await stderrOf(files, "a.pack.json")).toBe("");
    expect(await stderrOf(files, "*.pack.json")).toBe("");
    expect(await stderrOf({ ...files, ".promptpackignore": "b.json\n" })).toBe("");
    expect(await stderrOf({ ...files, ".gitignore": "b.json\n" })).toBe("");
    expect(await stderrOf({ ...files, "promptpack.config.json": '{ "ignore": ["b.json"] }' })).toBe("");
    expect(
      await stderrOf({ "c.json": '{ "template_engine": {} }', "d.yaml": "prompts: template_engine" }),
    ).toBe("");
  });

  it("are named by the problem if a folder has no other", async () => {
    const cwd = folderOf({ "a/a.pack.json": clean, "b/b.json": clean });
    expect(await lint(cwd, "a", "b")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'promptpack: No pack was found in "b". "b/b.json" looks like one: pass it by name, or rename it to "b.pack.json".\n',
    });
  });
});

describe("a file that cannot be read and is known not to be a pack", () => {
  const manifests = "apiVersion: v1\nkind: Namespace\n---\napiVersion: v1\nkind: Service\n";
  const zip = "PK\u0003\u0004\u0000zipped";
  const holds = "a.pack.yaml:2:7: error: This file holds 2 Kubernetes manifests, not a pack. [not-a-pack]\n";

  it("gets this one finding, whether parse-error is on or off", async () => {
    const cwd = folderOf({ "a.pack.yaml": manifests });
    const expected = { code: 1, stdout: holds, stderr: "" };
    expect(await lint(cwd)).toEqual(expected);
    expect(await lint(cwd, "--rule", "parse-error:off")).toEqual(expected);
  });

  it("is not clean if the rule is off", async () => {
    const cwd = folderOf({ "a.pack.yaml": manifests });
    expect(await lint(cwd, "--rule", "not-a-pack:off")).toEqual({
      code: 1,
      stdout:
        "a.pack.yaml:3:1: error: The file holds several YAML documents. Put each pack into a file of its own. [parse-error]\n",
      stderr: "",
    });
    expect(await lint(cwd, "--rule", "not-a-pack:off", "--rule", "parse-error:off")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'promptpack: "a.pack.yaml" cannot be parsed, and "parse-error", which would say why, is off: turn it on, or ignore the file.\n',
    });
  });

  it.each(Object.keys(reporters))("shows none of its bytes in %s", async (format) => {
    const cwd = folderOf({ "a.pack.json": zip });
    const { code, stdout, stderr } = await promptpack(["lint", "-f", format], { cwd });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toContain("This is a zip archive, not JSON or YAML.");
    expect(stdout).not.toMatch(/PK|zipped/);
  });

  it("is read as what --kind says, and as a config", async () => {
    const cwd = folderOf({ "a.pack.json": zip, "promptpack.config.json": zip });
    expect((await lint(cwd, "--no-config", "--kind", "routes", "a.pack.json")).stdout).toBe(
      "a.pack.json:1:1: error: This is a zip archive, not JSON or YAML. [parse-error]\n",
    );
    expect((await lint(cwd)).stderr).toBe(
      "promptpack: promptpack.config.json:1:1: This is a zip archive, not JSON or YAML.\n",
    );
  });

  it("is Markdown by its name", async () => {
    const cwd = folderOf({ "README.md": "# Packs\n\n- one: [two\n" });
    expect(await lint(cwd, "*.md")).toEqual({
      code: 1,
      stdout: "README.md:1:1: error: This is a Markdown file, not a pack. [not-a-pack]\n",
      stderr: "",
    });
  });
});

describe("links to the pages of rules", () => {
  const page = pathToFileURL(join(process.cwd(), "docs/rules/unknown-entry.md")).href;
  const link = `\u001b]8;;${page}\u001b\\unknown-entry\u001b]8;;\u001b\\`;
  const lintWith = (env: Record<string, string>, ...args: string[]) =>
    promptpack(["lint", ...args], { cwd: folderOf({ "a.pack.json": badEntry }), env });

  it("stand where the terminal shows them, and change nothing else", async () => {
    const { stdout } = await lintWith({ FORCE_HYPERLINK: "1" });
    expect(stdout.split(link).length).toBe(2);
    expect(stdout.replace(link, "unknown-entry")).toBe((await lintWith({})).stdout);
  });

  it.each([...Object.keys(reporters).filter((name) => name !== "pretty"), "pretty=out"])(
    "are not in %s",
    async (format) => {
      const cwd = folderOf({ "a.pack.json": badEntry });
      const { stdout } = await promptpack(["lint", "-f", format], { cwd, env: { FORCE_HYPERLINK: "1" } });
      const text = format.endsWith("=out") ? readFileSync(join(cwd, "out"), "utf8") : stdout;
      expect(text).toContain("unknown-entry");
      expect(text).not.toContain("file:");
    },
  );
});
