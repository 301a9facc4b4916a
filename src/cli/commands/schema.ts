import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineSchema: DefineCommand = (command, io, finish) => {
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
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack schema > promptpack.schema.json", "for an editor to complete packs"],
        ["promptpack schema --kind config", "for the config file"],
        ["promptpack schema --kind report", "for the output of --format json"],
      ]),
    )
    .action(async (options: { kind: string }) => {
      const { printSchema } = await import("../print/print-schema.js");
      finish(printSchema(io, options.kind));
    });
};
