import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import type * as Library from "../../src/index.js";
import { lint } from "../../src/index.js";
import { folderOf } from "./harness.js";
import { isFull } from "../runs.js";
import { badEntry, clean, yamlPack } from "./packs.js";

const program = resolve("bin/promptpack.js");

/** The built program, as a shell starts it. `npm test` builds first. */
function start(cwd: string, args: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("the built program", () => {
  it("lints, prints and exits", () => {
    const cwd = folderOf({ "a.pack.json": badEntry, "b.pack.json": clean });
    expect(start(cwd, ["lint", "-f", "compact"])).toEqual({
      status: 1,
      stdout:
        'a.pack.json:25:14: error: The workflow starts at "helo", which is not a state. Did you mean "hello"? [unknown-entry]\n',
      stderr: "",
    });
    expect(start(cwd, ["lint", "-", "-f", "compact"], clean)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(start(cwd, ["lint", "--nope"])).toEqual({
      status: 2,
      stdout: "",
      stderr: 'promptpack: Unknown option "--nope".\n',
    });
  });

  // In a process of its own, because creating folders there may never end.
  it.runIf(existsSync("/proc/self"))("ends if no folder can be created", () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const args = ["lint", "-f", "sarif=/proc/nowhere/deep/out.sarif"];
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd,
      encoding: "utf8",
      timeout: 30_000,
    });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'promptpack: "/proc/nowhere/deep/out.sarif" cannot be written: no such file or directory.\n',
    });
  });

  it("has every parser in its bundle", () => {
    const cwd = folderOf({ "a.pack.json": "{ x", "b.pack.yaml": "a: [", "c.pack.yaml": yamlPack });
    const { status, stdout, stderr } = start(cwd, ["lint", "-f", "compact"]);
    const rules = new Set(
      [...stdout.matchAll(/^(\w)\..*\[(.*)\]$/gm)].map(([, file, rule]) => `${file} ${rule}`),
    );
    expect({ status, rules: [...rules], stderr }).toEqual({
      status: 1,
      rules: ["a parse-error", "b parse-error", "c unknown-entry", "c event-name-case"],
      stderr: "",
    });
  });

  it("finds its pages and schemas from any folder", () => {
    const cwd = folderOf({});
    expect(start(cwd, ["schema"]).stdout).toBe(readFileSync("schema/promptpack.schema.json", "utf8"));
    expect(start(cwd, ["explain", "unknown-entry"])).toMatchObject({ status: 0, stderr: "" });
  });

  it("is quiet when its reader closes the pipe", async () => {
    const cwd = folderOf(
      Object.fromEntries(Array.from({ length: isFull ? 300 : 60 }, (_, i) => [`${i}.pack.json`, badEntry])),
    );
    const child = spawn(process.execPath, [program, "lint"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const errors: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.stdout.destroy();
    const [code] = (await once(child, "close")) as [number];
    expect({ code, stderr: Buffer.concat(errors).toString() }).toEqual({ code: 1, stderr: "" });
  });

  it.runIf(isFull)("is quiet if that error is called EOF, as on Windows", () => {
    const cwd = folderOf({
      "a.pack.json": badEntry,
      "closed.cjs": `const fs = require("node:fs");
        fs.writeSync = () => { throw Object.assign(new Error("EOF: end of file, write"), { code: "EOF" }); };`,
    });
    const { status, stderr } = spawnSync(process.execPath, ["-r", "./closed.cjs", program, "lint"], {
      cwd,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
  });

  it.runIf(process.platform !== "win32")("reads no more events when its reader closes the pipe", () => {
    const cwd = folderOf({
      "a.pack.yaml":
        "# promptpack-disable schema\nworkflow: { entry: a, states: { a: { on_event: { Again: a } } } }",
    });
    const line = `yes 1 | "${process.execPath}" "${program}" simulate a.pack.yaml | head -2`;
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { cwd, encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: "\na  visit 1 · 1 visit in all\n",
      stderr: "",
    });
  });

  it.runIf(existsSync("/dev/full"))("reports that its output cannot be written", () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const shell = spawnSync("sh", ["-c", `"${process.execPath}" "${program}" lint > /dev/full`], {
      cwd,
      encoding: "utf8",
    });
    expect({ status: shell.status, stderr: shell.stderr }).toEqual({
      status: 2,
      stderr: "promptpack: The output cannot be written (ENOSPC).\n",
    });
  });

  describe("keeps the events of a turn that cannot be written", () => {
    const turn = ["step", "a.pack.json", "--run", "r.json", "--start", "--run-id", "R1", "--request", "T"];
    const kept =
      'promptpack: The events of this turn could not be written: "r.json" keeps them, and the next call prints them.\n';
    const readsThem = (cwd: string) => {
      const { status, stdout } = start(cwd, turn);
      const types = [...stdout.matchAll(/"type":"([^"]+)"/g)].map(([, type]) => type);
      expect({ status, types }).toEqual({ status: 0, types: ["agentic.start", "agentic.tool_request.T"] });
      expect(start(cwd, turn).stdout).toBe("");
    };

    it.runIf(isFull)("because its reader closed the pipe", async () => {
      const cwd = folderOf({ "a.pack.json": clean });
      const child = spawn(process.execPath, [program, ...turn], { cwd, stdio: ["ignore", "pipe", "pipe"] });
      const errors: Buffer[] = [];
      child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
      child.stdout.destroy();
      const [code] = (await once(child, "close")) as [number];
      expect({ code, stderr: Buffer.concat(errors).toString() }).toEqual({ code: 2, stderr: kept });
      readsThem(cwd);
    });

    it.runIf(existsSync("/dev/full"))("because the device is full", () => {
      const cwd = folderOf({ "a.pack.json": clean });
      const line = `"${process.execPath}" "${program}" ${turn.join(" ")} > /dev/full`;
      const { status, stderr } = spawnSync("sh", ["-c", line], { cwd, encoding: "utf8" });
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: `promptpack: The output cannot be written (ENOSPC).\n${kept}`,
      });
      readsThem(cwd);
    });
  });
});

it("exports the library from the built file", async () => {
  const built = (await import(pathToFileURL(resolve("dist/index.js")).href)) as typeof Library;
  expect(built.lint(badEntry).diagnostics.map(({ rule }) => rule)).toEqual(["unknown-entry"]);
  expect(built.lint("{").diagnostics.map(({ rule }) => rule)).toEqual(["parse-error"]);
});

it("exports the library to a browser, without modules of Node", async () => {
  const { outputFiles } = await build({
    entryPoints: ["dist/index.js"],
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "library",
    write: false,
  });
  const browser = createContext({
    TextEncoder,
    TextDecoder,
    texts: [badEntry, yamlPack, "a: [", "a: !!binary eA=="],
  });
  runInContext(outputFiles[0]?.text ?? "", browser);
  const found = runInContext(
    "JSON.stringify(texts.map((text) => library.lint(text).diagnostics))",
    browser,
  ) as string;
  const expected = (browser["texts"] as readonly string[]).map((text) => lint(text).diagnostics);
  expect(JSON.parse(found)).toEqual(JSON.parse(JSON.stringify(expected)));
});

it("includes the licence of every bundled package", () => {
  const licences = readFileSync("dist/THIRD-PARTY-LICENSES.txt", "utf8");
  expect(licences).toMatch(/^commander \d+\.\d+\.\d+ \(MIT\)$/m);
});
