import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean } from "./packs.js";

const refusal = async (cwd: string, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await promptpack(args, { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  return stderr;
};

describe("refuses", () => {
  it("a report that would overwrite a pack, under any name", async () => {
    const cwd = folderOf({ "a.pack.json": clean, "b.txt": "" });
    symlinkSync("a.pack.json", join(cwd, "link.json"));
    const sentence = (name: string) =>
      `promptpack: "${name}" would be overwritten, but it is an input: choose another file.\n`;
    for (const name of ["a.pack.json", "./a.pack.json", "link.json"]) {
      expect(await refusal(cwd, "lint", "-f", `json=${name}`, "a.pack.json")).toBe(sentence(name));
      expect(await refusal(cwd, "graph", "a.pack.json", "-o", name)).toBe(sentence(name));
    }
    expect(readFileSync(join(cwd, "a.pack.json"), "utf8")).toBe(clean);
    expect((await promptpack(["lint", "-f", "json=b.txt"], { cwd })).code).toBe(0);
  });

  it("a report that would overwrite a config or a baseline", async () => {
    const baseline = '{ "schemaVersion": 1, "findings": [] }';
    const files = {
      "sub/a.pack.json": clean,
      "promptpack.config.yaml": "extends: strict\n",
      "c.yaml": "extends: spec\n",
      "bl.json": baseline,
    };
    const cwd = folderOf(files);
    symlinkSync("bl.json", join(cwd, "link.json"));
    for (const [output, ...args] of [
      ["bl.json", "--baseline", "bl.json"],
      ["link.json", "--baseline", "./bl.json"],
      ["bl.json", "--baseline", "link.json", "--update-baseline"],
      ["c.yaml", "-c", "c.yaml"],
      ["promptpack.config.yaml"],
      ["promptpack.config.yaml", "-", "--stdin-filename", "sub/b.yaml"],
    ] as const) {
      expect(await refusal(cwd, "lint", "-f", `json=${output}`, ...args)).toBe(
        `promptpack: "${output}" would be overwritten, but it is an input: choose another file.\n`,
      );
    }
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(cwd, name), "utf8")).toBe(text);
    expect((await promptpack(["lint", "-f", "json=c.yaml"], { cwd })).code).toBe(0);
  });

  it("a report that would overwrite a record, or what it is checked against", async () => {
    const example = (name: string) => readFileSync(`fixtures/agentic/worked-example/mended.${name}`, "utf8");
    const files = {
      "a.json": clean,
      "run.jsonl": '{"record":"start","schemaVersion":1,"state":"hello"}\n',
      "events.jsonl": example("jsonl"),
      "conf/pipelines.yaml": example("routes.yaml").replace(/plugins:[^]*$/, ""),
      "conf/deep/plugins.yaml": example("routes.yaml").replace(/^[^]*?(?=plugins:)/, ""),
      "state.json": "{}",
      "work/trace.jsonl": '{"turn": 1}\n',
      "bare/trace.jsonl": "",
      "c.yaml": "extends: strict\n",
    };
    const cwd = folderOf(files);
    symlinkSync("run.jsonl", join(cwd, "link.json"));
    for (const [output, record, ...args] of [
      ["run.jsonl", "run.jsonl", "--pack", "a.json"],
      ["link.json", "run.jsonl", "--pack", "a.json"],
      ["a.json", "run.jsonl", "--pack", "./a.json"],
      ["c.yaml", "run.jsonl", "--pack", "a.json", "-c", "c.yaml"],
      ["events.jsonl", "events.jsonl"],
      ["conf/pipelines.yaml", "events.jsonl", "--routes", "conf"],
      ["conf/deep/plugins.yaml", "events.jsonl", "--routes", "conf"],
      ["state.json", "events.jsonl", "--state", "state.json"],
      ["work/trace.jsonl", "events.jsonl", "--workspace", "work"],
      ["bare/trace.jsonl", "events.jsonl", "--workspace", "bare"],
    ] as const) {
      expect(await refusal(cwd, "replay", record, ...args, "-f", `json=${output}`)).toBe(
        `promptpack: "${output}" would be overwritten, but it is an input: choose another file.\n`,
      );
    }
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(cwd, name), "utf8")).toBe(text);
    expect((await promptpack(["replay", "events.jsonl", "-f", "json=c.yaml"], { cwd })).code).toBe(0);
  });

  it("a report that would overwrite routes that belong to the linted ones", async () => {
    const routes = readFileSync("fixtures/agentic/worked-example/mended.routes.yaml", "utf8");
    const pipelines = routes.replace(/plugins:[^]*$/, "");
    const cwd = folderOf({
      "pipelines.yaml": pipelines,
      "plugins.yaml": routes.replace(/^[^]*?(?=plugins:)/, ""),
    });
    expect(await refusal(cwd, "lint", "plugins.yaml", "-f", "json=pipelines.yaml")).toBe(
      'promptpack: "pipelines.yaml" would be overwritten, but it is an input: choose another file.\n',
    );
    expect(readFileSync(join(cwd, "pipelines.yaml"), "utf8")).toBe(pipelines);
  });

  it("a report that is named like a pack, config or ignore file", async () => {
    const files = {
      "a.pack.json": clean,
      "sub/b.pack.yaml": "",
      "sub/.promptpackrc": "",
      ".promptpackignore": "x\n",
      "sub/.gitignore": "y\n",
    };
    const cwd = folderOf(files);
    symlinkSync(join("sub", "b.pack.yaml"), join(cwd, "link.json"));
    const refused = async (name: string, kind: string) => {
      const message = `promptpack: "${name}" cannot be used for a report: it is named like ${kind}. Choose another name.\n`;
      expect(await refusal(cwd, "lint", "-f", `json=${name}`, "a.pack.json")).toBe(message);
      expect(await refusal(cwd, "graph", "-f", "json", "-o", name, "a.pack.json")).toBe(message);
    };
    await refused("sub/b.pack.yaml", "a pack");
    await refused("link.json", "a pack");
    await refused("sub/.promptpackrc", "a config");
    await refused(".promptpackignore", "an ignore file");
    await refused("sub/.gitignore", "an ignore file");
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(cwd, name), "utf8")).toBe(text);
    await refused("new.pack.json", "a pack");
  });

  it("a report with --print-config", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    expect(await refusal(cwd, "lint", "--print-config", "a.pack.json", "-f", "json=b.json")).toBe(
      'promptpack: "--print-config" writes no report: leave out "--format json=b.json".\n',
    );
    expect((await promptpack(["lint", "--print-config", "a.pack.json", "-f", "json"], { cwd })).code).toBe(0);
  });

  it("an empty value, as from an unset variable", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    for (const flag of ["--config", "--baseline", "--print-config", "--stdin-filename", "--since"])
      expect(await refusal(cwd, "lint", flag, "")).toBe(`promptpack: "${flag}" must not be empty.\n`);
    for (const [command, ...flags] of [
      ["replay", "--config="],
      ["replay", "--workspace", ""],
      ["replay", "--state", ""],
      ["step", "--run", ""],
      ["graph", "-f", "mermaid", "--output", ""],
      ["simulate", "-e", "", "--agent", ""],
    ]) {
      const flag = flags.findLast((each) => each.startsWith("--"))?.replace("=", "") ?? "";
      expect(await refusal(cwd, command ?? "", "a.pack.json", ...flags)).toBe(
        `promptpack: "${flag}" must not be empty.\n`,
      );
    }
  });

  it("an empty path", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const sentence = 'promptpack: A path is empty: name a file or a folder, such as ".".\n';
    expect((await promptpack(["lint", "-f", "compact", ""], { cwd })).stdout).toBe("");
    for (const command of ["inspect", "graph"]) expect(await refusal(cwd, command, "")).toBe(sentence);
  });

  it("two formats on standard output", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    expect(await refusal(cwd, "lint", "-f", "json", "-f", "compact")).toBe(
      'promptpack: Both "json" and "compact" would go to standard output: give one of them a file, as in "--format compact=<file>".\n',
    );
  });
});

