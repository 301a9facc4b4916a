import { extname, resolve } from "node:path";
import { findPaths, pathsToPlay } from "../../coverage/paths.js";
import { Tried } from "../../coverage/items.js";
import type { RunnableAnalysis } from "../../analysis.js";
import type { Limits } from "../../document/file-format.js";
import { draw, type DrawingFormat, drawingFormats } from "../../drawing/draw.js";
import { directions, type TriedParts } from "../../drawing/picture.js";
import { knownEventsOf, type Machine } from "../../machine/machine.js";
import { isReadable } from "../../pack/workflow.js";
import { chooseFrom, type PackFlags, readLimits, type ReadingFlags } from "../config/flags.js";
import { readRuntime } from "../config/read-runtime.js";
import { writeOutput } from "../config/refuse-overwrite.js";
import { openInBrowser } from "../files/open-in-browser.js";
import { temporaryPage } from "../files/write-file.js";
import { type Io, printMessage, UsageError } from "../terminal/io.js";
import {
  findingsOf,
  openWorkflow,
  refuseSharedInput,
  warnAboutErrors,
  warnAboutVersion,
} from "./open-pack.js";

interface GraphFlags extends PackFlags, ReadingFlags {
  readonly format?: string;
  readonly open?: true;
  readonly direction: string;
  readonly findings: boolean;
  readonly coverage?: readonly string[];
}

export async function drawGraph(io: Io, path: string, flags: GraphFlags): Promise<number> {
  const format = chooseFormat(flags);
  if (flags.open && (format !== "html" || flags.output === "-"))
    throw new UsageError('"--open" opens an HTML page: leave out other formats, and "--output -".');
  const direction = chooseFrom(directions, flags.direction, "There is no direction");
  const { coverage } = flags;
  const runtime = readRuntime(flags);
  refuseSharedInput(path, coverage ?? []);
  const opened = await openWorkflow(io, path, flags, "drawn");
  const { file, pack } = opened;
  const facts = (runtime && opened.factsIn(runtime)) ?? opened.facts;
  const diagnostics = flags.findings ? await findingsOf(io, opened) : undefined;
  const { text, note } = await draw(format, {
    pack,
    facts,
    diagnostics,
    direction,
    tried: coverage && (await readTriedParts(io, opened, facts.machine, coverage, readLimits(flags))),
    ...(format === "html" && { paths: pathsToPlay(facts.machine) }),
  });
  const output = flags.output ?? (flags.open && temporaryPage());
  writeOutput(io, output, text, [file, ...(coverage ?? [])]);
  if (note !== undefined) printMessage(io, `"${file}" is too large for one picture: ${note}`);
  const isFullyRead = pack.workflow.states.every(
    (state) => isReadable(state) && state.transitions.every(({ target }) => target !== undefined),
  );
  if (!isFullyRead)
    printMessage(
      io,
      `Part of the workflow of "${file}" could not be read, so the picture may lack it: run "promptpack lint".`,
    );
  else if (diagnostics !== undefined) await warnAboutErrors(io, opened, diagnostics);
  warnAboutVersion(io, opened);
  if (!flags.open || output === undefined) return 0;
  const page = resolve(io.cwd, output);
  if (await openInBrowser(page, io.env)) return 0;
  printMessage(io, `No browser could be started: open "${page}" yourself.`);
  return 2;
}

async function readTriedParts(
  io: Io,
  opened: RunnableAnalysis,
  machine: Machine,
  records: readonly string[],
  limits: Limits,
): Promise<TriedParts> {
  const { readRuns } = await import("./measure-coverage.js");
  const { items, coverable, undecided } = findPaths(machine);
  const tried = new Tried(items);
  await readRuns(io, opened, records, limits, tried);
  const known = (item: number): boolean | undefined =>
    coverable.has(item) || (undecided.has(item) && tried.has(item)) ? tried.has(item) : undefined;
  const { states } = machine;
  return {
    state: known,
    event: (index, event) => {
      const state = states[index];
      const number = state && knownEventsOf(state).byName.get(event);
      return number === undefined ? undefined : known(items.transition(index, number));
    },
    forcedExit: (state) => known(items.forcedExit(state)),
  };
}

const formatByExtension = new Map<string, DrawingFormat>([
  [".mmd", "mermaid"],
  [".mermaid", "mermaid"],
  [".dot", "dot"],
  [".gv", "dot"],
  [".svg", "svg"],
  [".html", "html"],
  [".htm", "html"],
  [".json", "json"],
]);

function chooseFormat({ format, output, open }: GraphFlags): DrawingFormat {
  if (format !== undefined) return chooseFrom(drawingFormats, format, "There is no format");
  if (output === undefined || output === "-") return open ? "html" : "mermaid";
  const implied = formatByExtension.get(extname(output).toLowerCase());
  if (implied !== undefined) return implied;
  throw new UsageError(
    `The name "${output}" does not say which format to use: give it one of the extensions ${[...formatByExtension.keys()].join(", ")}, or set "--format".`,
  );
}
