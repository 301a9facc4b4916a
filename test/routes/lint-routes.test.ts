import { chmodSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { newestSpecVersion } from "../../src/text/tool-info.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { badEntry, clean } from "../cli/packs.js";
import { gitEnv, Repository } from "../cli/repository.js";
import { isFull } from "../runs.js";

const routes = readFileSync("fixtures/agentic/worked-example/mended.routes.yaml", "utf8");
const pipelines = routes.replace(/plugins:[^]*$/, "");
const plugins = routes.replace(/^[^]*?(?=plugins:)/, "");
const lint = (cwd: string, ...args: string[]) => promptpack(["lint", "-f", "compact", ...args], { cwd });

describe("lint of routes", () => {
  it("knows them by what is in them", async () => {
    const cwd = folderOf({ "config.yaml": routes, "plugins.yaml": plugins });
    expect(await lint(cwd, "config.yaml")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await lint(cwd, "plugins.yaml")).stdout).toMatch(
      /^(?:plugins\.yaml:\d+:\d+: error: .* \[route-missing\]\n){2}$/,
    );
  });

  it("reads the files of a folder as one configuration, beside packs", async () => {
    const cwd = folderOf({
      "conf/plugins.yaml": plugins,
      "conf/pipelines/all.yml": pipelines,
      "conf/other.yaml": "pipelines: { default: [] }\n",
      "conf/a.pack.json": clean,
    });
    const { code, stdout } = await promptpack(["lint", "conf", "-f", "json"], { cwd });
    const { files } = JSON.parse(stdout) as {
      files: { file: string; specVersion: string; diagnostics: unknown[] }[];
    };
    expect(code).toBe(0);
    expect(
      files.map(({ file, specVersion, diagnostics }) => [file, specVersion, diagnostics.length]),
    ).toEqual([
      ["conf/a.pack.json", newestSpecVersion, 0],
      ["conf/pipelines/all.yml", "RFC-103", 0],
      ["conf/plugins.yaml", "RFC-103", 0],
    ]);
  });

  it("finds them on one line, as programs write JSON and people write flow", async () => {
    const loop = { "agentic-loop": { config: { allowed_plugins: ["gone"] } } };
    const cwd = folderOf({
      "json/a.json": JSON.stringify({ pipelines: [], plugins: loop }),
      "flow/a.yaml": "{name: x, plugins: {agentic-loop: {config: {allowed_plugins: [gone]}}}}\n",
    });
    for (const folder of ["json", "flow"]) {
      expect((await lint(cwd, folder, "--preset", "errors")).stdout).toMatch(
        /^.*"gone".* \[route-missing\]\n$/,
      );
    }
  });

  it("gives no advice for packs on keys that stand twice", async () => {
    const tools = "tools: { x: { name: a, description: b, name: c, description: d } }\n";
    const prompts = "prompts:\n  x:\n  id: a\n  name: b\n  y:\n  id: c\n  name: d\n";
    const cwd = folderOf({ "a.yaml": routes + tools, "b.yaml": routes + prompts });
    const { stdout } = await lint(cwd, "a.yaml", "b.yaml", "--kind", "routes");
    expect(stdout.match(/The key.*/g)).toEqual(
      ["name", "description", "id", "name"].map(
        (key) =>
          `The key "${key}" is already used in this object; only one of them counts. Rename or remove the others. [duplicate-key]`,
      ),
    );
  });

  it("suggests the plugin that an event misspells", async () => {
    const cwd = folderOf({ "a.yaml": routes.replace("tool_request.fabric", "tool_request.fabrik") });
    expect((await lint(cwd, "a.yaml")).stdout).toMatch(
      /^.*Did you mean "fabric"\? \[route-not-allowed\]\n.*Did you mean "fabrik"\? \[route-missing\]\n$/,
    );
  });

  it("leaves out the routes of others, whatever they are called", async () => {
    const service = "kind: Service\nmetadata: { name: agentic-loop }\n";
    const ingress = "kind: IngressRoute\nspec:\n  routes:\n    - match: Host(`x`)\n";
    const chart = "# The service agentic-loop.\nroutes:\n{{- range .Values.hosts }}\n  - host: {{ . }}\n";
    const relay = `${service}---\n${ingress}      event: agentic.tool_request.fabric\n`;
    const cwd = folderOf({
      "a.pack.json": clean,
      "ingress.yaml": `${service}---\n${ingress}`,
      "chart.yaml": chart,
      "relay.yaml": relay,
      "gateway.json": '{ // agentic-loop\n  "routes": [] }',
    });
    expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("leaves out what only speaks of the loop, unless it is asked for", async () => {
    const other = "services:\n  plugins: [agentic-loop]\n";
    const cwd = folderOf({ "a/compose.yaml": other, "a/a.pack.json": clean, "b/compose.yaml": other });
    expect(await lint(cwd, "a")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await lint(cwd, "b")).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: No pack was found in "b".\n',
    });
    for (const path of ["b/compose.yaml", "b/*.yaml"]) {
      expect((await lint(cwd, path)).stdout).toContain("b/compose.yaml:1:1: error: ");
    }
    const repository = new Repository({});
    repository.write({ "compose.yaml": other });
    repository.git("add", "--all");
    expect(await promptpack(["lint", "--staged"], { cwd: repository.cwd, env: gitEnv })).toMatchObject({
      code: 0,
    });
  });

  it("leaves alone what is neither, whatever it allows", async () => {
    const playbook = "- hosts: agentic\n  vars:\n    allowed_plugins: [redis]\n    platform: linux\n";
    const cwd = folderOf({ "a.pack.json": clean, "playbook.yml": playbook });
    expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("knows what belongs to a file of which only a link is linted", async () => {
    const cwd = folderOf({
      "conf/plugins.yaml": plugins,
      "conf/all.yaml": pipelines,
      ".promptpackignore": "conf/plugins.yaml\n",
    });
    symlinkSync("conf/plugins.yaml", join(cwd, "link.yaml"));
    expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("takes a file with prompts for a pack, whatever else is in it", async () => {
    const cwd = folderOf({ "a.yaml": `prompts: {}\n${routes}` });
    const { stdout } = await promptpack(["lint", "a.yaml", "-f", "json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ specVersion: newestSpecVersion }] });
  });

  it("tells of one that is broken", async () => {
    const cwd = folderOf({ "conf/a.yaml": `${pipelines}broken: [\n` });
    expect((await lint(cwd, "conf")).stdout).toContain("[parse-error]");
  });

  it("looks at a file of blank lines once", async () => {
    const cwd = folderOf({ "a.pack.json": clean, "blank.yaml": `# agentic-loop${"\n".repeat(500_000)}` });
    expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("names the other file", async () => {
    const cwd = folderOf({
      "conf/a.yaml": routes,
      "conf/b.yaml": pipelines.slice(0, pipelines.indexOf("  - name: agentic-tool-fabric")),
    });
    const twice =
      '3:9: error: "agentic.tool_request.jina-reader" already has a pipeline, so each request would be';
    expect((await lint(cwd, "conf")).stdout).toBe(
      `conf/a.yaml:${twice} answered twice. The other one is in "conf/b.yaml". [route-duplicate]\n` +
        `conf/b.yaml:${twice} answered twice. The other one is in "conf/a.yaml". [route-duplicate]\n`,
    );
  });

  it("knows a second pipeline again from another working folder", async () => {
    const cwd = folderOf({ "conf/a.yaml": routes, "conf/b.yaml": pipelines });
    await lint(cwd, "conf", "--baseline", "conf/base.json", "--update-baseline");
    const args = [".", "--baseline", "base.json"];
    expect(await lint(join(cwd, "conf"), ...args)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("keeps two configurations in one tree apart", async () => {
    const cwd = folderOf({
      "a/plugins.yaml": plugins,
      "a/deep/all.yaml": pipelines,
      "b/config.yaml": routes,
    });
    expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("holds a file that is named against those beside it, and lints it alone", async () => {
    const cwd = folderOf({
      "conf/loop.yaml": plugins,
      "conf/pipes.yaml": pipelines,
      "conf/more.yaml": pipelines.slice(0, pipelines.indexOf("  - name: agentic-tool-fabric")),
      "conf/a.pack.json": badEntry,
      "skip.yaml": "ignore: [conf/pipes.yaml, conf/a.pack.json]\n",
    });
    const twice =
      'conf/pipes.yaml:3:9: error: "agentic.tool_request.jina-reader" already has a pipeline, so each request would be answered twice. The other one is in "conf/more.yaml". [route-duplicate]\n';
    expect(await lint(cwd, "conf/loop.yaml")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await lint(cwd, "conf/l*.yaml")).toEqual({ code: 0, stdout: "", stderr: "" });
    const other = twice.replaceAll(/pipes|more/g, (name) => (name === "more" ? "pipes" : "more"));
    for (const args of [["conf/more.yaml"], ["conf", "--config", "skip.yaml"]]) {
      expect(await lint(cwd, ...args)).toEqual({ code: 1, stdout: other, stderr: "" });
    }
    const all = ["conf/loop.yaml", "conf/more.yaml", "conf/pipes.yaml"];
    expect(await lint(cwd, "conf/pipes.yaml")).toEqual({ code: 1, stdout: twice, stderr: "" });
    for (const paths of [all, ["conf/*.yaml"]]) {
      expect(await lint(cwd, ...paths)).toEqual({ code: 1, stdout: other + twice, stderr: "" });
    }
  });

  it("finds what belongs to a loop below its folder, however the files are asked for", async () => {
    const cwd = folderOf({ "conf/config.yaml": plugins, "conf/pipelines/tools.yaml": pipelines });
    const [loop, tools] = ["conf/config.yaml", "conf/pipelines/tools.yaml"];
    for (const paths of [["conf"], [loop], [loop, tools], ["conf/**"], ["conf/pipelines", loop], [tools]]) {
      expect({ paths, ...(await lint(cwd, ...paths)) }).toEqual({ paths, code: 0, stdout: "", stderr: "" });
    }
    const other = folderOf({
      "conf/config.yaml": plugins.replace("fabric, ", ""),
      "conf/pipelines/tools.yaml": pipelines,
      "conf/deep/config.yaml": plugins,
      "conf/deep/pipelines/tools.yaml": pipelines,
    });
    const routed =
      /^conf\/pipelines\/tools\.yaml:\d+:\d+: error: "fabric" has a route .* \[route-not-allowed\]\n$/;
    for (const paths of [["conf"], [loop, tools], ["conf/**"], ["conf/pipelines", loop]]) {
      expect((await lint(other, ...paths)).stdout).toMatch(routed);
    }
    expect(await lint(other, loop)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("expects a route for every plugin on the list, once the events of all pipelines can be read", async () => {
    const loop =
      "plugins: { agentic-loop: { timeouts: { handle: 1m }, config: { max_steps: 9, max_reframes: 2, allowed_plugins: [store] } } }\n";
    const pipeline = (on: string) =>
      `pipelines:\n  - { name: a, on: ${on}, steps: [{ uses: store }, { uses: agentic-loop }] }\n`;
    const cwd = folderOf({
      "bare/loop.yaml": loop,
      "bare/a.yaml": pipeline("agentic.tool_request"),
      "other/loop.yaml": loop,
      "other/a.yaml": pipeline("page.saved"),
    });
    expect((await lint(cwd, "bare")).stdout).toMatch(/^bare\/a\.yaml:2:.* \[route-schema\]\n$/);
    expect((await lint(cwd, "other")).stdout).toMatch(/^other\/loop\.yaml:1:.* \[route-missing\]\n$/);
  });

  it("does as --kind says, and heeds comments", async () => {
    const cwd = folderOf({
      "a.yaml": "plugins: { agentic-loop: {} }\n",
      "b.pack.json": clean,
      "c.yaml": plugins.replace("plugins:", "# promptpack-disable route-missing\nplugins:"),
    });
    expect((await lint(cwd, "--kind", "pack", "a.yaml")).stdout).toContain("[schema]");
    expect(await lint(cwd, "--kind", "routes", "b.pack.json")).toEqual({
      code: 1,
      stdout:
        'b.pack.json:1:1: error: This file declares no routes: it has neither "pipelines" nor "plugins". [route-schema]\n',
      stderr: "",
    });
    expect(await lint(cwd, "c.yaml")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await lint(cwd, "--kind", "rotes", "a.yaml")).stderr).toBe(
      'promptpack: "--kind" cannot be "rotes". Did you mean "routes"?\n',
    );
  });
});

describe("--kind routes", () => {
  const none = { "package.json": "{}", "sub/notes.yaml": "a: 1\n" };

  it("passes over what a folder holds besides", async () => {
    const cwd = folderOf({ ...none, "a.yaml": plugins, "b.yaml": pipelines, "api.yaml": "api: {}\n" });
    expect(await lint(cwd, "--kind", "routes")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await lint(cwd, "--kind", "routes", "api.yaml")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await lint(cwd, "--kind", "routes", ".", "package.json")).stdout).toMatch(
      /^package\.json:1:1: error: This file declares no routes/,
    );
  });

  it("says that a folder holds no routes", async () => {
    expect(await lint(folderOf(none), "--kind", "routes")).toEqual({
      code: 2,
      stdout: "",
      stderr: "promptpack: No routes (RFC-103) were found below the working folder.\n",
    });
  });
});

describe.runIf(isFull).each([
  ["--staged", ["--staged"]],
  ["--since", ["--since", "HEAD"]],
])("lint %s of routes", (_, flags) => {
  const silent = { code: 0, stdout: "", stderr: "" };
  const changed = async (repository: Repository, cwd: string, ...paths: string[]) => {
    repository.git("add", "--all");
    return promptpack(["lint", "-f", "compact", ...flags, ...paths], { cwd, env: gitEnv });
  };

  it("holds what changed against what did not", async () => {
    const repository = new Repository({ "conf/loop.yaml": plugins, "conf/pipes/all.yaml": pipelines });
    const { cwd } = repository;
    repository.write({ "conf/loop.yaml": `# changed\n${plugins}` });
    for (const paths of [[], ["conf"], ["."]]) {
      expect(await changed(repository, cwd, ...paths)).toEqual(silent);
    }
    expect(await changed(repository, `${cwd}/conf/pipes`)).toEqual(silent);
    repository.write({ "conf/pipes/all.yaml": pipelines.replace("jina-reader", "jina") });
    const { code, stdout } = await changed(repository, cwd);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^conf\/loop\.yaml:.*\[route-missing\]\nconf\/pipes.*\[route-not-allowed\]\n$/);
  });

  it("tells of a second pipeline in a file that comes before the one with the first", async () => {
    const repository = new Repository({ "conf/loop.yaml": plugins, "conf/pipes.yaml": pipelines });
    repository.write({
      "conf/again.yaml": pipelines.slice(0, pipelines.indexOf("  - name: agentic-tool-fabric")),
    });
    expect((await changed(repository, repository.cwd)).stdout).toMatch(
      /^conf\/again\.yaml:3:9: error: .*"conf\/pipes\.yaml".* \[route-duplicate\]\n$/,
    );
  });

  it("takes what lies beside a file that is named, or that a glob matches", async () => {
    const repository = new Repository({ "conf/loop.yaml": plugins, "conf/pipes.yaml": pipelines });
    repository.write({ "conf/loop.yaml": `# changed\n${plugins}` });
    for (const path of ["conf/loop.yaml", "conf/*.yaml", "conf/l*"]) {
      expect(await changed(repository, repository.cwd, path)).toEqual(silent);
    }
  });
});

it("lint --staged takes the other routes as they are staged, too", async () => {
  const repository = new Repository({ "conf/loop.yaml": plugins, "conf/pipes.yaml": pipelines });
  repository.write({ "conf/loop.yaml": `# changed\n${plugins}` });
  repository.git("add", "--all");
  const staged = () =>
    promptpack(["lint", "-f", "compact", "--staged"], { cwd: repository.cwd, env: gitEnv });
  repository.write({ "conf/pipes.yaml": pipelines.replaceAll("agentic.tool_request.jina", "x.y") });
  expect(await staged()).toEqual({ code: 0, stdout: "", stderr: "" });
  repository.git("rm", "--quiet", "--cached", "conf/pipes.yaml");
  expect((await staged()).stdout).toMatch(/^(?:conf\/loop\.yaml:\d+:\d+: error: .* \[route-missing\]\n){2}$/);
});

it("lint --staged takes the other routes from git where the disk has them no longer", async () => {
  const repository = new Repository({ "loop.yaml": plugins, "pipes.yaml": pipelines });
  const { cwd } = repository;
  repository.write({ "loop.yaml": `# changed\n${plugins}` });
  repository.git("add", "--all");
  repository.write({ "all.yaml": routes });
  for (const name of ["loop.yaml", "pipes.yaml"]) rmSync(join(cwd, name));
  const args = ["lint", "-f", "compact", "--staged"];
  expect(await promptpack(args, { cwd, env: gitEnv })).toEqual({ code: 0, stdout: "", stderr: "" });
});

it.runIf(process.platform !== "win32")("lint --staged asks git for no file that the disk has", async () => {
  const repository = new Repository({});
  const { cwd } = repository;
  const log = join(cwd, "asked");
  const logging = `#!/bin/sh\necho "$@" >> '${log}'\nPATH='${gitEnv.PATH}' exec git "$@"\n`;
  repository.write({ "a.json": "{}", "b.json": "{}", "bin/git": logging });
  chmodSync(join(cwd, "bin/git"), 0o755);
  repository.git("add", "a.json", "b.json");
  repository.write({ "b.json": "[]" });
  const env = { ...gitEnv, PATH: [join(cwd, "bin"), gitEnv.PATH].join(delimiter) };
  expect((await promptpack(["lint", "--staged"], { cwd, env })).code).toBe(0);
  expect(readFileSync(log, "utf8").match(/cat-file/g)).toHaveLength(1);
});

it("lint --staged knows routes by what is staged, not by what is on the disk", async () => {
  const repository = new Repository({ "b.yaml": "a: 1\n" });
  const { cwd } = repository;
  const staged = (...paths: string[]) =>
    promptpack(["lint", "-f", "compact", "--staged", ...paths], { cwd, env: gitEnv });
  repository.write({ "a.yaml": plugins });
  repository.git("add", "--all");
  const found = await staged();
  expect(found.stdout).toMatch(/^(?:a\.yaml:\d+:\d+: error: .* \[route-missing\]\n){2}$/);
  repository.write({ "a.yaml": "a: 1\n", "b.yaml": plugins });
  expect(await staged()).toEqual(found);
  expect(await staged("a.yaml")).toEqual(found);
  rmSync(join(cwd, "a.yaml"));
  expect(await staged()).toEqual(found);
});
