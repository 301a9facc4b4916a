import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lint as lintText } from "../../src/index.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { yamlPack } from "../cli/packs.js";
import { gitEnv, Repository } from "../cli/repository.js";

const comment = (rule: string) => `# promptpack-disable-next-line ${rule} -- for a reason\n`;
const silent = { code: 0, stdout: "", stderr: "" };
const lint = (cwd: string, ...args: string[]) => promptpack(["lint", "-f", "compact", ...args], { cwd });
/** The rules of which it is said that they report nothing. */
const unused = (text: string) =>
  lintText(text).diagnostics.flatMap(({ message }) => /^"(.*)" reports nothing/u.exec(message)?.[1] ?? []);

const clean = yamlPack.replace("helo", "hello").replace("done:", "Done:").replace("emit done", "emit Done");
const withoutSkill = `${clean}skills:\n  - path: ./skills/b\n`;
const silenced = withoutSkill.replace("  - path", `  ${comment("skill-path")}  - path`);

describe("what silences a rule about the files beside a pack", () => {
  it("is needed, as the disk shows", async () => {
    expect(await lint(folderOf({ "t.pack.yaml": silenced }), "t.pack.yaml")).toEqual(silent);
    const cwd = folderOf({ "t.pack.yaml": silenced, "skills/b/SKILL.md": "" });
    expect((await lint(cwd, "t.pack.yaml")).stdout).toContain("[unused-suppression]");
  });

  it("stays where there is no disk to look at", async () => {
    expect(unused(silenced)).toEqual([]);
    expect(unused(silenced.replace("skill-path", "dead-guard"))).toEqual(["dead-guard"]);
    const [fixed, named] = [[], ["--stdin-filename", "new/t.pack.yaml"]].map((args) =>
      promptpack(["lint", "-", "--fix", ...args], { stdin: silenced }),
    );
    for (const each of [fixed, named]) expect(await each).toMatchObject({ code: 0, stdout: silenced });
  });

  it("stays where the folder is only in git", async () => {
    const repository = new Repository({});
    const { cwd } = repository;
    repository.write({ "y/t.pack.yaml": silenced });
    repository.git("add", "--all");
    rmSync(join(cwd, "y"), { recursive: true });
    const args = ["lint", "--staged", "-f", "compact"];
    expect(await promptpack(args, { cwd, env: gitEnv })).toEqual(silent);
  });

  it("stays in a baseline", async () => {
    const cwd = folderOf({ "sub/t.pack.yaml": withoutSkill });
    const args = ["lint", "-f", "compact", "--baseline", "b.json"];
    await promptpack([...args, "sub", "--update-baseline"], { cwd });
    const known = readFileSync(join(cwd, "b.json"), "utf8");
    expect(known).toContain('"skill-path"');
    rmSync(join(cwd, "sub"), { recursive: true });
    const stdin = { cwd, stdin: withoutSkill };
    const named = [...args, "-", "--stdin-filename", "sub/t.pack.yaml"];
    expect(await promptpack(named, stdin)).toEqual(silent);
    await promptpack([...named, "--update-baseline"], stdin);
    expect(readFileSync(join(cwd, "b.json"), "utf8")).toBe(known);
  });
});

describe("what silences a rule about the other files of a configuration", () => {
  const loop = (...allowed: string[]) =>
    "plugins:\n  agentic-loop:\n    timeouts: { handle: 1m }\n" +
    "    config:\n      max_steps: 9\n      max_reframes: 2\n      allowed_plugins:\n" +
    allowed.map((line) => `        ${line}\n`).join("");
  const pipelines = (plugin: string, ...rules: string[]) =>
    `pipelines:\n  - name: ${plugin}\n${rules.map((rule) => `    ${comment(rule)}`).join("")}` +
    `    on: agentic.tool_request.${plugin}\n    steps: [{ uses: ${plugin} }, { uses: agentic-loop }]\n`;

  it.each(["route-not-allowed", "route-duplicate"])("stays where these are not read: %s", async (rule) => {
    const part = pipelines("store", rule);
    expect(unused(part)).toEqual([]);
    expect(unused(pipelines("store", "route-self"))).toEqual(["route-self"]);
    const cwd = folderOf({
      "conf/loop.yaml": loop(rule === "route-duplicate" ? "- store" : "- other"),
      "conf/first.yaml": rule === "route-duplicate" ? part : pipelines("other"),
      "conf/tools/store.yaml": part,
    });
    for (const path of ["conf", "conf/first.yaml", "conf/tools", "conf/tools/store.yaml"])
      expect(await lint(cwd, path)).toEqual(silent);
  });

  it("stays in a config", async () => {
    const entry = "{ file: tools/store.yaml, rule: route-not-allowed, pointer: /pipelines/0 }";
    const cwd = folderOf({
      "promptpack.config.yaml": `ignore: [${entry}]\n`,
      "loop.yaml": loop("- other"),
      "other.yaml": pipelines("other"),
      "tools/store.yaml": pipelines("store"),
    });
    for (const path of [".", "tools"]) expect(await lint(cwd, path)).toEqual(silent);
  });

  it("goes where they show that it is not needed", async () => {
    const part = pipelines("store", "route-not-allowed", "route-duplicate");
    const cwd = folderOf({ "loop.yaml": loop("- store"), "store.yaml": part });
    expect((await lint(cwd, "store.yaml")).stdout.match(/"\S+" reports? nothing/gu)).toEqual([
      '"route-not-allowed" reports nothing',
      '"route-duplicate" reports nothing',
    ]);
    expect(unused(part + loop("- store"))).toEqual(["route-not-allowed"]);
  });

  it("stays where the event of a pipeline in another file cannot be read", async () => {
    const other = "pipelines: [{ name: store, steps: [{ uses: store }, { uses: agentic-loop }] }]\n";
    const listed = loop("- first", comment("route-missing").trimEnd(), "- store");
    const cwd = folderOf({ "loop.yaml": listed, "first.yaml": pipelines("first"), "other.yaml": other });
    expect((await lint(cwd)).stdout).toMatch(/^other\.yaml:.*\[route-\S+\]\n$/u);
    rmSync(join(cwd, "other.yaml"));
    expect(await lint(cwd)).toEqual(silent);
  });
});
