import { machineIn, type RunnableAnalysis } from "../../analysis.js";
import {
  countOf,
  coverageJson,
  coverageMarkdown,
  coverageTable,
  listPaths,
  pathNotes,
  pathsArena,
  pathsJsonLines,
  pathsText,
  shareText,
} from "../../coverage/coverage-text.js";
import { Tried } from "../../coverage/items.js";
import { findPaths } from "../../coverage/paths.js";
import type { Limits } from "../../document/file-format.js";
import { stringOf } from "../../document/node.js";
import { splitRuns } from "../../replay/recording.js";
import { replayRun } from "../../replay/replay-run.js";
import { type FormatFlags, parseWholeNumber, readLimits, type ReadingFlags } from "../config/flags.js";
import { readRuntime } from "../config/read-runtime.js";
import { writeOutput } from "../config/refuse-overwrite.js";
import { type Io, printMessage, UsageError } from "../terminal/io.js";
import { openWorkflow, refuseSharedInput, warnBeforeRun } from "./open-pack.js";
import { openRecord, describeParseErrors } from "./replay-inputs.js";

interface CoverageFlags extends FormatFlags {
  readonly min?: string;
}

export async function listPackPaths(
  io: Io,
  path: string,
  flags: FormatFlags & ReadingFlags,
): Promise<number> {
  const { format, output } = flags;
  const runtime = readRuntime(flags);
  const opened = await openRunnable(io, path, flags);
  const { pack, workflow, file } = opened;
  const listed = listPaths(findPaths(machineIn(opened, runtime)), pack, workflow);
  const notes = pathNotes(listed.coverage);
  const text =
    format === "jsonl"
      ? pathsJsonLines(listed)
      : format === "arena"
        ? pathsArena(listed, stringOf(pack.root.get("id")) ?? "workflow", workflow)
        : pathsText(listed, io.stdout.columns || 80) + notes.map((note) => `${note}\n`).join("");
  writeOutput(io, output, text, [file]);
  if (format !== "table") for (const note of notes) printMessage(io, note);
  return 0;
}

async function openRunnable(io: Io, path: string, flags: FormatFlags): Promise<RunnableAnalysis> {
  const runnable = await openWorkflow(io, path, flags, "tried");
  if (runnable.machine.roots.length === 0)
    throw new UsageError('The workflow has no state to start in: run "promptpack lint".');
  await warnBeforeRun(io, runnable);
  return runnable;
}

export async function measureCoverage(
  io: Io,
  path: string,
  records: readonly string[],
  flags: CoverageFlags,
): Promise<number> {
  const { format } = flags;
  const min = flags.min === undefined ? 0 : parseWholeNumber("--min", flags.min, 0, 100);
  refuseSharedInput(path, records);
  const runnable = await openRunnable(io, path, flags);
  const found = findPaths(runnable.machine);
  const tried = new Tried(found.items);
  const runs = await readRuns(io, runnable, records, readLimits(flags), tried);
  const coverage = tried.measure(found);
  io.stdout.write(
    format === "json"
      ? coverageJson(coverage, runs)
      : format === "markdown"
        ? coverageMarkdown(coverage, runs)
        : coverageTable(coverage, runs),
  );
  const { seen, total } = countOf(coverage, "transitions");
  if (seen * 100 >= min * total) return 0;
  printMessage(io, `The runs tried ${shareText(seen, total)} of the transitions, less than ${min} %.`);
  return 1;
}

/** Notes what recorded runs have done, says which of them do not fit the workflow, and returns how many there are. */
export async function readRuns(
  io: Io,
  { pack, workflow }: RunnableAnalysis,
  records: readonly string[],
  limits: Limits,
  tried: Tried,
): Promise<number> {
  let runs = 0;
  for (const path of records) {
    const record = await openRecord(io, path, limits);
    const { kind, document, file } = record;
    if (kind === "events")
      throw new UsageError(`"${file}" is a log of RFC-103 events, which names no states of a workflow.`);
    for (const sentence of describeParseErrors(record)) {
      if (document.root === undefined || kind === "context") throw new UsageError(sentence);
      printMessage(io, sentence);
    }
    const recorded = kind === "context" ? [document] : splitRuns(document);
    const { machine } = tried.items;
    const target = { kind, pack, workflow, machine, checksBudget: false } as const;
    const misfits = recorded.flatMap(
      (each) => tried.walkRecord(replayRun({ ...target, document: each })) ?? [],
    );
    runs += recorded.length;
    const [first] = misfits;
    if (first === undefined) continue;
    const { line } = document.lines.position(first.start);
    printMessage(
      io,
      recorded.length === 1
        ? `"${file}" does not fit the workflow from line ${line} on, and counts only up to there: "promptpack replay" says why.`
        : `In "${file}", ${misfits.length} of ${recorded.length} runs do not fit the workflow, the first from line ${line} on, and count only up to there.`,
    );
  }
  return runs;
}
