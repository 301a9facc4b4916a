import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { transform } from "esbuild";
import { expect, it } from "vitest";

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
    const start = () =>
      spawnSync(process.execPath, args, { encoding: "utf8", env: { XDG_CACHE_HOME: folder } }).stderr;
    // The first run keeps the compiled form.
    start();
    const loaded = JSON.parse(start()) as readonly string[];
    expect(loaded).toContain("NativeModule vm");
    for (const heavy of ["crypto", "v8", "child_process"])
      expect(loaded).not.toContain(`NativeModule ${heavy}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("is refused by an older Node in one line, so the file that says so is in its JavaScript", async () => {
  const text = readFileSync("bin/promptpack.js", "utf8");
  const writtenFor = async (target: string) => (await transform(text, { target })).code;
  expect(await writtenFor("node12")).toBe(await writtenFor("esnext"));
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(text).toContain(`promptpack needs Node ${engines.node.replace(">=", "")} or newer;`);
});
