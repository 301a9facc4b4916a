/**
 * Makes the standalone binary, `binary/promptpack`, or the file that is named: Bun, the program, and the files that the
 * program reads, in one file. Needs `dist` and `tools/`; `npm run binary` sees to both.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { settings, withoutChildProcesses } from "./bundle-settings.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** In place of the loader: Bun has compiled the program into the binary, so nothing is compiled or kept. */
const programInside = replaceModule(
  /^\.\.\/dist\/load\.cjs$/,
  `
  import { build, userCacheFolder } from "./dist/load.cjs";
  import { run } from "./src/cli/run.ts";
  export { build, userCacheFolder };
  export const loadProgram = () => ({ run, keepCompiled: () => undefined });
  `,
);
const filesInside = replaceModule(
  /\/package-files\.js$/,
  `
  const files = ${JSON.stringify(Object.fromEntries(packageFiles()))};
  export const readPackageFile = (path) => files[path];
  export const localRulePage = () => undefined;
  `,
);

const suffix = process.platform === "win32" ? ".exe" : "";
const file = resolve(process.argv[2] ?? join(root, "binary", `promptpack${suffix}`));
const bun = findBun();
if (bun === undefined) {
  console.error("Bun is not installed in tools/ for this platform.");
  process.exit(1);
}
await makeBinary();
console.log(`${file}  ${(statSync(file).size / 1e6).toFixed(0)} MB`);

async function makeBinary() {
  const folder = mkdtempSync(join(tmpdir(), "promptpack-binary-"));
  try {
    const bundle = join(folder, "promptpack.cjs");
    await build({
      ...settings,
      entryPoints: ["bin/promptpack.js"],
      outfile: bundle,
      format: "cjs",
      plugins: [withoutChildProcesses, programInside, filesInside],
      // Bun would write the folder of the build here.
      define: { __dirname: '"."' },
    });
    mkdirSync(dirname(file), { recursive: true });
    // Without the last two, the binary would run code that a folder's bunfig.toml names, and take over its .env file.
    const flags = ["--compile", "--bytecode", "--no-compile-autoload-bunfig", "--no-compile-autoload-dotenv"];
    execFileSync(bun, ["build", ...flags, bundle, "--outfile", file], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Bun's program, or undefined if none runs here. Bun may be installed for several kinds of processor and of C library;
 * its install script, where npm runs it, moves the one that fits to the first place.
 */
function findBun() {
  const folder = join(root, "tools", "node_modules");
  const kinds = existsSync(join(folder, "@oven")) ? readdirSync(join(folder, "@oven")).sort() : [];
  const name = process.platform === "win32" ? "bun.exe" : "bun";
  const programs = ["bun/bin/bun.exe", ...kinds.map((kind) => `@oven/${kind}/bin/${name}`)];
  return programs
    .map((program) => join(folder, program))
    .find((program) => spawnSync(program, ["--version"]).status === 0);
}

/** The path and the text of each file that the program reads, and of the licences that have to go with it. */
function packageFiles() {
  const paths = ["docs/rules", "schema"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  return [...paths, "dist/THIRD-PARTY-LICENSES.txt"].map((path) => [
    path,
    readFileSync(join(root, path), "utf8"),
  ]);
}

function replaceModule(filter, contents) {
  const name = `replaced ${filter.source}`;
  return {
    name,
    setup(bundle) {
      bundle.onResolve({ filter }, () => ({ path: name, namespace: name }));
      bundle.onLoad({ filter: /.*/, namespace: name }, () => ({ contents, resolveDir: root }));
    },
  };
}
