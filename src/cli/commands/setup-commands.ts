import { addExamples, type DefineCommand } from "./usage.js";

export const defineInit: DefineCommand = (command, runs) => {
  command
    .summary("write a config, a pre-commit hook and a GitHub workflow")
    .description(
      "Writes promptpack.config.yaml, .pre-commit-config.yaml and .github/workflows/promptpack-lint.yml. " +
        "Never overwrites a file.",
    )
    .option("--dry-run", "print what would be written, but write nothing");
  addExamples(command, [
    ["promptpack init --dry-run", "look first"],
    ["promptpack init", "write the files"],
  ]).action(runs(async () => (await import("../actions/init-project.js")).initProject));
};

export const defineCompletion: DefineCommand = (command, runs) => {
  command
    .summary("print a completion script for a shell")
    .description("Prints a script that completes commands, flags, formats and rule ids in a shell.")
    .argument("<shell>", "bash, zsh or fish");
  addExamples(command, [
    ['eval "$(promptpack completion bash)"', "in ~/.bashrc"],
    ['eval "$(promptpack completion zsh)"', "in ~/.zshrc, after compinit"],
    ["promptpack completion fish | source", "in ~/.config/fish/config.fish"],
  ]).action(runs(async () => (await import("../actions/print-completion.js")).printCompletion));
};
