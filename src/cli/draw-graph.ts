import { extname, resolve } from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { canBeDrawn, type DrawnPack } from "../drawing/build-picture.js";
import { draw, drawingFormats, type DrawingFormat } from "../drawing/draw.js";
import { findFacts } from "../machine/facts.js";
import { buildMachine } from "../machine/machine.js";
import { didYouMean } from "../nearest-name.js";
import { readPack } from "../pack/read-pack.js";
import { specOf } from "../pack/spec.js";
import { rules } from "../rules/index.js";
import type { GraphFlags } from "./commands/graph.js";
import { BrokenConfig } from "./config/load-config.js";
import { SettingsSource } from "./config/settings.js";
import { type Io, readAll } from "./io.js";
import { type LintRequest, readRequest } from "./lint-request.js";
import { lintSource, type Source } from "./lint-source.js";
import { describeIoError, readRegularFile } from "./read-file.js";
import { say } from "./say.js";
import { Stopwatch } from "./stopwatch.js";
import { UsageError } from "./usage-error.js";
import { writeFileAtomically } from "./write-file.js";

/** `promptpack graph`: from the command line to the exit code. */
export async function drawGraph(io: Io, file: string, flags: GraphFlags): Promise<number> {
  const format = chooseFormat(flags);
  const request = readRequest(requestFlags(flags));
  const source = await readSource(io, file, request);
  const { document, diagnostics } = await lint(io, source, request);
  const pack = packToDraw(source.file, document, diagnostics, request.specVersion);
  const facts = findFacts(buildMachine(pack.workflow));
  const shown = flags.findings ? diagnostics : [];
  const { text, note } = await draw(format, { pack, facts, diagnostics: shown });
  if (note !== undefined) say(io, `"${source.file}" is too large for one picture: ${note}`);
  write(io, flags.output, text);
  return 0;
}

const extensions = new Map<string, DrawingFormat>([
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
    const help = didYouMean(format, drawingFormats) || ` Choose ${drawingFormats.join(", ")}.`;
    throw new UsageError(`There is no format "${format}".${help}`);
  }
  if (output === undefined || output === "-") return "mermaid";
  const told = extensions.get(extname(output).toLowerCase());
  if (told !== undefined) return told;
  throw new UsageError(
    `The name "${output}" tells no format: end it in ${[...extensions.keys()].join(", ")}, or say --format.`,
  );
}

function requestFlags({ config, specVersion, stdinFilename }: GraphFlags) {
  return {
    ...(config !== undefined && { config }),
    ...(specVersion !== undefined && { specVersion }),
    ...(stdinFilename !== undefined && { stdinFilename }),
  };
}

async function readSource(io: Io, file: string, { limits, stdinFilename }: LintRequest): Promise<Source> {
  if (file === "-") {
    return { file: stdinFilename ?? "<stdin>", bytes: await readAll(io.stdin), path: undefined };
  }
  const path = resolve(io.cwd, file);
  try {
    return { file, bytes: readRegularFile(path, limits.maxBytes), path };
  } catch (error) {
    throw new UsageError(`"${file}" ${describeIoError(error)}.`);
  }
}

async function lint(io: Io, source: Source, request: LintRequest) {
  const beside = source.path ?? resolve(io.cwd, request.stdinFilename ?? "stdin");
  try {
    const settings = await new SettingsSource(rules, io.cwd, request).settingsFor(beside);
    const { document, report } = await lintSource(source, settings, request, new Stopwatch());
    return { document, diagnostics: report.diagnostics };
  } catch (error) {
    if (error instanceof BrokenConfig) throw new UsageError(error.lines.join("\npromptpack: "));
    throw error;
  }
}

/** The pack, if it has a workflow that can be drawn; otherwise why not. */
function packToDraw(
  file: string,
  document: Document,
  diagnostics: readonly Diagnostic[],
  specVersion: string | undefined,
): DrawnPack {
  const { root, faults, lines } = document;
  const foreign = diagnostics.find(({ rule }) => rule === "not-a-pack");
  if (foreign !== undefined) throw new UsageError(`"${file}" cannot be drawn: ${foreign.message}`);
  if (root?.kind !== "mapping") {
    const [fault] = faults;
    const { line, column } = lines.position(fault?.start ?? 0);
    throw new UsageError(`"${file}" cannot be drawn: ${line}:${column} ${fault?.message ?? "it is no pack."}`);
  }
  const pack = readPack(document, root, specOf(root, specVersion));
  if (canBeDrawn(pack)) return pack;
  const lacks = pack.workflow === undefined ? "the pack has no workflow" : "its workflow has no states";
  throw new UsageError(`"${file}" cannot be drawn: ${lacks}.`);
}

function write(io: Io, output: string | undefined, text: string): void {
  if (output === undefined || output === "-") {
    io.stdout.write(text);
    return;
  }
  try {
    writeFileAtomically(resolve(io.cwd, output), text);
  } catch (error) {
    throw new UsageError(`"${output}" ${describeIoError(error).replace("opened", "written")}.`);
  }
}
