import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean, cleanPack, oddEvent, promptAsEntry, promptOfTwoAsEntry } from "./packs.js";
import { Repository } from "./repository.js";

const lint = (cwd: string, ...args: string[]) =>
  promptpack(["lint", "-f", "compact", "--baseline", "base.json", ...args], { cwd });

const rulesIn = (stdout: string) => [...stdout.matchAll(/\[(.*)\]$/gm)].map(([, rule]) => rule);

/** A pack whose state `hello` sends these events to states that do not exist. */
function dangling(events: readonly string[], before: object = {}): string {
  const pack = cleanPack();
  const on_event = Object.fromEntries([["Done", "end"], ...events.map((event) => [event, `no${event}`])]);
  const system_template = `Emit Done ${events.join(" ")}.`;
  const prompts = { ...pack.prompts, greet: { ...pack.prompts.greet, system_template } };
  const states = { ...pack.workflow.states, hello: { prompt_task: "greet", on_event } };
  return JSON.stringify({ ...before, ...pack, prompts, workflow: { ...pack.workflow, states } }, null, 2);
}

it("knows a mistake that aliases repeat by the place where it is written", async () => {
  const pack = (...others: readonly string[]) =>
    ["prompts: { a: {} }", "workflow:", "  states:", "    s: { prompt_task: &x no }"]
      .concat(others.map((name) => `    ${name}: { prompt_task: *x }`))
      .join("\n");
  const cwd = folderOf({ "a.pack.yaml": pack("t") });
  const only = ["--rule", "schema:off"];
  await lint(cwd, ...only, "--update-baseline");
  expect(readFileSync(join(cwd, "base.json"), "utf8").match(/unknown-prompt-task/g)).toHaveLength(1);
  writeFileSync(join(cwd, "a.pack.yaml"), pack("t", "u"));
  expect((await lint(cwd, ...only)).stdout).not.toContain("unknown-prompt-task");
});

it("remembers the findings there are, and is silent about them", async () => {
  const cwd = folderOf({ "a.pack.json": badEntry, "b.pack.json": oddEvent });
  expect(await lint(cwd, "--update-baseline")).toEqual({
    code: 0,
    stdout: "",
    stderr: "promptpack: The baseline now records 2 findings.\n",
  });
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
  const text = readFileSync(join(cwd, "base.json"), "utf8");
  expect(JSON.parse(text)).toEqual({
    schemaVersion: 1,
    findings: [
      {
        file: "a.pack.json",
        rule: "unknown-entry",
        pointer: "/workflow/entry",
        fingerprint: expect.stringMatching(/^[0-9a-f]{20}$/) as string,
      },
      {
        file: "b.pack.json",
        rule: "event-name-case",
        pointer: "/workflow/states/hello/on_event/done",
        fingerprint: expect.stringMatching(/^[0-9a-f]{20}$/) as string,
      },
    ],
  });
  await lint(cwd, "--update-baseline");
  expect(readFileSync(join(cwd, "base.json"), "utf8")).toBe(text);
});

describe("items of a list that have no name", () => {
  const [length, words] = [
    { type: "length", enabled: "yes", params: { max: 9 } },
    { type: "banned_words", enabled: true, params: { words: ["oh"] } },
  ];
  const models = [
    { provider: "p", model: "m", date: 1 },
    { provider: "p", model: "n", date: "2026-01-01" },
  ];
  const pack = (validators: readonly object[], tested_models: readonly object[]): string => {
    const { prompts, ...rest } = cleanPack();
    return JSON.stringify({
      ...rest,
      prompts: { ...prompts, bye: { ...prompts.bye, validators, tested_models } },
    });
  };

  it("are known wherever they move", async () => {
    const cwd = folderOf({ "a.pack.json": pack([length], models) });
    expect((await lint(cwd, "--update-baseline")).stderr).toContain("now records 2 findings");
    writeFileSync(join(cwd, "a.pack.json"), pack([words, length], models.toReversed()));
    expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
    writeFileSync(join(cwd, "a.pack.json"), pack([{ ...words, enabled: "yes" }, length], models));
    expect(rulesIn((await lint(cwd)).stdout)).toEqual(["schema"]);
  });
});

