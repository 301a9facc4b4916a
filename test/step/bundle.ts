import { join } from "node:path";
import { build } from "esbuild";

/** A program for child processes, in one file, so that it starts fast. */
export async function bundle(entry: string, folder: string): Promise<string> {
  const program = join(folder, "child.mjs");
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    mainFields: ["module", "main"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    minify: true,
    logLevel: "error",
  });
  return program;
}
