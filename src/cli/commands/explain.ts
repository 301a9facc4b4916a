import { addColorFlags } from "../request/lint-flags.js";
import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineExplain: DefineCommand = (command, io, finish) => {
  command
    .summary("explain a rule")
    .description(
      "Prints the page of a rule: what it asks for and why, a wrong example with its output, and a right one.",
    )
    .argument("<rule>", 'the id of a rule as a finding shows it, "unknown-entry" or "[unknown-entry]"');
  addColorFlags(command)
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack explain unknown-entry", "one rule"],
        ["promptpack rules", "the ids of all rules"],
      ]),
    )
    .action(async (rule: string, options: { color?: boolean }) => {
      const { explainRule } = await import("../print/explain-rule.js");
      finish(await explainRule(io, rule, options.color));
    });
};
