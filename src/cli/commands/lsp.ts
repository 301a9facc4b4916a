import { Option } from "commander";
import { addSettingFlags, type LintFlags } from "../request/lint-flags.js";
import { addLimitFlags } from "../request/limits.js";
import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineLsp: DefineCommand = (command, io, finish) => {
  command
    .summary("serve an editor: findings as you type, and fixes")
    .description(
      "Speaks the Language Server Protocol over standard input and output. Started by an editor, it lints the packs " +
        "and routes (RFC-103) that are open there, saved or not, by the configuration of each, offers what --fix " +
        "can fix, and finds where names lead. Exits with 0 when the editor shuts it down, and with 1 when the editor is gone.",
    );
  addLimitFlags(
    addSettingFlags(command)
      .option("--baseline <file>", "leave out the findings that this file records")
      .option(
        "--spec-version <version>",
        "check the packs against this version of the specification, whatever their $schema says",
      )
      .option("--stdio", "what it does anyway; many editors pass this")
      .addOption(new Option("--clientProcessId <id>", "passed by some editors").hideHelp()),
  )
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack lsp", "the command to set in your editor"],
        ["promptpack lsp --preset strict", "with infos as warnings"],
      ]),
    )
    .action(async (flags: LintFlags) => {
      const { serveEditor } = await import("../editor/serve-editor.js");
      finish(await serveEditor(io, flags));
    });
};
