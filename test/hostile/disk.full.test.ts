import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";
import { badEntry, clean } from "../cli/packs.js";
import { program, start } from "./child.js";

const isRoot = process.getuid?.() === 0;
/** Nothing is locked for the administrator: somebody else has to look, if the program lies where they can. */
const someone = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const someoneCanLook = spawnSync(process.execPath, ["--check", program], someone).status === 0;
const hasDevices = existsSync("/dev/full") && existsSync("/dev/zero");

describe("paths that lead nowhere", () => {
  it("links in a circle end in one line each, and the rest is linted", () => {
    const cwd = folderOf({ "ok.pack.json": badEntry });
    symlinkSync("b.pack.yaml", join(cwd, "a.pack.yaml"));
    symlinkSync("a.pack.yaml", join(cwd, "b.pack.yaml"));
    mkdirSync(join(cwd, "sub"));
    symlinkSync("..", join(cwd, "sub", "up"));
    symlinkSync("../sub", join(cwd, "sub", "self.pack.json"));
    const { status, stdout, stderr } = start(cwd, ["lint", "-f", "compact"]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        'promptpack: "a.pack.yaml" cannot be opened: too many symbolic links encountered.\n' +
        'promptpack: "b.pack.yaml" cannot be opened: too many symbolic links encountered.\n',
    });
    expect(stdout).toMatch(/^ok\.pack\.json:25:14: error: .* \[unknown-entry\]\n$/);
  });

  it.runIf(process.platform === "linux")("a name that is not UTF-8 is said to be the reason", async () => {
    const cwd = folderOf({ "ok.pack.json": clean });
    const name = Buffer.concat([Buffer.from(`${cwd}/a`), Buffer.from([0xff]), Buffer.from(".pack.json")]);
    writeFileSync(name, clean);
    expect(await promptpack(["lint", "-f", "compact"], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: "a\ufffd.pack.json" cannot be opened: its name is not valid UTF-8.\n',
    });
  });

  it.runIf(hasDevices)("FIFOs and devices are not read", () => {
    const cwd = folderOf({ "ok.pack.json": clean });
    execFileSync("mkfifo", [join(cwd, "pipe.pack.json")]);
    symlinkSync("/dev/zero", join(cwd, "zero.pack.yaml"));
    // A search does not follow the link out of the folder at all.
    expect(start(cwd, ["lint", "-f", "compact"])).toEqual({
      status: 2,
      stdout: "",
      stderr: 'promptpack: "pipe.pack.json" is not a regular file.\n',
    });
    expect(start(cwd, ["lint", "-f", "compact", "zero.pack.yaml"])).toEqual({
      status: 2,
      stdout: "",
      stderr: 'promptpack: "zero.pack.yaml" is not a regular file.\n',
    });
    for (const command of ["inspect", "graph", "simulate"]) {
      expect(start(cwd, [command, "pipe.pack.json"])).toEqual({
        status: 2,
        stdout: "",
        stderr: 'promptpack: "pipe.pack.json" is not a regular file.\n',
      });
    }
    for (const config of ["pipe.pack.json", "zero.pack.yaml"]) {
      expect(start(cwd, ["lint", "ok.pack.json", "--config", config, "-f", "compact"])).toMatchObject({
        status: 2,
        stderr: `promptpack: The config file "${config}" is not a regular file.\n`,
      });
    }
  });

  it.runIf(someoneCanLook)("a folder that cannot be read is one line, and the rest is linted", () => {
    const cwd = folderOf({ "locked/a.pack.json": clean, "ok.pack.json": badEntry });
    chmodSync(cwd, 0o755);
    chmodSync(join(cwd, "locked"), 0);
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "lint", "-f", "compact"], {
      cwd,
      encoding: "utf8",
      ...someone,
    });
    chmodSync(join(cwd, "locked"), 0o700);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'promptpack: "locked" cannot be opened: permission denied.\n',
    });
    expect(stdout).toMatch(/^ok\.pack\.json:25:14: error: .* \[unknown-entry\]\n$/);
  });

  it("a working folder that was removed is one line", () => {
    const cwd = folderOf({});
    const script = `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${program}" lint`;
    const { status, stderr } = spawnSync("sh", ["-c", script], { cwd, encoding: "utf8" });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "promptpack: The working folder does not exist any more.\n",
    });
    expect(readdirSync(cwd)).toEqual([".git"]);
  });
});

