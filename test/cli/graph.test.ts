import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { browserOpener } from "../../src/cli/files/open-in-browser.js";
import { expected, fanPack, packOf } from "../drawing/drawn.js";
import { folderOf, promptpack } from "./harness.js";
import { specVersions } from "../../src/text/tool-info.js";

const small = expected("small.pack.yaml");
const errorsIn = (file: string) => `promptpack: "${file}" has 1 error, which "promptpack lint" shows.\n`;

describe("promptpack graph", () => {
  test("prints Mermaid, whatever was found", async () => {
    const cwd = folderOf({ "small.pack.yaml": small });
    const ran = await promptpack(["graph", "small.pack.yaml"], { cwd });
    expect(ran).toEqual({ code: 0, stdout: expected("small.mmd"), stderr: errorsIn("small.pack.yaml") });
  });

  test("takes a folder that holds one pack, and says so", async () => {
    const cwd = folderOf({ "sub/small.pack.yaml": small });
    const ran = await promptpack(["graph", "sub"], { cwd });
    expect(ran).toEqual({ code: 0, stdout: expected("small.mmd"), stderr: errorsIn("sub/small.pack.yaml") });
    const { stdout } = await promptpack(["graph", "--help"]);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "a pack or the head of a project, or a folder that holds one; - reads standard input",
    );
  });

  test("reads standard input", async () => {
    const ran = await promptpack(["graph", "-", "-f", "dot"], { stdin: small });
    expect(ran).toEqual({ code: 0, stdout: expected("small.dot"), stderr: errorsIn("<stdin>") });
  });

  test.each([
    ["a.mmd", "small.mmd"],
    ["a.mermaid", "small.mmd"],
    ["a.dot", "small.dot"],
    ["a.gv", "small.dot"],
    ["deep/a.SVG", "small.svg"],
    ["a.json", "small.json.out"],
  ])("writes %s in the format its name tells", async (output, file) => {
    const cwd = folderOf({ "small.pack.yaml": small });
    const ran = await promptpack(["graph", "small.pack.yaml", "-o", output], { cwd });
    expect(ran).toEqual({ code: 0, stdout: "", stderr: errorsIn("small.pack.yaml") });
    expect(readFileSync(join(cwd, output), "utf8")).toBe(expected(file));
  });

  test("--format beats the extension, and leaves nothing else behind", async () => {
    const cwd = folderOf({ "small.pack.yaml": small });
    await promptpack(["graph", "small.pack.yaml", "-f", "json", "-o", "a.svg"], { cwd });
    expect(readFileSync(join(cwd, "a.svg"), "utf8")).toBe(expected("small.json.out"));
    expect(readdirSync(cwd).sort()).toEqual([".git", "a.svg", "small.pack.yaml"]);
  });

  test("finds what lint finds, also in the files beside the pack", async () => {
    const cwd = folderOf({ "small.pack.yaml": `${small}skills: [{ path: ./skills/none }]\n` });
    const { stdout } = await promptpack(["graph", "small.pack.yaml", "-f", "json"], { cwd });
    const linted = await promptpack(["lint", "small.pack.yaml", "-f", "json"], { cwd });
    expect(stdout).toContain('"skill-path"');
    expect(linted.stdout).toContain('"skill-path"');
  });

  test("leaves out what the config silences", async () => {
    const json = packOf({ a: { on_event: { Again: "a", Lost: "nowhere" } } });
    const entry = { file: "a.pack.json", rule: "unbounded-loop", pointer: "/workflow/states/a" };
    const config = { rules: { "unknown-event-target": "off" }, ignore: [entry] };
    const rulesIn = async (files: Readonly<Record<string, string>>) => {
      const cwd = folderOf({ "a.pack.json": json, ...files });
      const { stdout } = await promptpack(["graph", "a.pack.json", "-f", "json"], { cwd });
      return ["unbounded-loop", "unknown-event-target"].filter((rule) => stdout.includes(`"${rule}"`));
    };
    expect(await rulesIn({})).toEqual(["unbounded-loop", "unknown-event-target"]);
    expect(await rulesIn({ "promptpack.config.json": JSON.stringify(config) })).toEqual([]);
  });

  test("draws nothing by a config that is broken", async () => {
    const cwd = folderOf({ "small.pack.yaml": small, ".promptpackrc": "rulez: {}\n" });
    expect(await promptpack(["graph", "small.pack.yaml"], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: .promptpackrc:1:1: The configuration has no key "rulez". Did you mean "rules"?\n',
    });
    const { code, stderr } = await promptpack(["graph", "small.pack.yaml", "--no-findings"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("--no-findings draws the plain workflow", async () => {
    const { stdout } = await promptpack(["graph", "-", "--no-findings"], { stdin: small });
    expect(stdout).not.toContain("missing");
    expect(stdout).toContain('g0["nowhere<br/>no such state"]');
  });

  test.each([
    [
      ["graph", "-", "--direction", "rl"],
      'promptpack: There is no direction "rl". Choose "auto", "tb" or "lr".\n',
    ],
    ...[
      ["-f", "svg"],
      ["-o", "a.svg"],
      ["-o", "-"],
    ].map((flags): [string[], string] => [
      ["graph", "-", "--open", ...flags],
      'promptpack: "--open" opens an HTML page: leave out other formats, and "--output -".\n',
    ]),
    [["graph", "-", "-f", "sgv"], 'promptpack: There is no format "sgv". Did you mean "svg"?\n'],
    [
      ["graph", "-", "-o", "a.png"],
      'promptpack: The name "a.png" does not say which format to use: give it one of the extensions .mmd, .mermaid, .dot, .gv, .svg, .html, .htm, .json, or set "--format".\n',
    ],
    [
      ["graph", "-", "-o", "picture"],
      'promptpack: The name "picture" does not say which format to use: give it one of the extensions .mmd, .mermaid, .dot, .gv, .svg, .html, .htm, .json, or set "--format".\n',
    ],
    [
      ["graph", "-", "--spec-version", "9"],
      `promptpack: There is no spec version "9". The known versions are ${specVersions.join(", ")} and latest.\n`,
    ],
  ])("refuses %j", async (args, stderr) => {
    expect(await promptpack(args, { stdin: small })).toEqual({ code: 2, stdout: "", stderr });
  });

  test("says why there is no picture", async () => {
    const cwd = folderOf({
      "plain.pack.json": packOf({ a: {} }, { workflow: undefined }),
      "empty.pack.json": packOf({ a: {} }, { workflow: { version: 2, entry: "a", states: {} } }),
      "broken.pack.json": "{",
    });
    const graph = async (file: string) => {
      const { code, stdout, stderr } = await promptpack(["graph", file], { cwd });
      return [code, stdout, stderr];
    };
    expect(await graph("plain.pack.json")).toEqual([
      2,
      "",
      'promptpack: "plain.pack.json" cannot be drawn: the pack has no workflow.\n',
    ]);
    expect(await graph("empty.pack.json")).toEqual([
      2,
      "",
      'promptpack: "empty.pack.json" cannot be drawn: the workflow has no states.\n',
    ]);
    const [code, stdout, stderr] = await graph("broken.pack.json");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^broken\.pack\.json:1:2: error: .*\[parse-error\]\n$/);
  });

  test.each([
    ["a guard", { a: { max_visits: "3", on_event: { Next: "b" } } }],
    ["the target of an event", { a: { on_event: { Next: "b", Again: 3 } } }],
    ["all events of a state", { a: { on_event: { Next: "b" } }, c: { on_event: ["b"] } }],
  ])("says on stderr that %s could not be read", async (_, states) => {
    const stdin = packOf({ ...states, b: { terminal: true } });
    for (const flags of [[], ["--no-findings"], ["-f", "json"]]) {
      const { code, stderr } = await promptpack(["graph", "-", ...flags], { stdin });
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr:
          'promptpack: Part of the workflow of "<stdin>" could not be read, so the picture may lack it: run "promptpack lint".\n',
      });
    }
  });

  test("says on stderr that a part is drawn", async () => {
    const states = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, index) => [`s${index}`, { on_event: { Next: `s${index + 1}` } }]),
    );
    const { code, stderr } = await promptpack(["graph", "-"], {
      stdin: packOf({ ...states, s1500: { terminal: true } }),
    });
    expect(code).toBe(0);
    expect(stderr).toBe(
      'promptpack: "<stdin>" is too large for one picture: 421 of 1501 states are drawn: the part around the findings.\n',
    );
  });
});

