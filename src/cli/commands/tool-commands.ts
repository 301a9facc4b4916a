import { addColorFlags } from "../config/flags.js";
import { addExamples, type DefineCommand } from "./usage.js";

export const defineRules: DefineCommand = (command, runs) => {
  command
    .summary("list the rules")
    .description(
      "Lists the rules: what each one requires, and its default severity. Findings of rules marked [fix] can be fixed " +
        "with --fix, and of rules marked [unsafe fix] with --fix --unsafe-fixes.",
    )
    .argument("[word]", "list only rules with this word in their id, group or summary")
    .option(
      "-f, --format <name>",
      'text, or json: an array of {id, severity, summary, source}, fix, "safe" or "unsafe", if there is one, and since, the version of the specification that the rule begins with',
      "text",
    );
  addExamples(command, [
    ["promptpack rules", "the list"],
    ["promptpack rules artifact", "the rules about artifacts"],
    ["promptpack rules --format json", "for a program"],
    ["promptpack explain dead-guard", "one rule in full"],
  ]).action(runs(async () => (await import("../actions/show-rules.js")).listRules));
};

export const defineExplain: DefineCommand = (command, runs) => {
  command
    .summary("explain a rule")
    .description("Prints why a rule exists, what is wrong and right in short, and the details.")
    .argument("<rule>", 'the id of a rule as a finding shows it, "unknown-entry" or "[unknown-entry]"');
  addColorFlags(command);
  addExamples(command, [
    ["promptpack explain unknown-entry", "one rule"],
    ["promptpack rules", "the ids of all rules"],
  ]).action(runs(async () => (await import("../actions/show-rules.js")).explainRule));
};

export const defineSchema: DefineCommand = (command, runs) => {
  command
    .summary("print a JSON Schema for editors")
    .description(
      "Prints the JSON Schema of PromptPack files, or of another kind of file that this tool reads or writes.",
    )
    .option(
      "--kind <name>",
      "pack, report (of --format json), config (of promptpack.config.yaml), routes, agentic-event, agentic-state, run-record or workflow-context",
      "pack",
    )
    .option("--spec-version <version>", "the schema of packs as that version of the specification had it");
  addExamples(command, [
    ["promptpack schema > promptpack.schema.json", "for an editor to complete packs"],
    ["promptpack schema --spec-version 1.4", "what PromptPack 1.4 had"],
    ["promptpack schema --kind config", "for the config file"],
    ["promptpack schema --kind report", "for the output of --format json"],
  ]).action(runs(async () => (await import("../actions/print-schema.js")).printSchema));
};

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