describe("files that change while they are read", () => {
  it("vanish, shrink and grow without an internal error", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}.pack.json`);
    const cwd = folderOf(Object.fromEntries(names.map((name) => [name, clean])));
    const mover = spawn(process.execPath, ["-e", restless, cwd], { stdio: "ignore" });
    try {
      for (let round = 0; round < 15; round++) {
        const { code, stdout, stderr } = await promptpack(["lint", "-f", "json"], { cwd });
        expect([0, 1, 2]).toContain(code);
        expect(stderr).not.toMatch(/internal error/i);
        for (const line of stderr.split("\n").slice(0, -1))
          expect(line).toMatch(
            /^promptpack: (?:".*" (?:does not exist|is a folder|cannot be opened: not a directory)|No pack was found)/,
          );
        if (stdout !== "") JSON.parse(stdout);
      }
    } finally {
      mover.kill("SIGKILL");
      await once(mover, "close");
    }
  });

  it("the file is read to its end, whatever its size was said to be", async () => {
    const { readRegularFile } = await import("../../src/cli/files/read-file.js");
    const cwd = folderOf({ "a.json": "x".repeat(100_000) });
    expect(readRegularFile(join(cwd, "a.json"), 10)).toHaveLength(11);
    truncateSync(join(cwd, "a.json"), 3);
    expect(readRegularFile(join(cwd, "a.json"), 10)).toHaveLength(3);
    // Files of /proc say that they are empty, and are not.
    if (existsSync("/proc/self/status")) {
      expect(readRegularFile("/proc/self/status", 1_000_000).length).toBeGreaterThan(100);
    }
  });
});

/** Writes, cuts, removes and replaces the packs of a folder without a pause. */
const restless = `
const { writeFileSync, rmSync, renameSync, mkdirSync } = require("node:fs");
const { join } = require("node:path");
for (let i = 0; ; i++) {
  const path = join(process.argv[1], i % 20 + ".pack.json");
  try {
    if (i % 3 === 0) rmSync(path, { recursive: true, force: true });
    else if (i % 7 === 0) mkdirSync(path);
    else if (i % 5 === 0) writeFileSync(path, "{".repeat(i % 5000));
    else { writeFileSync(path + ".new", '{"id":"a"}'); renameSync(path + ".new", path); }
  } catch {}
}`;

describe.runIf(hasDevices)("a disk that is full", () => {
  const full = 'promptpack: "/dev/full" cannot be written: no space left on device.\n';

  it("is one line for a report, and the other reports are written", () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const args = ["lint", "-f", "json=/dev/full", "-f", "compact=ok.txt", "-f", "compact"];
    const { status, stdout, stderr } = start(cwd, args);
    expect({ status, stderr }).toEqual({ status: 2, stderr: full });
    expect(readFileSync(join(cwd, "ok.txt"), "utf8")).toBe(stdout);
  });

  it("is no summary of GitHub, and the exit code stays that of the findings", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: "/dev/full" };
    const { code, stderr } = await promptpack(["lint", "-f", "compact"], { cwd, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'promptpack: "/dev/full" is not a regular file.\n' });
  });

  it("keeps the exit code where not even the trouble can be told", () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const shell = (redirections: string) =>
      spawnSync("sh", ["-c", `"${process.execPath}" "${program}" lint ${redirections}`], { cwd }).status;
    expect(shell("> /dev/full 2> /dev/full")).toBe(2);
    expect(shell("--config missing.yaml > /dev/null 2> /dev/full")).toBe(2);
    expect(shell("> /dev/null 2> /dev/full")).toBe(1);
  });
});

/** A shell in a folder that is a small file system of its own, which not every system lets us mount. */
function onSmallDisk(folder: string, script: string) {
  const mount = 'mount -t tmpfs -o size=64k disk "$PWD" && cd "$PWD"';
  const args = ["--user", "--map-root-user", "--mount", "sh", "-c", `${mount} && ${script}`];
  return spawnSync("unshare", args, { cwd: folder, encoding: "utf8" });
}

describe.runIf(onSmallDisk(tmpdir(), "true").status === 0)("a disk that is really full", () => {
  const packs = mkdtempSync(join(tmpdir(), "promptpack-packs-"));
  afterAll(() => rmSync(packs, { recursive: true, force: true }));
  const [good, fixable, bad] = ["a", "b", "c"].map((name) => join(packs, `${name}.pack.json`)) as [
    string,
    string,
    string,
  ];
  writeFileSync(bad, badEntry);
  writeFileSync(good, clean);
  writeFileSync(fixable, clean.replace('"terminal": true', '"on_event": {}'));
  const run = (args: string) => `"${process.execPath}" "${program}" ${args}`;
  const step = (flags: string) => run(`step "${good}" --run run.json ${flags}`);

  it.each([
    ["no run", '"run.json"', "true", step("--start"), ""],
    [
      "a run as it was",
      '"run.json"',
      step("--start --run-id R1 > /dev/null"),
      step("--event Done --step 1"),
      "run.json\n",
    ],
    [
      "a pack as it was",
      '"b.pack.json"',
      `cp "${fixable}" .`,
      run("lint --no-config --fix > /dev/null"),
      "b.pack.json\n",
    ],
    [
      "a report as it was",
      '"out.json"',
      "echo old > out.json",
      run(`lint --no-config -f json=out.json "${good}"`),
      "out.json\n",
    ],
    ["no drawing", '"out.svg"', "true", run(`graph -o out.svg "${good}"`), ""],
    [
      "a baseline as it was",
      'The baseline "base.json"',
      run(`lint --no-config --baseline base.json --update-baseline "${good}" > /dev/null 2> /dev/null`),
      run(`lint --no-config --baseline base.json --update-baseline "${bad}" > /dev/null`),
      "base.json\n",
    ],
  ])("leaves %s, and nothing else", (_, subject, before, command, left) => {
    const { stdout, stderr } = onSmallDisk(
      folderOf({}),
      `${before}; was=$(cksum *); cat /dev/zero > fill; ${command}; echo "exit $?"; rm fill; ls -A; test "$(cksum *)" = "$was"; echo "same $?"`,
    );
    expect({ stdout, stderr: stderr.replace(/^c.*\n/gmu, "") }).toEqual({
      stdout: `exit 2\n${left}same 0\n`,
      stderr: `promptpack: ${subject} cannot be written: no space left on device.\n`,
    });
  });
});

describe.runIf(onSmallDisk(tmpdir(), "true").status === 0)("once a full disk has room again", () => {
  const run = (args: string) => `"${process.execPath}" "${program}" ${args}`;
  const full = "cannot be written: no space left on device";

  it("init writes what it could not write before", () => {
    const { stdout, stderr } = onSmallDisk(
      folderOf({}),
      `echo {} > package-lock.json; cat /dev/zero > fill; ${run("init")}; echo "exit $?"; find . -type f | sort; rm fill; ${run("init")}; echo "exit $?"`,
    );
    const names = [
      "promptpack.config.yaml",
      ".pre-commit-config.yaml",
      ".github/workflows/promptpack-lint.yml",
    ];
    expect(stderr.match(/^promptpack: "\S+" .*$/gmu)).toEqual(
      names.map((name) => `promptpack: "${name}" ${full}.`),
    );
    const [before = "", after = ""] = stdout.split("exit 2\n");
    expect(before).toBe("");
    expect(after.split("\n").map((line) => line.split(",")[0])).toEqual([
      ...["./fill", "./package-lock.json"],
      ...names.map((name) => `Wrote "${name}"`),
      "exit 0",
      "",
    ]);
  });

  it("--cache makes its key, and has changed no run before", () => {
    const lint = `env -u PROMPTPACK_NO_CACHE XDG_CACHE_HOME="$PWD/home" ${run("lint --no-config --cache -f compact a.pack.json")}`;
    const pack = join(folderOf({ "a.pack.json": badEntry }), "a.pack.json");
    const { stdout, stderr } = onSmallDisk(
      folderOf({}),
      `cp "${pack}" .; mkdir -m 700 home; cat /dev/zero > fill; ${lint}; echo "exit $?"; find home -name key; rm fill; ${lint}; echo "exit $?"; wc -c < home/promptpack/key; ls home/promptpack/findings | wc -l`,
    );
    expect(stderr.match(/^promptpack: .*$/gmu)).toEqual([
      `promptpack: The cache "home/promptpack/findings" ${full}.`,
    ]);
    const finding = /^a\.pack\.json:25:14: error: .*\nexit 1\n/u;
    expect(stdout).toMatch(finding);
    expect(stdout.replace(finding, "")).toMatch(finding);
    expect(stdout.replace(finding, "").replace(finding, "")).toBe("32\n1\n");
  });
});

describe.runIf(hasDevices)("an output that is no file", () => {
  const shell = (cwd: string, script: string) =>
    spawnSync("bash", ["-c", script.replaceAll("lint", `"${process.execPath}" "${program}" lint`)], {
      cwd,
      encoding: "utf8",
    });

  it.each([
    ["a device", "lint -f compact=/dev/stdout | cat"],
    ["a device that leads to a file", "lint -f compact=/dev/stdout > out; cat out"],
    ["another device", "lint -f compact=/dev/stderr 2>&1 >/dev/null | cat"],
    ["a pipe", "mkfifo pipe; cat pipe & lint -f compact=pipe; wait"],
    ["a process", "lint -f compact=>(cat > out); sleep 1; cat out"],
    ["a file by its number", "lint -f compact=/dev/fd/3 3> out; cat out"],
  ])("may be %s", (_, script) => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    expect(shell(cwd, script).stdout).toMatch(/^a\.pack\.json:25:14: error: .* \[unknown-entry\]\n$/u);
    expect(readdirSync(cwd).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("a folder that somebody swaps for a link while --fix runs", () => {
  const names = Array.from({ length: 60 }, (_, index) => `${index}.pack.json`);
  const broken = clean.replace('"terminal": true', '"on_event": {}');
  const files = Object.fromEntries(names.map((name) => [`packs/${name}`, broken]));

  /** Starts a script that knows the folder and the one outside; returns how to end it. */
  async function startSwapper(script: string, cwd: string, outside: string): Promise<() => Promise<void>> {
    const head = `
      const { readdirSync, renameSync, symlinkSync, unlinkSync } = require("node:fs");
      const [packs, outside] = process.argv.slice(1);
      console.log("ready");`;
    const args = ["-e", head + script, join(cwd, "packs"), join(outside, "packs")];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const closed = once(child, "close");
    await once(child.stdout, "data");
    return async () => {
      child.kill("SIGKILL");
      await closed;
    };
  }

  async function fixMeanwhile(script: string) {
    const [cwd, outside] = [folderOf(files), folderOf(files)];
    const end = await startSwapper(script, cwd, outside);
    // The swapper must be able to run: this process waits for the program, not with it.
    const child = spawn(process.execPath, [program, "lint", "--fix", "--no-config", "-f", "compact"], {
      cwd,
    });
    let stderr = "";
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.stdout.resume();
    await once(child, "close");
    await end();
    expect(readdirSync(join(outside, "packs")).sort()).toEqual([...names].sort());
    for (const name of names) expect(readFileSync(join(outside, "packs", name), "utf8")).toBe(broken);
    return { code: child.exitCode, stderr };
  }

  it.each(Array.from({ length: 12 }, (_, index) => index + 1))("is not followed, try %i", async () => {
    const { code, stderr } = await fixMeanwhile(`
      while (!readdirSync(packs).some((name) => name.startsWith(".promptpack-")));
      renameSync(packs, packs + ".away");
      symlinkSync(outside, packs);
      for (;;);`);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^promptpack: "packs\/\d+\.pack\.json" has been replaced by a link, or is in a folder that has, so it was left alone\.$/mu,
    );
  });

  it("is not followed if that never ends", async () => {
    for (let round = 0; round < 6; round++) {
      const { stderr } = await fixMeanwhile(`
        for (;;) {
          renameSync(packs, packs + ".away");
          symlinkSync(outside, packs);
          unlinkSync(packs);
          renameSync(packs + ".away", packs);
        }`);
      expect(stderr).not.toMatch(/internal error/iu);
    }
  });
});

describe("a file that cannot be replaced", () => {
  it("keeps its content when somebody else was faster", async () => {
    const pack = clean.replace('"end": {', '"end": { "on_event": {},');
    const cwd = folderOf({ "a.pack.json": pack });
    const before = readFileSync(join(cwd, "a.pack.json"), "utf8");
    const { replaceFile } = await import("../../src/cli/files/write-file.js");
    // The old content is not what is there.
    expect(() => replaceFile(join(cwd, "a.pack.json"), Buffer.from("other"), Buffer.from("new"))).toThrow(
      "changed while it was being fixed",
    );
    expect(readFileSync(join(cwd, "a.pack.json"), "utf8")).toBe(before);
    expect(readdirSync(cwd).sort()).toEqual([".git", "a.pack.json"]);
  });

  it("leaves no draft behind when a report cannot be put in place", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    mkdirSync(join(cwd, "report.json"));
    writeFileSync(join(cwd, "report.json", "x"), "");
    const { code, stderr } = await promptpack(["lint", "-f", "json=report.json"], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'promptpack: "report.json" is a folder.\n' });
    expect(readdirSync(cwd).sort()).toEqual([".git", "a.pack.json", "report.json"]);
    rmSync(join(cwd, "report.json", "x"));
    rmdirSync(join(cwd, "report.json"));
  });
});

describe("who reads along", () => {
  it("may go after the first line", () => {
    const cwd = folderOf(
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${index}.pack.json`, badEntry])),
    );
    const script = `{ "${process.execPath}" "${program}" lint -f json; echo $? >&2; } | head -1`;
    const { stdout, stderr } = spawnSync("sh", ["-c", script], { cwd, encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "{\n", stderr: "1\n" });
  });

  it.each([20, 1, 40])("may have a terminal of %i columns", async (terminal) => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const { code, stdout } = await promptpack(["lint", "--no-color"], { cwd, terminal });
    expect(code).toBe(1);
    const links = /\u001b\]8;;[^\u0007\u001b]*(?:\u0007|\u001b\\)/gu;
    for (const line of stdout.replace(links, "").split("\n")) {
      expect(line.length).toBeLessThanOrEqual(Math.max(terminal, 20));
    }
  });
});
