import { examples } from "../examples.js";
import type { StepFlags } from "../step-flags.js";
import { collect } from "../lint-flags.js";
import type { DefineCommand } from "./command.js";

export const defineStep: DefineCommand = (command, io, finish) => {
  command
    .summary("take one turn of a resumable run")
    .description(
      "Takes one turn of a workflow, as a job of RFC-103 does: loads the run, checks that the turn is its next one, " +
        "saves, and prints the events as JSON Lines. A turn that was taken before changes nothing. Exits with 0 when " +
        "the turn is taken or ignored, 1 when it is refused or the run escalates, 2 when the job could not be done.",
    )
    .argument("<pack>", "a pack with a workflow, or a folder that holds one")
    .requiredOption("--run <file>", "the file that holds the run between turns")
    .option("--start", "begin the run")
    .option("--run-id <id>", "what the run is called; with --start, a UUID by default")
    .option("--goal <text>", "with --start, what the run is for")
    .option("--max-steps <n>", "with --start, the step at which the run escalates (20 by default)")
    .option("--event <event>", "an event of the workflow happened, as step --step")
    .option(
      "--set <name=value>",
      "with --event, what the state that is left put into an artifact; repeatable",
      collect,
    )
    .option("--result <status>", "a tool answered step --step: ok or error")
    .option("--tool <tool>", "with --result, the tool that answered")
    .option("--attempt <n>", "with --result, the try that it answers")
    .option("--step <n>", "the step of the event or result; a second one is that of the request", collect)
    .option("--request <tool>", "then ask for a tool, as the next step, or the same after an error")
    .option("--done", "then complete the run")
    .addHelpText(
      "after",
      examples([
        ["promptpack step a.pack.yaml --run r.json --start --request fetch", "begin, and ask for a tool"],
        ["promptpack step a.pack.yaml --run r.json --result ok --step 1 --tool fetch", "it answered"],
        ["promptpack step a.pack.yaml --run r.json --event Ready --step 2 --done", "an event, and the end"],
      ]),
    )
    .action(async (path: string, flags: StepFlags) => {
      const { stepRun } = await import("../step-run.js");
      finish(await stepRun(io, path, flags));
    });
};
