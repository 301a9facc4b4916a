import { collectValues } from "../request/lint-flags.js";
import { addLimitFlags } from "../request/limits.js";
import type { StepFlags } from "../step/step-flags.js";
import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineStep: DefineCommand = (command, io, finish) => {
  command
    .summary("take one turn of a resumable run")
    .description(
      "Takes one turn of a workflow, as an RFC-103 job does: loads the run, checks that the turn is the next one, saves " +
        "the run, and prints the events as JSON Lines. A turn that was taken before changes nothing. Exits with 0 when " +
        "the turn is taken or ignored, with 1 when it is refused or the run escalates, and with 2 when the job could " +
        "not be done.",
    )
    .argument("<pack>", "a pack with a workflow, or a folder that holds one")
    .requiredOption("--run <file>", "the file that keeps the run between turns")
    .option("--start", "start the run")
    .option("--run-id <id>", "the id of the run; with --start, a UUID by default")
    .option("--agent <member>", "with --start, start in the state of this agent")
    .option("--goal <text>", "with --start, the goal of the run")
    .option("--max-steps <n>", "with --start, the step at which the run escalates (20 by default)")
    .option("--event <event>", "this event of the workflow happened, in the step given by --step")
    .option(
      "--set <name=value>",
      "with --event, fill an artifact of the state that the run leaves; repeatable",
      collectValues,
    )
    .option("--result <status>", "a tool answered the step given by --step: ok or error")
    .option("--tool <tool>", "with --result, the tool that answered")
    .option("--attempt <n>", "with --result, the attempt that it answers")
    .option(
      "--step <n>",
      "the step of the event or result; given twice, the second is the step of the request",
      collectValues,
    )
    .option("--request <tool>", "then request a tool, as the next step, or as the same step after an error")
    .option("--done", "then complete the run; alone, with its last --step, once the workflow has ended");
  addLimitFlags(command)
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack step a.pack.yaml --run r.json --start --request fetch", "start, and request a tool"],
        ["promptpack step a.pack.yaml --run r.json --result ok --step 1 --tool fetch", "the tool answered"],
        ["promptpack step a.pack.yaml --run r.json --event Ready --step 2 --done", "an event, and the end"],
      ]),
    )
    .action(async (path: string, flags: StepFlags) => {
      const { stepPack } = await import("../step/step-pack.js");
      finish(await stepPack(io, path, flags));
    });
};
