import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { quietEnv } from "../integration/clone.js";

const folder = mkdtempSync(join(tmpdir(), "promptpack-nodes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** V8 calls the compiled forms of all versions of Node 20 by one number. */
const versions = ["20.19.0", "20.20.0"];
const tooOld = "18.20.4";
const name = `node-linux-${process.arch}`;
const program = (version: string) => join(folder, version, "node_modules", name, "bin", "node");

let missing: string | undefined;
beforeAll(() => {
  missing = process.platform === "linux" ? undefined : "the other versions of Node are for Linux";
  for (const version of missing === undefined ? [...versions, tooOld] : []) {
    const prefix = ["--prefix", join(folder, version), "--no-audit", "--no-fund", "--prefer-offline"];
    spawnSync("npm", ["install", ...prefix, `${name}@${version}`], { env: quietEnv });
    const { stdout } = spawnSync(program(version), ["--version"], { encoding: "utf8" });
    if (stdout !== `v${version}\n`) missing ??= `Node ${version} cannot be installed`;
  }
});
beforeEach((context) => context.skip(missing !== undefined, missing));

function start(node: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const { status, signal, stdout, stderr } = spawnSync(node, [resolve("bin/promptpack.js"), ...args], {
    encoding: "utf8",
    env: { HOME: folder, ...env },
  });
  return { status, signal, stdout, stderr };
}

it("versions of Node that share a home print the same in turn, each with a form of its own", () => {
  const home = join(folder, "cache");
  const args = ["lint", "--no-config", resolve("examples/codegen.pack.yaml")];
  const nodes = [...versions.map(program), process.execPath];
  const expected = start(process.execPath, args, { PROMPTPACK_NO_CACHE: "1" });
  expect(expected).toMatchObject({ status: 0, signal: null, stderr: "" });
  for (const node of [...nodes, ...nodes, ...nodes])
    expect(start(node, args, { XDG_CACHE_HOME: home }), node).toEqual(expected);
  expect(readdirSync(join(home, "promptpack", "compiled"))).toHaveLength(nodes.length);
});

it.each(["lint", "--version", "lsp"])(
  "an older Node is refused by `promptpack %s` in one line",
  (command) => {
    const stderr = `promptpack needs Node 20.19 or newer; this is Node ${tooOld}.\n`;
    expect(start(program(tooOld), [command], {})).toEqual({ status: 2, signal: null, stdout: "", stderr });
  },
);