test.each([
  ["mermaid", "flowchart TD", "flowchart LR"],
  ["dot", "rankdir=TB", "rankdir=LR"],
])("--direction sets how %s is laid out, and auto takes what fits better", async (format, down, across) => {
  const drawnBy = async (...flags: readonly string[]) =>
    (await promptpack(["graph", "-", "-f", format, ...flags], { stdin: fanPack() })).stdout;
  expect(await drawnBy()).toContain(across);
  expect(await drawnBy("--direction", "auto")).toContain(across);
  expect(await drawnBy("--direction", "tb")).toContain(down);
  expect((await promptpack(["graph", "-", "-f", format], { stdin: small })).stdout).toContain(down);
});

test("what opens an address is a fixed program", () => {
  expect(browserOpener("linux", {})).toEqual(["xdg-open"]);
  expect(browserOpener("darwin", {})).toEqual(["/usr/bin/open"]);
  expect(browserOpener("win32", { SystemRoot: "D:\\Win" })).toEqual([
    "D:\\Win\\System32\\rundll32.exe",
    "url.dll,FileProtocolHandler",
  ]);
  expect(browserOpener("win32", {})[0]).toBe("C:\\Windows\\System32\\rundll32.exe");
});

describe.skipIf(["win32", "darwin"].includes(process.platform))("promptpack graph --open", () => {
  /** A folder with a pack, and a program in place of the browser, which notes what it opens. */
  function folderWithBrowser(status = 0) {
    const cwd = folderOf({
      "small pack.yaml": packOf({ a: { on_event: { Go: "b" } }, b: { terminal: true } }),
      "bin/xdg-open": `#!/bin/sh\necho "$@" > "$NOTE"\nexit ${status}\n`,
    });
    chmodSync(join(cwd, "bin/xdg-open"), 0o755);
    const note = join(cwd, "opened");
    const opened = () => readFileSync(note, "utf8").trim();
    return { surround: { cwd, env: { PATH: join(cwd, "bin"), NOTE: note } }, cwd, opened };
  }

  test("opens a page that only the user can read", async () => {
    const { surround, opened } = folderWithBrowser();
    const ran = await promptpack(["graph", "small pack.yaml", "--open"], surround);
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
    const page = fileURLToPath(opened());
    expect(readFileSync(page, "utf8")).toMatch(/^<!doctype html>/);
    expect(statSync(dirname(page)).mode & 0o777).toBe(0o700);
    rmSync(dirname(page), { recursive: true });
  });

  test("opens the file of --output", async () => {
    const { surround, cwd, opened } = folderWithBrowser();
    const { code } = await promptpack(["graph", "small pack.yaml", "--open", "-o", "a b.html"], surround);
    expect(code).toBe(0);
    expect(opened()).toBe(pathToFileURL(join(cwd, "a b.html")).href);
  });

  test.each([
    ["fails", 3, {}],
    ["is missing", 0, { PATH: "/nowhere" }],
  ])("says where the page is if the program %s", async (_, status, env) => {
    const { surround, cwd } = folderWithBrowser(status);
    const args = ["graph", "small pack.yaml", "--open", "-o", "a.html"];
    expect(await promptpack(args, { ...surround, env: { ...surround.env, ...env } })).toEqual({
      code: 2,
      stdout: "",
      stderr: `promptpack: No browser could be started: open "${join(cwd, "a.html")}" yourself.\n`,
    });
    expect(readFileSync(join(cwd, "a.html"), "utf8")).toMatch(/^<!doctype html>/);
  });

  test("opens nothing if the pack cannot be drawn", async () => {
    const { surround, opened } = folderWithBrowser();
    const { code } = await promptpack(["graph", "-", "--open"], { ...surround, stdin: "{" });
    expect(code).toBe(2);
    expect(opened).toThrow("ENOENT");
  });
});
