import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Script } from "node:vm";
import { expect, it } from "vitest";

interface Loader {
  readonly compiledFile: string;
  readonly compileProgram: (compiled: Uint8Array) => Script;
}

const loader = createRequire(import.meta.url)("../../dist/load.cjs") as Loader;

it("is compiled in a form that this version of Node accepts", () => {
  const { cachedDataRejected } = loader.compileProgram(readFileSync(loader.compiledFile));
  expect(cachedDataRejected).toBe(false);
});

it("offers the compiled form to no other engine, system or processor", () => {
  const { versions, platform, arch } = process;
  expect(basename(loader.compiledFile)).toBe(`program.cjs.${versions.v8}-${platform}-${arch}`);
});

it("runs without a compiled form that fits", () => {
  const folder = mkdtempSync(join(tmpdir(), "promptpack-uncompiled-"));
  try {
    for (const part of ["bin", "dist", "package.json"]) cpSync(part, join(folder, part), { recursive: true });
    rmSync(join(folder, "dist", basename(loader.compiledFile)));
    const lint = (program: string): string =>
      execFileSync(process.execPath, [
        program,
        "lint",
        "--no-config",
        "examples/codegen.pack.yaml",
      ]).toString();
    expect(lint(join(folder, "bin", "promptpack.js"))).toBe(lint("bin/promptpack.js"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("has only ASCII characters, because it is read as bytes", () => {
  expect(readFileSync("dist/program.cjs", "utf8")).not.toMatch(/[^\0-\x7f]/);
});

it("escapes other characters without changing them", () => {
  const drawn = execFileSync(process.execPath, [
    "bin/promptpack.js",
    "graph",
    "test/drawing/expected/small.pack.yaml",
  ]);
  expect(drawn.toString()).toBe(readFileSync("test/drawing/expected/small.mmd", "utf8"));
});

it("loads no part of Node that a plain lint can do without", () => {
  const folder = mkdtempSync(join(tmpdir(), "promptpack-modules-"));
  try {
    const runner = join(folder, "runner.cjs");
    const program = JSON.stringify(resolve("bin/promptpack.js"));
    writeFileSync(
      runner,
      `process.on("exit", () => console.error(JSON.stringify(process.moduleLoadList)));
       require(${program});`,
    );
    const args = [runner, "lint", "--no-config", "examples/self-correcting.pack.json"];
    const { stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { XDG_CACHE_HOME: folder },
    });
    const loaded = JSON.parse(stderr) as readonly string[];
    expect(loaded).toContain("NativeModule vm");
    for (const heavy of ["crypto", "v8", "child_process"])
      expect(loaded).not.toContain(`NativeModule ${heavy}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
