// How esbuild makes the bundles in dist/, the one in the standalone binary, and the scripts of web pages.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const settings = {
  absWorkingDir: dirname(dirname(fileURLToPath(import.meta.url))),
  bundle: true,
  platform: "node",
  target: "node20.19",
  // ESM where a package has it: what is unused falls away, and UMD wrappers cannot be bundled at all.
  mainFields: ["module", "main"],
  minify: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};
/** Scripts of web pages, in the browsers of 2023 and later. */
export const browserSettings = {
  absWorkingDir: settings.absWorkingDir,
  bundle: true,
  platform: "browser",
  target: ["chrome103", "firefox113", "safari16.4"],
  format: "iife",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};
/** commander starts programs only for commands that are files of their own; loading what that takes costs time. */
export const withoutChildProcesses = {
  name: "without-child-processes",
  setup(bundle) {
    bundle.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer) ? { path: "none", namespace: "none" } : undefined,
    );
    bundle.onLoad({ filter: /^none$/, namespace: "none" }, () => ({ contents: "" }));
  },
};
