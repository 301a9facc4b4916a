import { defaultLimits } from "../../src/document/file-format.js";
import { describe, expect, it, vi } from "vitest";
import { discover } from "../../src/cli/files/discover.js";
import { routesByPath } from "../../src/cli/lint/route-sets.js";
import { readDocument } from "../../src/document/read.js";
import { Analysis } from "../../src/analysis.js";
import { joinRoutes, readRoutes, replaceFile, type Routes } from "../../src/routes/routes.js";
import { folderOf } from "../cli/harness.js";

const loop = "plugins: { agentic-loop: { config: { allowed_plugins: [a, b] } } }\n";
const pipeline = (plugin: string) =>
  `pipelines: [{ name: ${plugin}, on: agentic.tool_request.${plugin}, steps: [{ uses: ${plugin} }, { uses: agentic-loop }] }]\n`;

describe("a configuration of many files", () => {
  const read = (name: string, text: string) => readRoutes(name, readDocument(text, "yaml"));
  const routes = joinRoutes([read("b.yaml", pipeline("b")), read("a.yaml", pipeline("a"))]);
  const told = (file: string, text: string) =>
    new Analysis(file, readDocument(text, "yaml"))
      .lint({ routes })
      .kept.map(({ rule, message }) => [rule, message]);

  it("is put together once for those of its files that are as it knows them", () => {
    // Called only where the files are joined again.
    const changed = vi.spyOn(routes.files, "filter");
    expect(told("a.yaml", pipeline("a"))).toEqual([]);
    expect(changed).not.toHaveBeenCalled();
    for (const file of ["a.yaml", "c.yaml"])
      expect(told(file, pipeline("b"))).toEqual([
        [
          "route-duplicate",
          '"agentic.tool_request.b" already has a pipeline, so each request would be answered twice. The other one is in "b.yaml".',
        ],
      ]);
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it("misses no route while a pipeline of any file cannot be read", () => {
    const unread = read("c.yaml", "pipelines: [{ on: [] }]\n");
    const judged = (others: Routes) =>
      new Analysis("l.yaml", readDocument(loop, "yaml"))
        .lint({ routes: others })
        .kept.filter(({ rule }) => rule === "route-missing").length;
    expect(judged(joinRoutes([read("a.yaml", pipeline("a"))]))).toBe(1);
    expect(judged(joinRoutes([read("a.yaml", pipeline("a")), unread]))).toBe(0);
  });

  it("may resume the loop on a result in another file", () => {
    const resume = "pipelines: [{ on: agentic.tool_result, steps: [{ uses: agentic-loop }] }]\n";
    const tool = "pipelines: [{ name: a, on: agentic.tool_request.a, steps: [{ uses: a }] }]\n";
    const messages = (...others: readonly string[]) =>
      new Analysis("t.yaml", readDocument(tool, "yaml"))
        .lint({
          routes: joinRoutes(others.map((text) => read("r.yaml", text))),
        })
        .kept.map(({ message }) => message);
    const fault = 'The pipeline "a" does not end with "agentic-loop"';
    expect(messages()).toEqual([`${fault}, so the run is never resumed and waits forever.`]);
    expect(messages(resume)).toEqual([
      `${fault}: RFC-103 asks for the resume as the last step of this same pipeline, not of one on "agentic.tool_result".`,
    ]);
  });

  it("forgets what a file said before it changed", () => {
    expect(replaceFile(routes, read("a.yaml", pipeline("b"))).byPlugin.has("a")).toBe(false);
  });

  it("is one for all files that are asked for, but for loops that are named", () => {
    const cwd = folderOf({
      "a.yaml": pipeline("a"),
      "b.yaml": pipeline("b"),
      "one.yaml": loop,
      "two.yaml": loop,
    });
    const names = ["a.yaml", "b.yaml", "one.yaml", "two.yaml"];
    const { targets, beside } = discover(names, cwd);
    const sets = routesByPath(targets, beside, defaultLimits);
    const [a, b, one, two] = targets.map(({ path }) => sets.get(path));
    expect(a).toBe(b);
    const known = [a, one, two].map((each) => names.filter((name) => each?.fileNamed(name) !== undefined));
    expect(known).toEqual([names, ["a.yaml", "b.yaml", "one.yaml"], ["a.yaml", "b.yaml", "two.yaml"]]);
  });
});
