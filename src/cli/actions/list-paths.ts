import { listPaths, pathsArena, pathsJsonLines, pathsText } from "../../coverage/listed-path.js";
import { pathNotes } from "../../coverage/coverage-text.js";
import { findPaths } from "../../coverage/paths.js";
import { stringOf } from "../../document/node.js";
import { type PackFlags, requireFormat } from "../config/flags.js";
import { type Io, printMessage, UsageError } from "../terminal/io.js";
import { noStatesError, openPack, type OpenedPack, type OpenedWorkflow, warnBeforeRun } from "./open-pack.js";
import { writeOutput } from "./write-output.js";

interface PathsFlags extends PackFlags {
  readonly format: string;
}

export async function listPackPaths(io: Io, path: string, flags: PathsFlags): Promise<number> {
  const { format, output } = flags;
  requireFormat("paths", format);
  const opened = await openPack(io, path, flags);
  if (opened === undefined) return 2;
  const { workflow, machine } = await openRunnable(io, opened);
  const listed = listPaths(findPaths(machine), opened.pack, workflow);
  const id = stringOf(opened.pack.root.get("id")) ?? "workflow";
  const notes = pathNotes(listed.coverage);
  const text =
    format === "jsonl"
      ? pathsJsonLines(listed)
      : format === "arena"
        ? pathsArena(listed, id, workflow)
        : pathsText(listed, io.stdout.columns || 80) + notes.map((note) => `${note}\n`).join("");
  writeOutput(io, output, text, [opened.file]);
  if (format !== "table") for (const note of notes) printMessage(io, note);
  return 0;
}

export async function openRunnable(io: Io, opened: OpenedPack): Promise<OpenedWorkflow> {
  if (opened.workflow === undefined) throw noStatesError(opened, "tried");
  if (opened.workflow.machine.roots.length === 0)
    throw new UsageError('The workflow has no state to start in: run "promptpack lint".');
  await warnBeforeRun(io, opened);
  return opened.workflow;
}
