import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPackage, createPackageFromTarballData, publint } from "../../tools/packages.js";
import { linksOf } from "../docs/links.js";
import { cloneProject, quietEnv } from "./clone.js";

// `npm run test:full` has built what is packed here.
const folder = mkdtempSync(join(tmpdir(), "promptpack-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let name: string;
let files: readonly string[];
let tarball: Uint8Array<ArrayBuffer>;
beforeAll(() => {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = spawnSync("npm", args, { env: quietEnv, encoding: "utf8" });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  files = packed.files.map(({ path }) => path);
  name = packed.filename;
  tarball = new Uint8Array(readFileSync(join(folder, name)));
});

it("holds only what runs, and its pages", () => {
  const tops = files.map((path) => path.split("/")[0]);
  const expected = ["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "bin", "dist", "docs", "examples"];
  expect([...new Set(tops)].sort()).toEqual([...expected, "package.json", "schema"]);
  expect(files.filter((path) => /\.(?:ts|map|mjs)$/u.test(path) && !path.endsWith(".d.ts"))).toEqual([]);
});

it("holds only text and pictures, the same for every platform", () => {
  const binary = files.filter((path) => !path.endsWith(".png") && readFileSync(path).includes(0));
  expect(binary).toEqual([]);
});

it("holds the pages that the program names, and what its pages link to", () => {
  const named = files
    .filter((path) => /^dist\/.*\.c?js$/u.test(path))
    .flatMap((path) => readFileSync(path, "utf8").match(/docs\/[\w-]+\.md/gu) ?? []);
  expect(named).toContain("docs/diff.md");
  const linked = files
    .filter((path) => path.endsWith(".md"))
    .flatMap((page) => linksOf(page).map(({ file }) => file));
  // For those who work on promptpack, or have a copy of it on GitHub.
  const elsewhere = /^(?:test\/|CONTRIBUTING\.md$|action\.yml$|\.github\/)/u;
  const lost = [...named, ...linked].filter((path) => !elsewhere.test(path) && !files.includes(path));
  expect([...new Set(lost)]).toEqual([]);
});

it("declares the types of the library, and no internal ones", () => {
  const declared = files
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => path.replace("dist/types/", ""));
  expect(declared.sort()).toEqual([
    "diagnostic.d.ts",
    "document/file-format.d.ts",
    "index.d.ts",
    "lint-options.d.ts",
    "rules/rule-info.d.ts",
    "runtimes/names.d.ts",
  ]);
});

it("needs no other package at run time", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;
  expect(Object.keys(manifest).filter((key) => /[dD]ependencies$/u.test(key))).toEqual(["devDependencies"]);
});

/** From git, npm names "prepare" to its user, too; without it, `npm install --global` from git would build nothing. */
it("has no script that npm asks its user about, but for the one that git needs", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  const asked = ["preinstall", "install", "postinstall", "prepare"];
  expect(Object.keys(scripts).filter((name) => asked.includes(name))).toEqual(["prepare"]);
});

it("installs globally from git, as new versions of pre-commit do", () => {
  const [clone, prefix] = [join(folder, "clone"), join(folder, "from-git")];
  cloneProject(clone);
  const args = ["install", "--global", "--install-links", "--prefer-offline", "--prefix", prefix];
  expect(spawnSync("npm", [...args, `git+file://${clone}`], { env: quietEnv }).status).toBe(0);
  const run = spawnSync(join(prefix, "bin", "promptpack"), ["--help"], { encoding: "utf8" });
  expect(run.stdout).toMatch(/^Usage: promptpack/u);
}, 1_200_000);

it("installs and runs", () => {
  const args = ["install", "--global", "--offline", "--prefix", folder, join(folder, name)];
  expect(spawnSync("npm", args, { env: quietEnv, encoding: "utf8" }).status).toBe(0);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const run = spawnSync(join(folder, "bin", "promptpack"), ["--version"], { encoding: "utf8" });
  expect(run.stdout).toBe(`${version}\n`);
});

it("is published as it should be, says publint", async () => {
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  expect(messages).toEqual([]);
});

it("has types that resolve, for whoever imports it", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (analysis.types === false) return expect.unreachable("no types");
  // An ES module: older ways to resolve know no `exports`, and `require` would have to await it.
  const asModule = analysis.problems.filter(
    (problem) => !("resolutionKind" in problem) || !["node10", "node16-cjs"].includes(problem.resolutionKind),
  );
  expect(asModule).toEqual([]);
});
