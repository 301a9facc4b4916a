import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { toolInfo } from "../../src/text/tool-info.js";
import { folderOf, promptpack } from "./harness.js";
import { clean } from "./packs.js";
import { cleanProject, inFolder, withChange } from "./projects.js";

const created = ["--created-at", "2026-11-19T12:00:00Z"];
const broken = withChange("arena.yaml", "Booked: done", "Booked: dne");
const read = (cwd: string, name: string) => readFileSync(join(cwd, name), "utf8");

interface Compiled {
  readonly id: string;
  readonly name: string;
  readonly compilation: Readonly<Record<string, string>>;
}
const parse = (text: string) => JSON.parse(text) as Compiled;

/** What stops it before it does anything. */
const refused = (message: string) => ({ code: 2, stdout: "", stderr: `promptpack: ${message}\n` });

describe("compile", () => {
  it("prints the pack of the only project below the folder, as JSON", async () => {
    const cwd = folderOf(inFolder("Repair desk, No. 1!", cleanProject));
    const { code, stdout, stderr } = await promptpack(["compile", ...created], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const pack = parse(stdout);
    expect(stdout).toBe(`${JSON.stringify(pack, null, 2)}\n`);
    expect(pack).toEqual({
      $schema: "https://promptpack.org/schema/latest/promptpack.schema.json",
      id: "repair-desk-no-1",
      name: "repair-desk-no-1",
      version: "v1.0.0",
      description: "Pack containing 2 prompts",
      template_engine: { version: "v1", syntax: "{{variable}}", features: ["basic_substitution"] },
      prompts: {
        book: expect.objectContaining({ id: "book", name: "Book", tools: ["find_slot"] }) as unknown,
        listen: expect.objectContaining({ id: "listen", name: "Listen", version: "1.0.0" }) as unknown,
      },
      tools: {
        find_slot: {
          name: "find_slot",
          description: "Lists the free times of a day",
          parameters: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
        },
      },
      compilation: {
        compiled_with: `promptpack-${toolInfo.version}`,
        created_at: "2026-11-19T12:00:00Z",
        schema: "v1",
      },
      workflow: {
        version: 2,
        entry: "listen",
        states: {
          book: { prompt_task: "book", on_event: { Booked: "done" } },
          done: { prompt_task: "book", terminal: true },
          listen: { prompt_task: "listen", on_event: { Described: "book" } },
        },
      },
    });
    expect(lint(stdout).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("takes a head of any name, a folder, or a file that a head names", async () => {
    const { "arena.yaml": head, ...rest } = cleanProject;
    const cwd = folderOf({
      ...inFolder("a", { ...rest, "desk.yml": head ?? "" }),
      ...inFolder("b", cleanProject),
    });
    for (const path of ["a/desk.yml", "b", "b/arena.yaml", "b/prompts/book.yaml"]) {
      const { code, stdout } = await promptpack(["compile", path], { cwd });
      expect([path, code, parse(stdout).id]).toEqual([path, 0, path.slice(0, 1)]);
    }
  });

  it("escapes what cannot be seen, and masks nothing", async () => {
    const odd = `\u202e AKIA${"ABCDEFGHIJKLMNOP"}`;
    const cwd = folderOf(withChange("prompts/book.yaml", "Booked when", odd));
    const { stdout } = await promptpack(["compile"], { cwd });
    expect(stdout).toContain(String.raw`Emit \u202e AKIA`);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(odd);
  });

  it("--id names the pack", async () => {
    const { stdout } = await promptpack(["compile", "--id", "bikes"], { cwd: folderOf(cleanProject) });
    expect(parse(stdout)).toMatchObject({ id: "bikes", name: "bikes" });
  });

  it("--output writes a file, and - prints", async () => {
    const cwd = folderOf(cleanProject);
    const printed = await promptpack(["compile", "-o", "-", ...created], { cwd });
    const args = ["compile", "arena.yaml", "--output", "dist/new/repair.pack.json", ...created];
    expect(await promptpack(args, { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(read(cwd, "dist/new/repair.pack.json")).toBe(printed.stdout);
    expect(await promptpack(args, { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("the time in a compiled pack", () => {
  const timeOf = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    parse((await promptpack(["compile", ...args], { cwd: folderOf(cleanProject), env })).stdout).compilation[
      "created_at"
    ];

  it("is that of --created-at, or SOURCE_DATE_EPOCH, or now", async () => {
    const env = { SOURCE_DATE_EPOCH: "1000000000" };
    expect(await timeOf(["--created-at", "2026-01-31"], env)).toBe("2026-01-31");
    expect(await timeOf([], env)).toBe("2001-09-09T01:46:40Z");
    const now = await timeOf([], { SOURCE_DATE_EPOCH: "" });
    expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Math.abs(Date.parse(now ?? "") - Date.now())).toBeLessThan(600_000);
  });

  it.each(["yesterday", "2026", "2026-13-01", "2026-01-31 12:00", ""])("is not %j", async (time) => {
    const cwd = folderOf(cleanProject);
    expect(await promptpack(["compile", `--created-at=${time}`], { cwd })).toEqual(
      refused(`"--created-at" needs a time such as "2026-01-31T12:00:00Z", not "${time}".`),
    );
  });

  it("is not an epoch that is no number", async () => {
    const env = { SOURCE_DATE_EPOCH: "soon" };
    expect(await promptpack(["compile"], { cwd: folderOf(cleanProject), env })).toEqual(
      refused('SOURCE_DATE_EPOCH must be a number of seconds, not "soon".'),
    );
  });
});

describe("compile --check", () => {
  const check = (cwd: string, ...more: readonly string[]) =>
    promptpack(["compile", "arena.yaml", "--check", "my.pack.json", ...more], { cwd });
  const upToDate = { code: 0, stdout: "", stderr: "" };

  async function compiled(files: Readonly<Record<string, string>> = cleanProject) {
    const cwd = folderOf(inFolder("desk", files));
    await promptpack(["compile", "-o", "my.pack.json", ...created], { cwd: join(cwd, "desk") });
    return { cwd: join(cwd, "desk"), pack: parse(read(cwd, "desk/my.pack.json")) };
  }

  it("says nothing where the content is the same, whatever the id, the name and the time", async () => {
    const { cwd, pack } = await compiled();
    expect(await check(cwd)).toEqual(upToDate);
    const other = { ...pack, id: "x", name: "X", compilation: { compiled_with: "packc-v2" } };
    const absent = { evals: [], fragments: {}, metadata: { domain: "" } };
    const same = folderOf({ ...cleanProject, "my.pack.json": JSON.stringify({ ...other, ...absent }) });
    expect(await check(same)).toEqual(upToDate);
  });

  it("prints the differences of content and fails", async () => {
    const { cwd, pack } = await compiled();
    const differing = {
      ...pack,
      description: "Mine",
      metadata: { domain: "bikes" },
      tools: { find_slot: { name: "find_slot" }, "a/b~": { name: "a/b~" } },
    };
    const changed = folderOf({ ...cleanProject, "my.pack.json": JSON.stringify(differing) });
    expect(await check(changed)).toEqual({
      code: 1,
      stdout:
        "/description differs\n" +
        "/tools/find_slot/description is not in the pack\n" +
        "/tools/find_slot/parameters is not in the pack\n" +
        "/tools/a~1b~0 is only in the pack\n" +
        "/metadata is only in the pack\n",
      stderr:
        'promptpack: "my.pack.json" is out of date: run "promptpack compile arena.yaml -o my.pack.json --id desk".\n',
    });
    expect(JSON.parse(read(changed, "my.pack.json"))).toEqual(differing);
    expect(await check(cwd)).toEqual(upToDate);
  });

  it("names the command that brings it up to date and keeps its id", async () => {
    const { cwd, pack } = await compiled();
    const run = async (id: unknown, head: string) => {
      const text = JSON.stringify({ ...pack, id, description: "old" });
      const folder = folderOf(
        inFolder("desk", { ...cleanProject, [head]: cleanProject["arena.yaml"] ?? "", "my.pack.json": text }),
      );
      const args = ["compile", head, "--check", "my.pack.json"];
      return (await promptpack(args, { cwd: join(folder, "desk") })).stderr;
    };
    const command = (words: string) =>
      `promptpack: "my.pack.json" is out of date: run "promptpack compile ${words}".\n`;
    expect(await run("desk", "arena.yaml")).toBe(command("arena.yaml -o my.pack.json"));
    expect(await run("bikes", "arena.yaml")).toBe(command("arena.yaml -o my.pack.json --id bikes"));
    expect(await run("my bikes", "it's an arena.yaml")).toBe(
      command(`'it'\\''s an arena.yaml' -o my.pack.json --id 'my bikes'`),
    );
    expect(await run(7, "arena.yaml")).toBe(command("arena.yaml -o my.pack.json"));
    expect(existsSync(join(cwd, "my.pack.json"))).toBe(true);
  });

  it("ends a long list", async () => {
    const { pack } = await compiled();
    const more = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`t${index}`, { name: "t" }]));
    const cwd = folderOf({ ...cleanProject, "my.pack.json": JSON.stringify({ ...pack, evals: more }) });
    const long = folderOf({ ...cleanProject, "my.pack.json": JSON.stringify({ ...pack, tools: more }) });
    expect((await check(cwd)).stdout).toBe("/evals is only in the pack\n");
    const lines = (await check(long)).stdout.split("\n");
    expect([lines.length, lines.at(0), lines.at(-2)]).toEqual([
      22,
      "/tools/find_slot is not in the pack",
      "and 11 more",
    ]);
  });

  it.each([
    ["a text", "a pack", '"my.pack.json" is not a pack in JSON, as the compiler writes it.'],
    ...["null", "[]", "7", "{}"].map((text) => [
      text,
      text,
      '"my.pack.json" is not a pack in JSON, as the compiler writes it.',
    ]),
    ["YAML", "id: x", '"my.pack.json" is not a pack in JSON, as the compiler writes it.'],
  ])("refuses %s", async (_, text, message) => {
    expect(await check(folderOf({ ...cleanProject, "my.pack.json": text }))).toEqual(refused(message));
  });

  it("refuses what is missing, and to write", async () => {
    const cwd = folderOf(cleanProject);
    expect(await check(cwd)).toEqual(refused('"my.pack.json" does not exist.'));
    expect(await check(cwd, "-o", "x.json")).toEqual(
      refused('"--check" writes nothing, so it cannot be used with "--output".'),
    );
  });

  it("says so where all is missing", async () => {
    const cwd = folderOf({ ...cleanProject, "my.pack.json": '{ "id": "desk", "prompts": {} }' });
    expect(await check(cwd)).toMatchObject({ code: 1, stdout: "The content is not in the pack\n" });
  });
});

describe("compile refuses", () => {
  const finding =
    'arena.yaml:26:19: error: State "book" sends Booked to "dne", which is not a state. Did you mean "done"? [unknown-event-target]\n';

  it("sources with errors, unless --force is given", async () => {
    const cwd = folderOf(broken);
    const args = ["compile", "-o", "my.pack.json"];
    expect(await promptpack(args, { cwd })).toEqual({
      code: 1,
      stdout: "",
      stderr: `${finding}promptpack: "arena.yaml" was not compiled: there is 1 error. "--force" compiles it anyway.\n`,
    });
    expect(existsSync(join(cwd, "my.pack.json"))).toBe(false);
    expect(await promptpack([...args, "--force"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(read(cwd, "my.pack.json")).toContain('"Booked": "dne"');
    const check = await promptpack(["compile", "--check", "my.pack.json"], { cwd });
    expect(check).toMatchObject({ code: 1, stdout: "" });
    expect(await promptpack(["compile", "--check", "my.pack.json", "--force"], { cwd })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });

  it("no errors that a comment or the config silences", async () => {
    const config = { "promptpack.config.yaml": "rules: { unknown-event-target: off }\n" };
    expect((await promptpack(["compile"], { cwd: folderOf({ ...broken, ...config }) })).code).toBe(0);
    const comment = broken["arena.yaml"]?.replace(
      "Booked: dne",
      "$& # promptpack-disable-line unknown-event-target -- soon",
    );
    expect(
      (await promptpack(["compile"], { cwd: folderOf({ ...broken, "arena.yaml": comment ?? "" }) })).code,
    ).toBe(0);
  });

  it("a project with a file that cannot be read", async () => {
    const files = withChange("tools/find-slot.yaml", "required: [day]", "required: [day");
    expect(await promptpack(["compile"], { cwd: folderOf(files) })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        'tools/find-slot.yaml:13:3: error: A bracket is still open here; close it with "]" or indent this line further. [parse-error]\n' +
        'promptpack: "arena.yaml" was not compiled: there is 1 error. "--force" compiles it anyway.\n',
    });
  });

  it("a head that cannot be read", async () => {
    const cwd = folderOf({ ...cleanProject, "arena.yaml": `${cleanProject["arena.yaml"] ?? ""}  x: [\n` });
    const { code, stdout, stderr } = await promptpack(["compile"], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^arena\.yaml:\d+:\d+: error: .* \[parse-error\]\n/);
  });

  it("to choose one of several projects", async () => {
    const cwd = folderOf({ ...inFolder("a", cleanProject), ...inFolder("b", cleanProject) });
    const message = 'There are several projects ("a/arena.yaml" and "b/arena.yaml"): name the head of one.';
    for (const path of [[], ["."]])
      expect(await promptpack(["compile", ...path], { cwd })).toEqual(refused(message));
    const shared = folderOf({ ...cleanProject, "b.arena.yaml": cleanProject["arena.yaml"] ?? "" });
    expect(await promptpack(["compile", "prompts/book.yaml"], { cwd: shared })).toEqual(
      refused(
        '"prompts/book.yaml" is a part of several projects ("arena.yaml" and "b.arena.yaml"): name the head of one.',
      ),
    );
  });

  it.each([
    ["nothing", {}, [], "No pack was found below the working folder."],
    [
      "a pack alone",
      { "a.pack.json": clean },
      [],
      "No head (kind: Arena) of a project was found below the working folder.",
    ],
    [
      "a folder with a pack alone",
      { "x/a.pack.json": clean },
      ["x"],
      'No head (kind: Arena) of a project was found in "x".',
    ],
    [
      "a pack",
      { "a.pack.json": clean },
      ["a.pack.json"],
      '"a.pack.json" is not the head (kind: Arena) of a project.',
    ],
    [
      "a missing file",
      cleanProject,
      ["arenas.yaml"],
      '"arenas.yaml" does not exist. Did you mean "arena.yaml"?',
    ],
    [
      "standard input",
      cleanProject,
      ["-"],
      "A head names files beside it, so it cannot be read from standard input.",
    ],
    [
      "a prompt that no head lists",
      { "book.yaml": cleanProject["prompts/book.yaml"] ?? "" },
      ["book.yaml"],
      '"book.yaml" is a source that no head lists: name the head of its project.',
    ],
    [
      "a head that names a compiled pack",
      {
        ...withChange("arena.yaml", "  workflow:", "  pack_file: dist/a.json\n  workflow:"),
        "dist/a.json": clean,
      },
      [],
      '"arena.yaml" names a compiled pack, so there is nothing to compile.',
    ],
  ])("%s", async (_, files, args, message) => {
    expect(await promptpack(["compile", ...args], { cwd: folderOf(files) })).toEqual(refused(message));
  });

  it("to write over a source, also through a link", async () => {
    const cwd = folderOf(cleanProject);
    symlinkSync("prompts/book.yaml", join(cwd, "link.json"));
    for (const name of ["arena.yaml", "prompts/book.yaml", "tools/../scenarios/flat-tyre.yaml", "link.json"])
      expect(await promptpack(["compile", "-o", name], { cwd })).toEqual(
        refused(`"${name}" is a source of the pack: choose another file.`),
      );
    expect(read(cwd, "prompts/book.yaml")).toBe(cleanProject["prompts/book.yaml"]);
  });

  it("to write where it cannot", async () => {
    const cwd = folderOf(cleanProject);
    const { code, stderr } = await promptpack(["compile", "-o", "arena.yaml/x.json"], { cwd });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'promptpack: "arena.yaml/x.json" cannot be written: not a directory.\n',
    });
  });

  it.each([
    ["--max-size", "100"],
    ["--max-depth", "2"],
    ["--max-values", "3"],
  ])("what exceeds %s %s", async (flag, limit) => {
    const { code, stdout } = await promptpack(["compile", "arena.yaml", flag, limit], {
      cwd: folderOf(cleanProject),
    });
    expect({ stdout, failed: code > 0 }).toEqual({ stdout: "", failed: true });
  });

  it("more aliases than --max-alias-nodes", async () => {
    const files = withChange(
      "tools/find-slot.yaml",
      "day: { type: string }",
      "day: &day { type: string }\n      night: *day",
    );
    expect((await promptpack(["compile"], { cwd: folderOf(files) })).code).toBe(0);
    const { code, stderr } = await promptpack(["compile", "--max-alias-nodes", "0"], {
      cwd: folderOf(files),
    });
    expect(code).toBe(1);
    expect(stderr).toContain("--max-alias-nodes");
  });
});

it("makes a pack in which diff finds no change", async () => {
  const cwd = folderOf(cleanProject);
  await promptpack(["compile", "-o", "out/repair.pack.json"], { cwd });
  const same = { code: 0, stdout: "✔ No changes.\n", stderr: "" };
  expect(await promptpack(["diff", "arena.yaml", "out/repair.pack.json"], { cwd })).toEqual(same);
  expect(await promptpack(["diff", "out/repair.pack.json", "arena.yaml"], { cwd })).toEqual(same);
});
