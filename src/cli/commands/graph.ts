import { examples } from "../examples.js";
import type { GraphFlags } from "../draw-graph.js";
import type { DefineCommand } from "./command.js";

export const defineGraph: DefineCommand = (command, io, finish) => {
  command
    .summary("draw the workflow of a pack")
    .description(
      "Draws the workflow of a pack with its findings on it: loops that never have to end, states that no run enters, " +
        "names that lead nowhere; what comments or the config silence is not among them. Forced exits are dashed. " +
        "Exits with 0 when there is a picture, whatever was found, and 2 when there is none.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .option("-f, --format <name>", "mermaid (the default), dot, svg, html or json")
    .option("-o, --output <file>", "write to this file; its extension tells the format")
    .option("--no-findings", "draw the plain workflow")
    .option("--spec-version <version>", "hold the pack against this version, whatever its $schema says")
    .addHelpText(
      "after",
      examples([
        ["promptpack graph support.pack.yaml", "Mermaid, for a Markdown page"],
        ["promptpack graph support.pack.yaml -o support.html", "a page to look around in"],
        ["promptpack graph support.pack.yaml -o docs/support.svg", "a picture to commit"],
        ["promptpack graph support.pack.yaml -f dot | dot -Tpdf > a.pdf", "through Graphviz"],
      ]),
    )
    .action(async (pack: string, flags: GraphFlags) => {
      const { drawGraph } = await import("../draw-graph.js");
      finish(await drawGraph(io, pack, flags));
    });
};
