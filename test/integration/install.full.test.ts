import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fencedBlocks } from "../docs/fenced-blocks.js";
import { cloneProject, hasProgram, quietEnv } from "./clone.js";

/** Both ways install and build the whole project. */
const patience = 1_200_000;
const blocks = fencedBlocks(readFileSync("docs/install.md", "utf8"));
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

describe.runIf(hasProgram("git") && hasProgram("bash"))("docs/install.md", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "promptpack-install-")));
  const clone = join(folder, "clone");
  const prefix = join(folder, "prefix");
  const project = join(folder, "project");
  const env = { ...quietEnv, npm_config_prefix: prefix, npm_config_prefer_offline: "true" };
  /** Runs the block that begins so, in a folder. */
  const install = (beginning: string, cwd: string, address = "") => {
    const command = blocks.find(({ body }) => body.startsWith(beginning))?.body ?? "exit 1";
    const line = command.replace("ADDRESS", address);
    const { status, stderr } = spawnSync("bash", ["-ec", line], { cwd, env, encoding: "utf8" });
    return { status, stderr: status === 0 ? "" : stderr };
  };
  const versionOf = (program: string) => spawnSync(program, ["--version"], { encoding: "utf8" }).stdout;

  beforeAll(() => cloneProject(clone), patience);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    "on your machine",
    () => {
      mkdirSync(prefix);
      expect(install("npm ci", clone)).toEqual({ status: 0, stderr: "" });
      expect(versionOf(join(prefix, "bin", "promptpack"))).toBe(`${version}\n`);
    },
    patience,
  );

  it(
    "in a project",
    () => {
      mkdirSync(project);
      writeFileSync(join(project, "package.json"), '{ "name": "x", "private": true }');
      const address = `git+${pathToFileURL(clone).href}`;
      expect(install("npm install --save-dev", project, address)).toEqual({ status: 0, stderr: "" });
      expect(versionOf(join(project, "node_modules/.bin/promptpack"))).toBe(`${version}\n`);
      const args = ["explain", "dead-guard"];
      const { stdout } = spawnSync(join(project, "node_modules/.bin/promptpack"), args, { encoding: "utf8" });
      expect(stdout).toMatch(/^dead-guard\n/);
    },
    patience,
  );
});