it.runIf(process.platform !== "win32")("keeps the mode of its file, as reports do", async () => {
  const names = ["base.json", "report.json"];
  const cwd = folderOf({ "a.pack.json": badEntry });
  const write = () => lint(cwd, "--update-baseline", "-f", "json=report.json");
  await write();
  for (const name of names) chmodSync(join(cwd, name), 0o600);
  await write();
  for (const name of names) expect(statSync(join(cwd, name)).mode & 0o777).toBe(0o600);
});

it("knows a file by its own name and by the names of links to it", async () => {
  const cwd = folderOf({ "sub/a.pack.json": badEntry });
  symlinkSync("sub/a.pack.json", join(cwd, "link.pack.json"));
  const [link, own] = ["link.pack.json", "sub/a.pack.json"];
  const filesIn = () =>
    [...readFileSync(join(cwd, "base.json"), "utf8").matchAll(/"file": "(.*)"/g)].map(([, file]) => file);
  const silence = { code: 0, stdout: "", stderr: "" };
  for (const [before, after] of [
    [link, own],
    [own, link],
  ]) {
    await lint(cwd, before ?? "", "--update-baseline");
    expect(filesIn()).toEqual([before]);
    expect(await lint(cwd, after ?? "")).toEqual(silence);
    expect(await lint(cwd)).toEqual(silence);
    await lint(cwd, "--update-baseline");
    expect(filesIn()).toEqual([own]);
    rmSync(join(cwd, "base.json"));
  }
  await lint(cwd, link ?? "", "--update-baseline");
  writeFileSync(join(cwd, "sub", "a.pack.json"), clean);
  expect(rulesIn((await lint(cwd)).stdout)).toEqual(["unused-suppression"]);
});

it("lists what it remembers by rule and place, wherever that stands in the file", async () => {
  const cwd = folderOf({ "a.pack.json": dangling(["zulu", "Alpha"]) });
  await lint(cwd, "--update-baseline");
  const { findings } = JSON.parse(readFileSync(join(cwd, "base.json"), "utf8")) as {
    findings: { rule: string; pointer: string }[];
  };
  expect(findings.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
    "event-name-case /workflow/states/hello/on_event/zulu",
    "unknown-event-target /workflow/states/hello/on_event/Alpha",
    "unknown-event-target /workflow/states/hello/on_event/zulu",
  ]);
});

