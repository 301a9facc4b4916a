import { examples } from "../examples.js";
import type { DefineCommand } from "./command.js";

export const defineInit: DefineCommand = (command, io, finish) => {
  command
    .summary("write a config, a pre-commit hook and a GitHub workflow")
    .description(
      "Writes promptpack.config.yaml, .pre-commit-config.yaml and .github/workflows/promptpack-lint.yml, " +
        "each only where there is none, and says what it wrote.",
    )
    .option("--dry-run", "print what would be written, and write nothing")
    .addHelpText(
      "after",
      examples([
        ["promptpack init --dry-run", "to look first"],
        ["promptpack init", "to write"],
      ]),
    )
    .action(async (options: { dryRun?: true }) => {
      const { initProject } = await import("../init-project.js");
      finish(initProject(io, options.dryRun === true));
    });
};
