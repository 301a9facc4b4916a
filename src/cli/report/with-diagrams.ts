import { withBom } from "../../document/decode.js";
import type { Format } from "../../document/document.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import type { FileReport } from "../../reporters/report.js";
import type { LintRequest } from "../request/lint-request.js";
import type { Io } from "../terminal/io.js";
import type { LintedFile } from "./linted.js";
import { stepSummaryPath } from "./step-summary.js";

/** A page with more pictures is read by nobody, and they would take the room of the findings. */
const maxDiagrams = 10;

/** Where a summary in Markdown is written, workflows are drawn for it: those with findings first. */
export async function withDiagrams(
  io: Io,
  request: LintRequest,
  files: readonly FileReport[],
  linted: readonly LintedFile[],
): Promise<readonly FileReport[]> {
  if (stepSummaryPath(io, request) === undefined && !request.formats.some(({ name }) => name === "markdown"))
    return files;
  const readable = linted.filter(({ hasFaults }) => !hasFaults);
  const formats = new Map(readable.map(({ report, format }) => [report.file, format]));
  const drawn = new Map<FileReport, string>();
  const order = [true, false].flatMap((faulty) =>
    files.filter((file) => file.diagnostics.length > 0 === faulty),
  );
  for (const file of order) {
    if (drawn.size === maxDiagrams) break;
    const format = formats.get(file.file);
    const diagram = format && (await drawDiagram(file, format, request));
    if (diagram !== undefined) drawn.set(file, diagram);
  }
  return files.map((file) => {
    const diagram = drawn.get(file);
    return diagram === undefined ? file : { ...file, diagram };
  });
}

async function drawDiagram(
  { lines, diagnostics }: FileReport,
  format: Format,
  { limits, specVersion }: LintRequest,
): Promise<string | undefined> {
  // It was let in once.
  const again = { ...limits, maxBytes: Infinity };
  const document = await readDocumentLazily(withBom(lines.text), format, again);
  const { root } = document;
  if (root?.kind !== "mapping") return undefined;
  const { readPack } = await import("../../pack/read-pack.js");
  const { resolveSpec: specOf } = await import("../../pack/spec.js");
  const pack = readPack(document, root, specOf(root, specVersion));
  const { isDrawable: canBeDrawn } = await import("../../drawing/build-picture.js");
  if (!canBeDrawn(pack)) return undefined;
  const { buildMachine } = await import("../../machine/machine.js");
  const { findFacts } = await import("../../machine/find-facts.js");
  const { draw } = await import("../../drawing/draw.js");
  const facts = findFacts(buildMachine(pack.workflow));
  return (await draw("mermaid", { pack, facts, diagnostics })).text;
}
