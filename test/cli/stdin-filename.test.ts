import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { yamlPack } from "./packs.js";

const routes = readFileSync("fixtures/agentic/worked-example/mended.routes.yaml", "utf8");
const loop = routes.slice(routes.indexOf("plugins:"));
const second = routes.indexOf("  - name: agentic-tool-fabric");
const jina = routes.slice(0, second);
const fabric = `pipelines:\n${routes.slice(second, routes.indexOf("plugins:"))}`;
const conf = { "conf/loop.yaml": loop, "conf/jina.yaml": jina, "conf/tools/fabric.yaml": fabric };
const pack = `${yamlPack.replace("helo", "hello")}skills:\n  - ./skills/b\n`;

const silent = { code: 0, stdout: "", stderr: "" };
const lint = (cwd: string, ...args: string[]) => promptpack(["lint", "-f", "compact", ...args], { cwd });
/** Lints a text as the file of that name. */
const lintAs = (cwd: string, name: string, stdin: string, ...args: string[]) =>
  promptpack(["lint", "-", "-f", "compact", "--stdin-filename", name, ...args], { cwd, stdin });
const missing = (file: string, plugin: string) =>
  expect.stringMatching(
    new RegExp(`^${file}:.*"${plugin}", but there is no pipeline.*\\[route-missing\\]\n$`),
  );

describe("standard input with the name of a file", () => {
  it.each(["conf/loop.yaml", "conf/jina.yaml", "conf/tools/fabric.yaml"] as const)(
    "has the findings that %s has by its name",
    async (name) => {
      for (const files of [conf, { ...conf, "conf/loop.yaml": loop.replace("[fabric,", "[other,") }]) {
        const cwd = folderOf(files);
        for (const args of [[], ["--kind", "routes"], ["--kind", "pack"]])
          expect(await lintAs(cwd, name, files[name], ...args)).toEqual(await lint(cwd, name, ...args));
      }
    },
  );

  it("is one of the files beside it, and what lies on the disk is not", async () => {
    const cwd = folderOf({ ...conf, "conf/loop.yaml": "id: [" });
    symlinkSync("loop.yaml", join(cwd, "conf/link.yaml"));
    expect(await lintAs(cwd, "conf/loop.yaml", loop)).toEqual(silent);
    for (const other of ["conf", "conf/link.yaml", "conf/loop.yaml"])
      expect(await lintAs(cwd, "conf/loop.yaml", loop, other)).toEqual(silent);
  });

  it("counts for the others that are linted", async () => {
    const cwd = folderOf(conf);
    const { stdout } = await lintAs(cwd, "conf/tools/fabric.yaml", "pipelines: []\n# agentic-loop\n", "conf");
    expect(stdout).toEqual(missing("conf/loop\\.yaml", "fabric"));
    const apart = folderOf({ "conf/l/loop.yaml": loop, "conf/p/all.yaml": jina + fabric.slice(11) });
    const slip = jina.replace(/\.jina-reader/u, ".jina-raeder");
    const named = await lintAs(apart, "conf/p/all.yaml", slip + fabric.slice(11), "conf");
    expect(named.stdout).toMatch(
      /^conf\/l\/loop\.yaml:.*\[route-missing\]\nconf\/p\/all\.yaml:.*\[route-not-allowed\]\n$/u,
    );
  });

  it("may be a file that is new, or lies elsewhere", async () => {
    const { "conf/loop.yaml": _, ...others } = conf;
    const cwd = folderOf(others);
    expect(await lintAs(cwd, "conf/loop.yaml", loop)).toEqual(silent);
    expect(await lintAs(join(cwd, "conf/tools"), "../loop.yaml", loop)).toEqual(silent);
    expect(await lintAs(folderOf({}), join(cwd, "conf/loop.yaml"), loop)).toEqual(silent);
    const { code, stdout } = await lintAs(cwd, "new/loop.yaml", loop.replace("fabric, ", ""));
    expect({ code, stdout }).toEqual({ code: 1, stdout: missing("new/loop\\.yaml", "jina-reader") });
  });

  it("is not told about where the name is ignored, but counts for the others", async () => {
    const cwd = folderOf({ ...conf, "conf/jina.yaml": "", ".promptpackignore": "jina.yaml\n" });
    expect(await lintAs(cwd, "conf/jina.yaml", jina, "conf/loop.yaml")).toEqual({
      ...silent,
      stderr: 'promptpack: "conf/jina.yaml" is skipped: ".promptpackignore" ignores it.\n',
    });
  });

  it("is not looked beside for the skills of a pack", async () => {
    const cwd = folderOf({ "x.pack.yaml": pack });
    const rules = ({ stdout }: { stdout: string }) =>
      [...stdout.matchAll(/\[(.*)\]$/gmu)].map(([, rule]) => rule);
    expect(rules(await lint(cwd))).toEqual(["event-name-case", "skill-path"]);
    expect(rules(await lintAs(cwd, "x.pack.yaml", pack))).toEqual(["event-name-case"]);
    expect(rules(await lintAs(cwd, "new/x.pack.yaml", pack))).toEqual(["event-name-case"]);
  });

  it("is printed when it is fixed, and the file stays as it is", async () => {
    const open = pack.replace("terminal: true", "on_event: {}");
    const cwd = folderOf({ "x.pack.yaml": open });
    const { stdout } = await lintAs(cwd, "x.pack.yaml", open, "--fix");
    expect(stdout).toContain("terminal: true");
    expect(readFileSync(join(cwd, "x.pack.yaml"), "utf8")).toBe(open);
    expect((await lintAs(cwd, "x.pack.yaml", pack, "--fix")).stdout).toBe(pack);
  });

  it.runIf(process.platform !== "win32")("lets nothing beside it block, or pass the limits", async () => {
    const cwd = folderOf({ ...conf, "conf/jina.yaml": `${jina}${"#".repeat(2_000)}\n` });
    execFileSync("mkfifo", [join(cwd, "conf/pipe.yaml"), join(cwd, "conf/loop.yml")]);
    expect(await lintAs(cwd, "conf/loop.yml", loop)).toEqual(silent);
    const { stdout } = await lintAs(cwd, "conf/loop.yaml", loop, "--max-size", "1kB");
    expect(stdout).toEqual(missing("conf/loop\\.yaml", "jina-reader"));
  });
});
