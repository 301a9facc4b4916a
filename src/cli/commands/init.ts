import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineInit: DefineCommand = (command, io, finish) => {
  command
    .summary("write a config, a pre-commit hook and a GitHub workflow")
    .description(
      "Writes promptpack.config.yaml, .pre-commit-config.yaml and .github/workflows/promptpack-lint.yml. " +
        "Never overwrites a file.",
    )
    .option("--dry-run", "print what would be written, but write nothing")
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack init --dry-run", "look first"],
        ["promptpack init", "write the files"],
      ]),
    )
    .action(async (options: { dryRun?: true }) => {
      const { initProject } = await import("../init/init-project.js");
      finish(initProject(io, options.dryRun === true));
    });
};
