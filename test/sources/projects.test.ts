import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";
import { expectFile } from "../expected-file.js";

const folder = "fixtures/projects";

/** The heads of each project. A search does not look for heads in JSON. */
const projects: Readonly<Record<string, readonly string[]>> = {
  bakery: ["config.arena.yaml"],
  ferry: ["harbour/arena.yaml", "island/arena.yaml"],
  library: ["library.arena.json"],
  notices: ["notices.arena.yaml"],
  orchard: ["arena.yaml"],
  press: ["config.arena.yaml"],
};

interface Place {
  readonly file?: string;
  readonly pointer: string;
  readonly range: { readonly start: { readonly line: number; readonly column: number } };
}

interface Found extends Place {
  readonly rule: string;
  readonly severity: string;
  readonly packPointer?: string;
  readonly project?: string;
  readonly related?: readonly Place[];
  readonly data?: { readonly projects?: readonly string[] };
}

interface Report {
  readonly files: readonly { readonly file: string; readonly diagnostics: readonly Found[] }[];
}

const placeText = ({ file, pointer, range: { start } }: Place): string =>
  `${file ?? "here"} ${start.line}:${start.column} ${pointer}`;

/** Where everything is, without the messages, which tests of the rules compare. */
function placesIn({ files }: Report): unknown {
  return files.map(({ file, diagnostics }) => ({
    file,
    findings: diagnostics.map(({ rule, severity, packPointer, project, related = [], data, ...place }) => ({
      [`${severity} ${rule}`]: placeText({ ...place, file }),
      packPointer,
      project,
      projects: data?.projects,
      related: related.length > 0 ? related.map(placeText) : undefined,
    })),
  }));
}

async function lintPlaces(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await promptpack(["lint", "-f", "json", "--no-config", ...args], { cwd });
  return { code, stderr, places: placesIn(JSON.parse(stdout) as Report) };
}

const compile = (cwd: string, head: string, ...args: readonly string[]) =>
  promptpack(["compile", head, "--created-at", "2026-01-31T12:00:00Z", ...args], { cwd });

describe("the projects in fixtures", () => {
  it("are all tested", () => {
    const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(projects));
  });

  it.each(Object.entries(projects))("%s has exactly the expected findings", async (name, heads) => {
    const { code, stderr, places } = await lintPlaces(join(folder, name), ...heads);
    const report = { code, stderr, files: places };
    expectFile(join(folder, `${name}.lint.json`), `${JSON.stringify(report, null, 2)}\n`);
  });

  it.each(["bakery", "library"])("%s is clean", async (name) => {
    const { code, places } = await lintPlaces(join(folder, name), ...(projects[name] ?? []));
    expect(code).toBe(0);
    const found = (places as readonly { readonly findings: readonly object[] }[]).flatMap(
      (file) => file.findings,
    );
    // An agent that begins to bake has no order.
    expect(found.filter((each) => !("info reading-unset" in each))).toEqual([]);
  });

  const heads = Object.entries(projects)
    .filter(([name]) => name !== "press")
    .flatMap(([name, all]) => all.map((head) => [name, head] as const));

  it.each(heads)("%s/%s compiles to the expected pack", async (name, head) => {
    const { code, stdout, stderr } = await compile(join(folder, name), head, "--force");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const where = head.includes("/") ? `${name}-${head.replace(/\/.*/u, "")}` : name;
    expectFile(
      join(folder, `${where}.compiled.json`),
      stdout.replace(/"promptpack-[^"]*"/u, '"promptpack-0"'),
    );
  });

  it.each(["bakery", "library"])("what %s compiles to is clean, and up to date", async (name) => {
    const files = folderOf({});
    cpSync(join(folder, name), files, { recursive: true });
    const [head = ""] = projects[name] ?? [];
    expect(await compile(files, head, "-o", "own.pack.json")).toEqual({ code: 0, stdout: "", stderr: "" });
    const flags = ["-f", "compact", "--rule", "reading-unset:off"];
    const linted = await promptpack(["lint", ...flags, "own.pack.json"], { cwd: files });
    expect(linted).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await compile(files, head, "--check", "own.pack.json")).toMatchObject({ code: 0, stdout: "" });
  });

  it("refuses to compile a broken project, and says where it is broken", async () => {
    const { code, stdout, stderr } = await compile(join(folder, "ferry"), "island/arena.yaml");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("shared/seats.tool.yaml:12:22: error: ");
  });

  it("names the projects that share a file with a finding", async () => {
    const { places } = await lintPlaces(join(folder, "ferry"), ".");
    const named = JSON.stringify(places).match(/"project":"[^"]*","projects":\["[^"]*"\]/gu);
    expect(new Set(named)).toEqual(
      new Set(['"project":"harbour/arena.yaml","projects":["island/arena.yaml"]']),
    );
  });
});

const shared = resolve("../shared/sources/examples");

describe.skipIf(!existsSync(shared))("real projects (only with ../shared)", () => {
  it.each([
    ["workflow-agent-loops", ["info unused-artifact"]],
    ["workflow-support", []],
  ])("%s has no findings but those it deserves", async (name, expected) => {
    const { stdout } = await promptpack(["lint", "-f", "json", "--no-config", "."], {
      cwd: join(shared, name),
    });
    const found = (JSON.parse(stdout) as Report).files.flatMap(({ diagnostics }) => diagnostics);
    expect(found.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(expected);
  });

  it("workflow-agent-loops compiles to its committed pack", async () => {
    const cwd = join(shared, "workflow-agent-loops");
    const committed = readFileSync(join(cwd, "workflow-agent-loops.pack.json"), "utf8");
    const { code, stdout } = await compile(cwd, "config.arena.yaml");
    expect(code).toBe(0);
    const content = (text: string): unknown => ({ ...(JSON.parse(text) as object), compilation: undefined });
    expect(content(stdout)).toEqual(content(committed));
    // Not only the content, but also the order of the keys.
    const lines = (text: string) =>
      text.split("\n").filter((line) => !/compiled_with|created_at/u.test(line));
    expect(lines(stdout.trimEnd())).toEqual(lines(committed.trimEnd()));
  });
});