it("knows a finding again that moved", async () => {
  const cwd = folderOf({ "a.pack.json": dangling(["One"]) });
  await lint(cwd, "--update-baseline");
  writeFileSync(join(cwd, "a.pack.json"), dangling(["One"], { description: "Moves all lines." }));
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("knows a finding again that names the same in another order", async () => {
  const ending = (on_event: object) => {
    const pack = cleanPack();
    const end = { ...pack.workflow.states.end, on_event };
    return JSON.stringify({
      ...pack,
      workflow: { ...pack.workflow, states: { ...pack.workflow.states, end } },
    });
  };
  const cwd = folderOf({ "a.pack.json": ending({ One: "hello", Two: "hello" }) });
  await lint(cwd, "--update-baseline");
  expect(readFileSync(join(cwd, "base.json"), "utf8")).toContain("terminal-with-transitions");
  writeFileSync(join(cwd, "a.pack.json"), ending({ Two: "hello", One: "hello" }));
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("knows a finding again that comes with other advice", async () => {
  const cwd = folderOf({ "a.pack.json": promptAsEntry });
  await lint(cwd, "--update-baseline");
  writeFileSync(join(cwd, "a.pack.json"), promptOfTwoAsEntry);
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("knows a state again that no run enters, wherever runs start", async () => {
  const { workflow, ...pack } = cleanPack();
  const { hello } = workflow.states;
  const states = { ...workflow.states, lost: hello };
  const door = { ...hello, on_event: { Done: "hello" } };
  const cwd = folderOf({ "a.pack.json": JSON.stringify({ ...pack, workflow: { ...workflow, states } }) });
  await lint(cwd, "--update-baseline");
  expect(readFileSync(join(cwd, "base.json"), "utf8")).toContain("unreachable-state");
  const later = { ...workflow, entry: "door", states: { ...states, door } };
  writeFileSync(join(cwd, "a.pack.json"), JSON.stringify({ ...pack, workflow: later }));
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("knows a comment again that was given a reason, as one without is told to", async () => {
  const cwd = folderOf({ "a.pack.yaml": `# promptpack-disable zzz\n${clean}` });
  await lint(cwd, "--update-baseline");
  writeFileSync(join(cwd, "a.pack.yaml"), `# promptpack-disable zzz -- meant\n${clean}`);
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("is not fooled by fixing one finding and adding another", async () => {
  const cwd = folderOf({ "a.pack.json": dangling(["One"]) });
  await lint(cwd, "--update-baseline");
  writeFileSync(join(cwd, "a.pack.json"), dangling(["Two"]));
  const { code, stdout } = await lint(cwd);
  expect({
    code,
    rules: [...stdout.matchAll(/^(.*?):.*\[(.*)\]$/gm)].map(([, file, rule]) => `${file} ${rule}`),
  }).toEqual({
    code: 1,
    rules: ["a.pack.json unknown-event-target"],
  });
});

it("is not fooled by ending one loop and closing another at the same state", async () => {
  const looping = (home: string, away: string) => {
    const pack = cleanPack();
    const greet = { ...pack.prompts.greet, system_template: "Emit Go, Other, Back or Done." };
    const states = {
      start: { prompt_task: "greet", on_event: { Go: "left", Other: "right", Done: "end" } },
      [home]: { prompt_task: "greet", on_event: { Back: "start", Done: "end" } },
      [away]: { prompt_task: "greet", on_event: { Done: "end" } },
      end: pack.workflow.states.end,
    };
    const workflow = { ...pack.workflow, entry: "start", states };
    return JSON.stringify({ ...pack, prompts: { ...pack.prompts, greet }, workflow });
  };
  const cwd = folderOf({ "a.pack.json": looping("left", "right") });
  await lint(cwd, "--update-baseline");
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
  writeFileSync(join(cwd, "a.pack.json"), looping("right", "left"));
  expect(rulesIn((await lint(cwd)).stdout)).toEqual(["unbounded-loop", "unused-suppression"]);
});

it("lets one finding that is known excuse no second of its kind", async () => {
  const withFaults = (number: number) =>
    clean.replace("Greet the user", `Greet the user${" {{}}".repeat(number)}`);
  const cwd = folderOf({ "a.pack.json": withFaults(1) });
  await lint(cwd, "--update-baseline");
  writeFileSync(join(cwd, "a.pack.json"), withFaults(3));
  expect(rulesIn((await lint(cwd)).stdout)).toEqual(["template-syntax", "template-syntax"]);
  expect((await lint(cwd, "--update-baseline")).stderr).toContain("now records 3 findings");
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("reports what nothing answers to any more, in the baseline file", async () => {
  const cwd = folderOf({ "a.pack.json": badEntry });
  await lint(cwd, "--update-baseline");
  writeFileSync(join(cwd, "a.pack.json"), clean);
  expect(await lint(cwd)).toEqual({
    code: 0,
    stdout:
      'base.json:4:5: warning: "a.pack.json" no longer has this "unknown-entry" finding: "--update-baseline" removes the entry. [unused-suppression]\n',
    stderr: "",
  });
  await lint(cwd, "--update-baseline");
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("reports a file that is gone once, in the baseline file", async () => {
  const cwd = folderOf({ "a.pack.json": badEntry, "b.pack.json": badEntry.replace('"Done":', '"done":') });
  await lint(cwd, "--update-baseline");
  renameSync(join(cwd, "b.pack.json"), join(cwd, "c.pack.json"));
  expect(await lint(cwd, "a.pack.json")).toEqual({
    code: 0,
    stdout:
      'base.json:10:5: warning: The file "b.pack.json" no longer exists: "--update-baseline" removes its entries. [unused-suppression]\n',
    stderr: "",
  });
  expect((await lint(cwd, "a.pack.json", "--rule", "unused-suppression:off")).stdout).toBe("");
  await lint(cwd, "--update-baseline");
  expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("is not read, nor written over, where it is of another version", async () => {
  const later = '{ "schemaVersion": 2, "findings": [] }';
  const cwd = folderOf({ "a.pack.json": badEntry, "base.json": later });
  const stderr =
    'promptpack: "base.json" is a baseline of version 2, but this promptpack reads only version 1.\n';
  expect(await lint(cwd)).toEqual({ code: 2, stdout: "", stderr });
  expect(await lint(cwd, "--update-baseline")).toEqual({ code: 2, stdout: "", stderr });
  expect(readFileSync(join(cwd, "base.json"), "utf8")).toBe(later);
});

it("knows the items of a list by their names, wherever they stand", async () => {
  const withTools = (tools: readonly string[]) => {
    const pack = cleanPack();
    const variables = tools.map((name) => ({ name, type: "string", required: "yes" }));
    return JSON.stringify({
      ...pack,
      prompts: { ...pack.prompts, greet: { ...pack.prompts.greet, variables } },
    });
  };
  const cwd = folderOf({ "a.pack.json": withTools(["x"]) });
  await lint(cwd, "--update-baseline");
  writeFileSync(join(cwd, "a.pack.json"), withTools(["y", "x"]));
  const { stdout } = await promptpack(["lint", "-f", "json", "--baseline", "base.json"], { cwd });
  const { files } = JSON.parse(stdout) as { files: { diagnostics: { rule: string; pointer: string }[] }[] };
  const places = files.flatMap(({ diagnostics }) =>
    diagnostics.map(({ pointer }) => pointer.split("/").slice(0, 5).join("/")),
  );
  expect([...new Set(places)]).toEqual(["/prompts/greet/variables/0"]);
});

it("keeps what it knows of files that were not linted, and forgets files that are gone", async () => {
  const cwd = folderOf({ "a.pack.json": badEntry, "b.pack.json": badEntry });
  await lint(cwd, "--update-baseline");
  const { stderr } = await lint(cwd, "--update-baseline", "a.pack.json");
  expect(stderr).toBe("promptpack: The baseline now records 2 findings.\n");
  expect(await lint(cwd, "b.pack.json")).toEqual({ code: 0, stdout: "", stderr: "" });
  rmSync(join(cwd, "b.pack.json"));
  expect((await lint(cwd, "--update-baseline")).stderr).toBe(
    "promptpack: The baseline now records 1 finding.\n",
  );
});

it("keeps what it knows of files that a sparse checkout keeps from the disk", async () => {
  const repository = new Repository({ "x/a.pack.json": clean, "y/b.pack.json": badEntry });
  const { cwd } = repository;
  const silent = { code: 0, stdout: "", stderr: "" };
  await lint(cwd, "--update-baseline");
  const known = readFileSync(join(cwd, "base.json"), "utf8");
  repository.write({
    "promptpack.config.yaml": 'ignore: [{ file: y/b.pack.json, rule: dead-guard, pointer: "" }]\n',
  });
  repository.commit("adopt");
  repository.git("sparse-checkout", "set", "x");
  expect(existsSync(join(cwd, "y"))).toBe(false);
  expect(await lint(cwd)).toEqual(silent);
  await lint(cwd, "--update-baseline");
  expect(readFileSync(join(cwd, "base.json"), "utf8")).toBe(known);
  const other = join(folderOf({}), "tree");
  repository.git("worktree", "add", "--quiet", other);
  expect(existsSync(join(other, "y"))).toBe(false);
  expect(await lint(other)).toEqual(silent);
  repository.git("sparse-checkout", "disable");
  rmSync(join(cwd, "y"), { recursive: true });
  expect(rulesIn((await lint(cwd)).stdout)).toEqual(["unused-suppression", "unused-suppression"]);
});

describe("what cannot be found now", () => {
  const looping = (target: string) => {
    const pack = cleanPack();
    const on_event = { Done: "end", Again: target };
    const prompts = {
      ...pack.prompts,
      greet: { ...pack.prompts.greet, system_template: "Emit Done or Again." },
    };
    const states = { ...pack.workflow.states, hello: { prompt_task: "greet", on_event } };
    return JSON.stringify({ ...pack, prompts, workflow: { ...pack.workflow, states } });
  };

  it.each([
    ["a file that cannot be parsed", "{", [], 1],
    ["a file with a name that leads nowhere", looping("helo"), [], 2],
    ["a rule that is off", looping("hello"), ["--rule", "unbounded-loop:off"], 3],
  ])("is neither called stale nor forgotten: %s", async (_, text, args, size) => {
    const cwd = folderOf({ "a.pack.json": looping("hello") });
    expect((await lint(cwd, "--update-baseline")).stderr).toBe(
      "promptpack: The baseline now records 1 finding.\n",
    );
    writeFileSync(join(cwd, "a.pack.json"), text);
    expect((await lint(cwd, ...args)).stdout).not.toContain("unused-suppression");
    expect((await lint(cwd, "--update-baseline", ...args)).stderr).toBe(
      `promptpack: The baseline now records ${size === 1 ? "1 finding" : `${size} findings`}.\n`,
    );
    writeFileSync(join(cwd, "a.pack.json"), looping("hello"));
    expect((await lint(cwd)).stdout).not.toContain("unbounded-loop");
  });
});

it("is not written where something could not be linted", async () => {
  const cwd = folderOf({ "a.pack.json": badEntry });
  const refused = async (...args: string[]) => {
    const { code, stderr } = await lint(cwd, "--update-baseline", ...args);
    expect({ code, stderr: stderr.split("\n").slice(1) }).toEqual({
      code: 2,
      stderr: ["promptpack: The baseline was not updated: not everything could be linted.", ""],
    });
  };
  await refused("nope", "a.pack.json");
  expect(existsSync(join(cwd, "base.json"))).toBe(false);
  await lint(cwd, "--update-baseline");
  const text = readFileSync(join(cwd, "base.json"), "utf8");
  await refused("nope");
  writeFileSync(join(cwd, "a.pack.json"), oddEvent);
  await refused("nope", "a.pack.json");
  expect(readFileSync(join(cwd, "base.json"), "utf8")).toBe(text);
});

it("records standard input by the name that it is given, and not without one", async () => {
  const cwd = folderOf({});
  const args = ["lint", "-", "-f", "compact", "--baseline", "base.json"];
  expect(await promptpack([...args, "--update-baseline"], { cwd, stdin: badEntry })).toEqual({
    code: 2,
    stdout: "",
    stderr: 'promptpack: A baseline needs a name for standard input: add "--stdin-filename".\n',
  });
  expect(existsSync(join(cwd, "base.json"))).toBe(false);
  const named = [...args, "--stdin-filename", "a.pack.json"];
  await promptpack([...named, "--update-baseline"], { cwd, stdin: badEntry });
  expect(await promptpack(named, { cwd, stdin: badEntry })).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("never remembers a file that cannot be parsed", async () => {
  const cwd = folderOf({ "a.pack.json": "{" });
  const { code, stderr } = await lint(cwd, "--update-baseline");
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "promptpack: The baseline now records 0 findings.\n",
  });
});

it.each([
  [undefined, 'The baseline "base.json" does not exist. "--update-baseline" writes one.'],
  ["[]", 'base.json:1:1: The file holds a list. A baseline must be an object with a "findings" list.'],
  ["null", 'base.json:1:1: The file holds null. A baseline must be an object with a "findings" list.'],
  ["", 'base.json:1:1: The file is empty. A baseline must be an object with a "findings" list.'],
  ["{}", '"base.json" is not a baseline: it has no "findings" list.'],
  ['{ "findings": [\n  {} ] }', 'base.json:2:3: An entry needs "file", "rule", "pointer" and "fingerprint".'],
])("a baseline %j is exit 2", async (text, message) => {
  const cwd = folderOf({ "a.pack.json": clean, ...(text === undefined ? {} : { "base.json": text }) });
  expect(await lint(cwd)).toEqual({ code: 2, stdout: "", stderr: `promptpack: ${message}\n` });
  expect(existsSync(join(cwd, "base.json"))).toBe(text !== undefined);
});

it("does not promise to write a baseline where a folder lies", async () => {
  const cwd = folderOf({ "a.pack.json": clean, "base.json/x": "" });
  for (const flags of [[], ["--update-baseline"]]) {
    expect(await lint(cwd, ...flags)).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: The baseline "base.json" is a folder.\n',
    });
  }
});

it("does not write a baseline to a name that ends in a slash", async () => {
  const cwd = folderOf({ "a.pack.json": clean });
  const { code, stderr } = await promptpack(["lint", "--baseline", "base/", "--update-baseline"], { cwd });
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'promptpack: The baseline "base/" is a folder.\n' });
  expect(existsSync(join(cwd, "base"))).toBe(false);
});
