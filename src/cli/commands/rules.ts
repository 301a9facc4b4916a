import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineRules: DefineCommand = (command, io, finish) => {
  command
    .summary("list the rules")
    .description(
      "Lists the rules: what each one asks for, and its default severity. Findings of those marked [fix] can be fixed with --fix, of those marked [unsafe fix] with --fix --unsafe-fixes.",
    )
    .option(
      "-f, --format <name>",
      'text, or json: an array of {id, severity, summary, source}, with fix, "safe" or "unsafe", where there is one',
      "text",
    )
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack rules", "the list"],
        ["promptpack rules --format json", "for a program"],
        ["promptpack explain dead-guard", "one rule in full"],
      ]),
    )
    .action(async (options: { format: string }) => {
      const { listRules } = await import("../print/list-rules.js");
      finish(listRules(io, options.format));
    });
};
