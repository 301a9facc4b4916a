import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { badEntry } from "./packs.js";

/** The paths that a report names. */
async function paths(format: string, cwd: string, env: Record<string, string>, ...args: string[]) {
  const { stdout } = await promptpack(["lint", "-f", format, ...args], { cwd, env, stdin: badEntry });
  const pattern =
    format === "github"
      ? /::error file=(.*?),/g
      : /(?:"uri"|"path"|"file"): "(.*?)"|^(\S+?):\d+:\d+: error/gm;
  return [...new Set([...stdout.matchAll(pattern)].map(([, first, second]) => first ?? second))];
}

const files = { "work/sub/a.pack.json": badEntry, "work/b.pack.json": badEntry, "out.pack.json": badEntry };

it.each([
  ["github", { GITHUB_ACTIONS: "true" }, "GITHUB_WORKSPACE"],
  ["sarif", { GITHUB_ACTIONS: "true" }, "GITHUB_WORKSPACE"],
  ["gitlab", { GITLAB_CI: "true" }, "CI_PROJECT_DIR"],
])("%s names files as the repository does, in a job of its own", async (format, ci, variable) => {
  const top = folderOf(files);
  const root = join(top, "work");
  const sub = join(root, "sub");
  const env = { ...ci, [variable]: root };
  expect(await paths(format, sub, env)).toEqual(["sub/a.pack.json"]);
  expect(await paths(format, root, env)).toEqual(["b.pack.json", "sub/a.pack.json"]);
  expect(await paths(format, sub, env, "../b.pack.json")).toEqual(["b.pack.json"]);
  expect(await paths(format, sub, env, "../../out.pack.json")).toEqual(["../../out.pack.json"]);
  expect(await paths(format, sub, env, "-", "--stdin-filename", "x.json")).toEqual(["sub/x.json"]);
  expect(await paths(format, root, env, "-", "--stdin-filename", join(sub, "x.json"))).toEqual([
    "sub/x.json",
  ]);
  expect(await paths(format, sub, env, "-")).toEqual([format === "sarif" ? "%3Cstdin%3E" : "<stdin>"]);
  symlinkSync(root, join(top, "link"));
  expect(await paths(format, sub, { ...ci, [variable]: join(top, "link") })).toEqual(["sub/a.pack.json"]);
});

it.each([
  ["nothing is said of a job", "github", { GITHUB_WORKSPACE: "." }],
  ["it is another job", "gitlab", { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: "." }],
  ["the working folder is elsewhere", "sarif", { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: "other" }],
  ["the root is not told", "github", { GITHUB_ACTIONS: "true" }],
  ["the root is empty", "github", { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: "" }],
  ["another format is asked for", "compact", { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: "." }],
  ["a program reads it", "json", { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: "." }],
])("paths begin at the working folder where %s", async (_, format, given) => {
  const top = folderOf(files);
  mkdirSync(join(top, "other"));
  const { GITHUB_WORKSPACE: root, ...rest } = given as Record<string, string>;
  const env = { ...rest, ...(root !== undefined && { GITHUB_WORKSPACE: root && join(top, root) }) };
  expect(await paths(format, join(top, "work", "sub"), env as Record<string, string>)).toEqual([
    "a.pack.json",
  ]);
});
