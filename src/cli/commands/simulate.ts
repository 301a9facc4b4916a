import { addColorFlags, collectValues } from "../request/lint-flags.js";
import { addLimitFlags } from "../request/limits.js";
import type { SimulateFlags } from "../simulate/simulation-setting.js";
import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineSimulate: DefineCommand = (command, io, finish) => {
  command
    .summary("step through a workflow without a model")
    .description(
      "Steps through the workflow of a pack: with --events, at random with --random, or otherwise interactively. " +
        "Prints each transition with the artifacts at that point, and how the run ended. " +
        "Exits with 0 when the run is complete, with 1 when it is not, and with 2 when it could not be simulated.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .option(
      "-e, --events <list>",
      "the events in order, as A,B,C; A[x=1][y=2] fills the artifacts x and y before A; \\ escapes a comma or bracket; repeatable",
      collectValues,
    )
    .option("--random <n>", "send at most this many events, chosen at random")
    .option("--seed <n>", "the seed of the random choice (1 by default)")
    .option("--no-budget", "ignore engine.budget")
    .option("--agent <member>", "start in the state of this agent")
    .option(
      "--set <name=value>",
      "fill an artifact when the run next leaves a state that declares it; repeatable",
      collectValues,
    )
    .option("--var <name=value>", "a variable for --render; repeatable", collectValues)
    .option("--render", "show the prompt of the last state with artifacts and variables filled in")
    .option("-f, --format <name>", "table, json, or jsonl: a recorded run, one transition per line", "table");
  addColorFlags(addLimitFlags(command))
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack simulate codegen.pack.yaml", "interactively; type help for the commands"],
        ["promptpack simulate a.pack.yaml --events Ready,Done", "the events in order"],
        ['promptpack simulate a.pack.yaml --events "Ready[sha=abc],Done"', "with an artifact"],
        ["promptpack simulate a.pack.yaml --random 50 --seed 7", "a random run"],
        ["promptpack simulate a.pack.yaml -e Ready -f jsonl > run.jsonl", "save the run"],
      ]),
    )
    .action(async (path: string, flags: SimulateFlags) => {
      const { simulatePack } = await import("../simulate/simulate-pack.js");
      finish(await simulatePack(io, path, flags));
    });
};
