import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, relative } from "node:path";
import { build, type Loader, type Plugin } from "esbuild";

export interface Loaded {
  readonly names: readonly string[];
  readonly modules: number;
  /** Of the minified program. */
  readonly bytes: number;
}

const root = process.cwd();

/** Makes every module announce that it runs. */
const announcing: Plugin = {
  name: "announcing",
  setup(bundle) {
    bundle.onLoad({ filter: /\.(?:ts|js|mjs|cjs)$/, namespace: "file" }, ({ path }) => {
      const name = JSON.stringify(relative(root, path));
      const extension = extname(path);
      const loader: Loader = extension === ".ts" ? "ts" : "js";
      return { contents: `${readFileSync(path, "utf8")}\n;globalThis.announce?.(${name});`, loader };
    });
  },
};

/** Builds the program once, and measures what a command line loads. */
export async function measureLoading(): Promise<{ of(args: readonly string[]): Loaded; end(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "promptpack-startup-"));
  const { metafile } = await build({
    entryPoints: ["src/cli/run.ts"],
    outfile: join(folder, "program.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    mainFields: ["module", "main"],
    minify: true,
    metafile: true,
    logLevel: "silent",
    define: { "import.meta.url": JSON.stringify(`file://${root}/dist/program.cjs`) },
    plugins: [announcing],
  });
  const sizes = Object.values(metafile.outputs)[0]?.inputs ?? {};
  const runner = join(folder, "runner.cjs");
  writeFileSync(
    runner,
    `const loaded = new Set();
     globalThis.announce = (name) => loaded.add(name);
     const quiet = { write: () => true };
     const world = { args: process.argv.slice(2), stdin: [], stdout: quiet, stderr: quiet, cwd: ${JSON.stringify(root)}, env: {} };
     require("./program.cjs").run(world).then(() => console.log(JSON.stringify([...loaded])));`,
  );
  return {
    of: (args) => {
      const { stdout } = spawnSync(process.execPath, [runner, ...args], { encoding: "utf8" });
      const names = JSON.parse(stdout) as string[];
      return {
        names,
        modules: names.length,
        bytes: names.reduce((sum, name) => sum + (sizes[name]?.bytesInOutput ?? 0), 0),
      };
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
