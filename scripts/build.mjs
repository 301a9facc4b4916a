/** Builds `dist`: bundles that need no package at run time, the type declarations, the licences of what was bundled. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { settings, withoutChildProcesses } from "./bundle-settings.mjs";
import { generatePageScript } from "./generate-page-script.mjs";
import { generateSchemas } from "./generate-schemas.mjs";
import { bundledLicences } from "./licences.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const quiet = process.argv.includes("--quiet");

generateSchemas();
await generatePageScript();
clearBundles();
/** What speaks to editors stays out of the program, which every command reads as a whole. */
const protocol = { source: "src/cli/editor/protocol.ts", file: "protocol.cjs" };
const withoutProtocol = {
  name: "without-protocol",
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\/protocol\.js$/ }, () => ({
      path: `./${protocol.file}`,
      external: true,
    }));
  },
};
const [library, program, editor] = await Promise.all([
  build({
    ...settings,
    entryPoints: ["src/index.ts"],
    outfile: "dist/index.js",
    format: "esm",
    // Bundled CommonJS packages ask for built-in modules through `require`, which ESM lacks. In a browser there are none:
    // all that these packages take for granted is that a process has an environment.
    banner: { js: "var require=globalThis.process?.getBuiltinModule??(()=>({env:{}}));" },
  }),
  // One CommonJS file: only that can be kept compiled. What is imported lazily in the source is still run lazily.
  build({
    ...settings,
    entryPoints: ["src/cli/run.ts"],
    outfile: "dist/program.cjs",
    format: "cjs",
    plugins: [withoutChildProcesses, withoutProtocol],
    define: { "import.meta.url": "moduleAddress" },
    // Wrapped as Node would do it, so that nobody has to copy a megabyte to do so.
    banner: {
      js: '(function(exports,require,module,__filename,__dirname){var moduleAddress=require("node:url").pathToFileURL(__filename).href;',
    },
    footer: { js: "})" },
  }),
  build({ ...settings, entryPoints: [protocol.source], outfile: `dist/${protocol.file}`, format: "cjs" }),
]);
escapeBeyondAscii(join(dist, "program.cjs"));
writeLoader();
const outputs = Object.assign({}, ...[library, program, editor].map(({ metafile }) => metafile.outputs));
writeFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), bundledLicences(outputs, root, "promptpack"));
if (!(quiet && typesAreFresh())) emitTypes();
if (!quiet) summarize();

/** The program is read as bytes, which is fastest. esbuild escapes strings so that this will do, but not regular expressions. */
function escapeBeyondAscii(file) {
  const text = readFileSync(file, "utf8");
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(file, text.replace(/[^\0-\x7f]/g, escaped), "latin1");
}

/** The loader has the build in it, and beside it the examples that it compiles the program with. */
function writeLoader() {
  const source = readFileSync(join(root, "scripts", "load.cjs"), "utf8");
  const digest = createHash("sha256")
    .update(readFileSync(join(dist, "program.cjs")))
    .digest("hex");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(
    join(dist, "load.cjs"),
    source.replace('"BUILD"', JSON.stringify(`${version}-${digest.slice(0, 16)}`)),
  );
  const packs = readdirSync(join(root, "examples")).filter((name) => name.includes(".pack."));
  for (const name of packs) cpSync(join(root, "examples", name), join(dist, "examples", name));
}

function clearBundles() {
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) {
    if (name !== "types") rmSync(join(dist, name), { recursive: true, force: true });
  }
}

/** Whether no source changed since the declarations were written. */
function typesAreFresh() {
  const entry = join(dist, "types", "index.d.ts");
  return existsSync(entry) && statSync(entry).mtimeMs > newestSource();
}

function newestSource() {
  let newest = 0;
  for (const entry of readdirSync(join(root, "src"), { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs);
  }
  return Math.max(newest, statSync(join(root, "tsconfig.build.json")).mtimeMs);
}

function emitTypes() {
  rmSync(join(dist, "types"), { recursive: true, force: true });
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
  keepReachable(join(dist, "types"));
}

/** Declarations that nobody who imports the package can see would only make it larger. */
function keepReachable(folder) {
  const reached = new Set([join(folder, "index.d.ts")]);
  for (const file of reached) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)\.js"/g)) {
      const imported = join(dirname(file), `${path}.d.ts`);
      if (existsSync(imported)) reached.add(imported);
    }
  }
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !reached.has(file)) rmSync(file);
  }
}

function summarize() {
  for (const [file, { bytes }] of Object.entries(outputs)) {
    if (/\.c?js$/.test(file)) console.log(`${file}  ${(bytes / 1024).toFixed(1)} kB`);
  }
}
