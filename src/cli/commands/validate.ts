import { addLintFlags, type LintFlags } from "../request/lint-flags.js";
import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineValidate: DefineCommand = (command, io, finish) => {
  command
    .summary("lint with the preset errors")
    .description(
      "Is lint with the preset errors, which reports what breaks the specification or cannot run. Another --preset " +
        "takes its place.",
    )
    .argument("[paths...]", "files, folders and globs; - reads standard input");
  addLintFlags(command)
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack validate", "the packs below this folder"],
        ["promptpack validate dist/support.pack.json", "one pack"],
        ["compile | promptpack validate -", "the output of another program"],
      ]),
    )
    .action(async (paths: readonly string[], flags: LintFlags) => {
      const { lintFiles } = await import("../lint/lint-files.js");
      finish(await lintFiles(io, paths, { preset: "errors", ...flags }));
    });
};
