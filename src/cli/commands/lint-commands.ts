import { Option } from "commander";
import { addLimitFlags, addLintFlags, addSettingFlags, addSpecVersionFlag } from "../config/flags.js";
import { addExamples, type DefineCommand } from "./usage.js";

export const defineLint: DefineCommand = (command, runs) => {
  command
    .summary("check packs and report findings")
    .description(
      "Checks PromptPack files. Folders are searched for {*.pack,*.promptpack,pack,promptpack}.{json,yaml,yml}, " +
        "skipping node_modules and what .gitignore files match, unless you name it. Without a path, the working " +
        "folder is searched. Files that configure a resumable loop (RFC-103) are found under any name. Exits with 1 " +
        "when there are errors or more warnings than --max-warnings, with 2 when the job could not be done, and " +
        "with 0 otherwise.",
    )
    .argument("[paths...]", "files, folders and globs; - reads standard input");
  addLintFlags(command);
  addExamples(command, [
    ["promptpack lint", "the packs below this folder"],
    ['promptpack lint "packs/**/*.yaml"', "the files that a glob matches"],
    ["promptpack lint --max-warnings 0", "warnings fail, too"],
    ["promptpack lint -f sarif=out.sarif -f pretty", "one for CI, one to read"],
    ["promptpack lint - < draft.yaml", "standard input"],
    ["promptpack lint --staged", "what is about to be committed"],
    ["promptpack lint --watch", "again on every save"],
  ]).action(runs(async () => (await import("../lint/lint-files.js")).lintFiles));
};

export const defineValidate: DefineCommand = (command, runs) => {
  command
    .summary("lint with the preset errors")
    .description(
      "The same as lint --preset errors: reports only what breaks the specification or cannot run. Another --preset " +
        "replaces it.",
    )
    .argument("[paths...]", "files, folders and globs; - reads standard input");
  addLintFlags(command);
  addExamples(command, [
    ["promptpack validate", "the packs below this folder"],
    ["promptpack validate dist/support.pack.json", "one pack"],
    ["compile | promptpack validate -", "the output of another program"],
  ]).action(runs(async () => (await import("../lint/lint-files.js")).validateFiles));
};

export const defineLsp: DefineCommand = (command, runs) => {
  command
    .summary("serve an editor: findings as you type, and fixes")
    .description(
      "Serves the Language Server Protocol over standard input and output. Started by an editor, it lints the packs " +
        "and routes (RFC-103) that are open there, saved or not, with the configuration of each, offers what --fix " +
        "can fix, completes, explains and renames, and goes from names to their definitions and references. Exits with " +
        "0 when the editor shuts it down, and with 1 when the editor is gone.",
    );
  addLimitFlags(
    addSpecVersionFlag(addSettingFlags(command))
      .option("--baseline <file>", "leave out the findings that this file records")
      .option("--stdio", "the default; accepted because many editors pass it")
      .addOption(new Option("--clientProcessId <id>", "passed by some editors").hideHelp()),
  );
  addExamples(command, [
    ["promptpack lsp", "the command to set in your editor"],
    ["promptpack lsp --preset strict", "with infos as warnings"],
  ]).action(runs(async () => (await import("../editor/editor-session.js")).serveEditor));
};
