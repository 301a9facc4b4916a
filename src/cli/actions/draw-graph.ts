import { isReadable } from "../../pack/workflow.js";
import { extname, resolve } from "node:path";
import { isDrawable } from "../../drawing/build-picture.js";
import { draw, type DrawingFormat, drawingFormats } from "../../drawing/draw.js";
import { choiceHint } from "../../text/wording.js";
import { type LimitFlags, readLimits } from "../config/flags.js";
import { refuseToOverwrite } from "../config/refuse-overwrite.js";
import { describeIoError } from "../files/read-file.js";
import { writeFileAtomically } from "../files/write-file.js";
import type { Io } from "../terminal/io.js";
import { printMessage, UsageError } from "../terminal/messages.js";
import { noStatesError, openPack, warnAboutErrors } from "./open-pack.js";

/** The flags of `graph` as they were written. */
export interface GraphFlags extends LimitFlags {
  readonly format?: string;
  readonly output?: string;
  readonly findings: boolean;
  readonly specVersion?: string;
}

/** `promptpack graph`: from the command line to the exit code. */
export async function drawGraph(io: Io, path: string, flags: GraphFlags): Promise<number> {
  const format = chooseFormat(flags);
  const opened = await openPack(io, path, { specVersion: flags.specVersion, limits: readLimits(flags) });
  if (opened === undefined) return 2;
  const { file, pack, workflow } = opened;
  if (workflow === undefined || !isDrawable(pack)) throw noStatesError(opened, "drawn");
  const diagnostics = flags.findings ? await opened.diagnostics() : undefined;
  const { text, note } = await draw(format, { pack, facts: workflow.facts, diagnostics });
  if (flags.output !== undefined) refuseToOverwrite(io.cwd, flags.output, [resolve(io.cwd, opened.file)]);
  writeOutput(io, flags.output, text);
  if (note !== undefined) printMessage(io, `"${file}" is too large for one picture: ${note}`);
  const isFullyRead = pack.workflow.states.every(
    (state) => isReadable(state) && state.transitions.every(({ target }) => target !== undefined),
  );
  if (!isFullyRead)
    printMessage(
      io,
      `Part of the workflow of "${file}" could not be read, so the picture may lack it: run "promptpack lint".`,
    );
  else if (flags.findings) await warnAboutErrors(io, opened);
  return 0;
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

function chooseFormat({ format, output }: GraphFlags): DrawingFormat {
  if (format !== undefined) {
    const chosen = drawingFormats.find((name) => name === format);
    if (chosen !== undefined) return chosen;
    throw new UsageError(`There is no format "${format}".${choiceHint(format, drawingFormats)}`);
  }
  if (output === undefined || output === "-") return "mermaid";
  const implied = formatByExtension.get(extname(output).toLowerCase());
  if (implied !== undefined) return implied;
  throw new UsageError(
    `The name "${output}" does not say which format to use: give it one of the extensions ${[...formatByExtension.keys()].join(", ")}, or set "--format".`,
  );
}

function writeOutput(io: Io, output: string | undefined, text: string): void {
  if (output === undefined || output === "-") {
    io.stdout.write(text);
    return;
  }
  try {
    writeFileAtomically(io.cwd, output, text);
  } catch (error) {
    throw new UsageError(`"${output}" ${describeIoError(error, "written")}.`);
  }
}
