import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newestVersion } from "../../src/pack/spec.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { clean } from "../cli/packs.js";

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
      ["conf/a.pack.json", newestVersion, 0],
      ["conf/pipelines/all.yml", "RFC-103", 0],
      ["conf/plugins.yaml", "RFC-103", 0],
    ]);
  });

  it("names the other file", async () => {
    const cwd = folderOf({
      "conf/a.yaml": routes,
      "conf/b.yaml": pipelines.slice(0, pipelines.indexOf("  - name: agentic-tool-fabric")),
    });
    expect((await lint(cwd, "conf")).stdout).toBe(
      'conf/b.yaml:3:9: error: "agentic.tool_request.jina-reader" has another pipeline in "conf/a.yaml" already, so one request would be answered twice. [route-duplicate]\n',
    );
  });

  it("keeps two configurations in one tree apart", async () => {
    const cwd = folderOf({
      "a/plugins.yaml": plugins,
      "a/deep/all.yaml": pipelines,
      "b/config.yaml": routes,
    });
    expect(await lint(cwd)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("does as --kind says, and heeds comments", async () => {
    const cwd = folderOf({
      "a.yaml": "plugins: { agentic-loop: {} }\n",
      "b.pack.json": clean,
      "c.yaml": plugins.replace("plugins:", "# promptpack-disable route-missing\nplugins:"),
    });
    expect((await lint(cwd, "--kind", "pack", "a.yaml")).stdout).toContain("[schema]");
    expect(await lint(cwd, "--kind", "routes", "b.pack.json")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await lint(cwd, "c.yaml")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await lint(cwd, "--kind", "rotes", "a.yaml")).stderr).toBe(
      'promptpack: "--kind" cannot be "rotes". Did you mean "routes"?\n',
    );
  });
});
