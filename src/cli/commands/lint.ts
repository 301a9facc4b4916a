import { addLintFlags, type LintFlags } from "../request/lint-flags.js";
import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineLint: DefineCommand = (command, io, finish) => {
  command
    .summary("check packs and report findings")
    .description(
      "Checks PromptPack files. Folders are searched for {*.pack,*.promptpack,pack,promptpack}.{json,yaml,yml}, " +
        "skipping node_modules and what .gitignore files match, unless you name it. Without a path, the working " +
        "folder is searched. The configuration of a resumable loop (RFC-103) is found, too, whatever its files are " +
        "called. Exits with 1 when there are errors or more warnings than --max-warnings, with 2 when the job could " +
        "not be done, and with 0 otherwise.",
    )
    .argument("[paths...]", "files, folders and globs; - reads standard input");
  addLintFlags(command)
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack lint", "the packs below this folder"],
        ['promptpack lint "packs/**/*.yaml"', "the files that a glob matches"],
        ["promptpack lint --max-warnings 0", "warnings fail, too"],
        ["promptpack lint -f sarif=out.sarif -f pretty", "one for CI, one to read"],
        ["promptpack lint - < draft.yaml", "standard input"],
        ["promptpack lint --staged", "what is about to be committed"],
        ["promptpack lint --watch", "again on every save"],
      ]),
    )
    .action(async (paths: readonly string[], flags: LintFlags) => {
      const { lintFiles } = await import("../lint/lint-files.js");
      finish(await lintFiles(io, paths, flags));
    });
};
