import type { ReplayFlags } from "../replay/replay-record.js";
import { addColorFlags, addReportFlags } from "../request/lint-flags.js";
import { addLimitFlags } from "../request/limits.js";
import type { DefineCommand } from "./command.js";
import { formatExamples } from "./examples.js";

export const defineReplay: DefineCommand = (command, io, finish) => {
  command
    .summary("check a recorded run")
    .description(
      "Checks what a runtime did. A record is recognised by its content: JSON Lines of RFC-103 events, JSON Lines of " +
        "transitions as simulate --format jsonl writes them, or a workflow context that a runtime saved; the last " +
        "two are checked against a pack. Exits with 1 when there are errors or more warnings than --max-warnings, " +
        "with 2 when the job could not be done, and with 0 otherwise.",
    )
    .argument("<record>", "the record of a run; - reads standard input")
    .option("--pack <pack>", "the pack whose workflow ran")
    .option("--no-budget", "ignore engine.budget")
    .option("--routes <path>", "check the events against these routes, a file or a folder")
    .option("--state <file>", "check the state that the plugin agentic-loop saved")
    .option("--workspace <folder>", "check the workspace of the run");
  addColorFlags(addLimitFlags(addReportFlags(command, "use no config file")))
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack replay events.jsonl", "an RFC-103 event log"],
        ["promptpack replay events.jsonl --routes conf/", "and check it against its routes"],
        ["promptpack replay run.jsonl --pack a.pack.yaml", "a recorded run of a workflow"],
      ]),
    )
    .action(async (record: string, flags: ReplayFlags) => {
      const { replayRecord } = await import("../replay/replay-record.js");
      finish(await replayRecord(io, record, flags));
    });
};
