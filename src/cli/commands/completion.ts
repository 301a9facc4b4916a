import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineCompletion: DefineCommand = (command, io, finish) => {
  command
    .summary("print a completion script for a shell")
    .description("Prints a script that completes commands, flags, formats and rule ids in a shell.")
    .argument("<shell>", "bash, zsh or fish")
    .addHelpText(
      "after",
      formatExamples([
        ['eval "$(promptpack completion bash)"', "in ~/.bashrc"],
        ['eval "$(promptpack completion zsh)"', "in ~/.zshrc, after compinit"],
        ["promptpack completion fish | source", "in ~/.config/fish/config.fish"],
      ]),
    )
    .action(async (shell: string) => {
      const { printCompletion } = await import("../completion/print-completion.js");
      finish(printCompletion(io, command.parent ?? command, shell));
    });
};