it("refuses routes if a pack is needed", async () => {
  const cwd = folderOf({
    "conf.yaml": "pipelines: []\n",
    "run.jsonl": '{"record": "start", "state": "a"}\n',
  });
  const sentence = 'promptpack: "conf.yaml" is an RFC-103 configuration, not a pack.\n';
  expect(await refusal(cwd, "inspect", "conf.yaml")).toBe(sentence);
  expect(await refusal(cwd, "graph", "conf.yaml")).toBe(sentence);
  expect(await refusal(cwd, "simulate", "conf.yaml", "--random", "3")).toBe(sentence);
  expect(await refusal(cwd, "step", "conf.yaml", "--run", "run.json", "--start")).toBe(sentence);
  expect(await refusal(cwd, "replay", "run.jsonl", "--pack", "conf.yaml")).toBe(sentence);
});

it("lists the choices if none is near", async () => {
  const cwd = folderOf({ "a.pack.json": clean });
  expect(await refusal(cwd, "simulate", "a.pack.json", "-f", "xml")).toMatch(
    / Choose "table", "json" or "jsonl"\.\n$/,
  );
  expect(await refusal(cwd, "inspect", "a.pack.json", "-f", "xml")).toMatch(/ Choose "text" or "json"\.\n$/);
  expect(await refusal(cwd, "rules", "-f", "xml")).toMatch(/ Choose "text" or "json"\.\n$/);
  expect(await refusal(cwd, "schema", "--kind", "xyz")).toMatch(/ Choose "pack", "report", "config", /);
});
