import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { browserSettings } from "../../scripts/bundle-settings.mjs";

/** The parts of the library that the build itself needs. */
export async function loadLibrary() {
  const folder = mkdtempSync(join(tmpdir(), "promptpack-site-"));
  const outfile = join(folder, "library.mjs");
  try {
    await build({
      ...browserSettings,
      entryPoints: ["site/build/library.ts"],
      outfile,
      format: "esm",
      target: "esnext",
      minify: false,
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The scripts of the site, by name, and what esbuild says about them. */
export async function bundleScripts(examples) {
  const settings = { ...browserSettings, outdir: "site/dist", write: false };
  const worker = await build({ ...settings, entryPoints: ["site/client/worker/worker.ts"] });
  const [{ text: workerSource }] = worker.outputFiles;
  const page = await build({
    ...settings,
    entryPoints: {
      theme: "site/client/theme.ts",
      site: "site/client/site.ts",
      playground: "site/client/playground/main.ts",
    },
    plugins: [virtualModules({ worker: workerSource, examples })],
  });
  const named = page.outputFiles.map(({ path, text }) => [path.split(/[\\/]/).at(-1), text]);
  return {
    scripts: new Map(named),
    outputs: { ...worker.metafile.outputs, ...page.metafile.outputs },
  };
}

/** `import x from "promptpack:name"`. */
function virtualModules(values) {
  return {
    name: "virtual-modules",
    setup(bundle) {
      bundle.onResolve({ filter: /^promptpack:/ }, ({ path }) => ({
        path: path.slice("promptpack:".length),
        namespace: "promptpack",
      }));
      bundle.onLoad({ filter: /.*/, namespace: "promptpack" }, ({ path }) => ({
        contents: JSON.stringify(values[path]),
        loader: "json",
      }));
    },
  };
}
