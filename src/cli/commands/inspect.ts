import type { InspectFlags } from "../print/inspect-pack.js";
import { addColorFlags } from "../request/lint-flags.js";
import { addLimitFlags } from "../request/limits.js";
import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineInspect: DefineCommand = (command, io, finish) => {
  command
    .summary("summarise a pack on one screen")
    .description(
      "Prints what is in a pack and what its workflow can do: where runs start and end, the loops and what bounds " +
        "each, the most visits a run can make, the shortest complete run, tool rounds, artifacts.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .option("-f, --format <name>", "text, or json with the same facts", "text")
    .option(
      "--spec-version <version>",
      "read the pack as this version of the specification, whatever its $schema says",
    );
  addColorFlags(addLimitFlags(command))
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack inspect support.pack.yaml", "one screen"],
        ["promptpack inspect support.pack.yaml --format json", "for a program"],
      ]),
    )
    .action(async (path: string, flags: InspectFlags) => {
      const { inspectPack } = await import("../print/inspect-pack.js");
      finish(await inspectPack(io, path, flags));
    });
};
