import type { GraphFlags } from "../print/draw-graph.js";
import { addLimitFlags } from "../request/limits.js";
import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineGraph: DefineCommand = (command, io, finish) => {
  command
    .summary("draw the workflow of a pack")
    .description(
      "Draws the workflow of a pack and marks its findings: loops that never have to end, states that no run enters, " +
        "names that lead nowhere. Findings that a comment or the config silences are not marked. Forced exits are " +
        "dashed. Exits with 0 when the workflow was drawn, whatever was found, and with 2 when it could not be.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .option("-f, --format <name>", "mermaid (the default), dot, svg, html or json")
    .option(
      "-o, --output <file>",
      "write to this file, making missing folders; its extension sets the format",
    )
    .option("--no-findings", "draw the workflow without findings")
    .option(
      "--spec-version <version>",
      "check the pack against this version of the specification, whatever its $schema says",
    );
  addLimitFlags(command)
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack graph support.pack.yaml", "Mermaid, for a Markdown page"],
        ["promptpack graph support.pack.yaml -o support.html", "an interactive page"],
        ["promptpack graph support.pack.yaml -o docs/support.svg", "a picture to commit"],
        ["promptpack graph support.pack.yaml -f dot | dot -Tpdf > a.pdf", "through Graphviz"],
      ]),
    )
    .action(async (pack: string, flags: GraphFlags) => {
      const { drawGraph } = await import("../print/draw-graph.js");
      finish(await drawGraph(io, pack, flags));
    });
};
