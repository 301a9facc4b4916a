import { examples } from "../examples.js";
import type { SimulateFlags } from "../simulation-setting.js";
import { collect } from "../lint-flags.js";
import type { DefineCommand } from "./command.js";

export const defineSimulate: DefineCommand = (command, io, finish) => {
  command
    .summary("step through a workflow without a model")
    .description(
      "Steps through the workflow of a pack: with the events given, at random, or, without either, as you type. " +
        "Prints each transition with the artifacts as they stood then, and how the run ended. " +
        "Exits with 0 when the run is complete, 1 when it is not, 2 when something given makes no sense.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .option(
      "-e, --events <list>",
      "the events in order, as A,B,C; A[name=value] fills an artifact before A; \\ keeps a comma or bracket; repeatable",
      collect,
    )
    .option("--random <n>", "at most this many events, chosen at random")
    .option("--seed <n>", "what the random choice depends on (1 by default)")
    .option("--no-budget", "set engine.budget aside")
    .option("--agent <member>", "start in the state of this agent")
    .option(
      "--set <name=value>",
      "fill an artifact when a state that declares it is next left; repeatable",
      collect,
    )
    .option("--var <name=value>", "a variable for --render; repeatable", collect)
    .option("--render", "show the prompt of the last state with artifacts and variables filled in")
    .option("-f, --format <name>", "table, json, or jsonl: a recorded run, one transition per line", "table")
    .option("--color", "use colour, whatever the terminal is")
    .option("--no-color", "use no colour")
    .addHelpText(
      "after",
      examples([
        ["promptpack simulate codegen.pack.yaml", "step by step; help lists what to type"],
        ["promptpack simulate a.pack.yaml --events Ready,Done", "the events in order"],
        ["promptpack simulate a.pack.yaml --events 'Ready[sha=abc],Done'", "with an artifact"],
        ["promptpack simulate a.pack.yaml --random 50 --seed 7", "wherever it goes"],
        ["promptpack simulate a.pack.yaml -e Ready -f jsonl > run.jsonl", "a run to keep"],
      ]),
    )
    .action(async (path: string, flags: SimulateFlags) => {
      const { simulatePack } = await import("../simulate-pack.js");
      finish(await simulatePack(io, path, flags));
    });
};
