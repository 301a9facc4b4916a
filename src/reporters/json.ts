import type { Diagnostic, Fix } from "../diagnostic.js";
import type { LineMap } from "../document/scan-text.js";
import { formatJson } from "../text/escape.js";
import { isEmptyTrace, traceJson } from "../text/format-trace.js";
import { type Reporter, summarize } from "./report.js";
import { maskSecrets } from "../text/secrets.js";

/** The versioned contract that `schema/report.schema.json` describes. */
export const json: Reporter = (report) =>
  formatJson({
    schemaVersion: 1,
    tool: { name: report.tool.name, version: report.tool.version },
    files: report.files.map((file) => ({
      file: file.file,
      specVersion: file.specVersion,
      diagnostics: file.diagnostics.map((diagnostic) => diagnosticJson(diagnostic, file.lines)),
    })),
    summary: summarize(report.files),
  });

/** Keys are in the order of the contract; empty values are omitted. */
function diagnosticJson(diagnostic: Diagnostic, lines: LineMap): object {
  const { rule, severity, message, pointer, project, packPointer, range, trace, fix, docs } = diagnostic;
  const { related = [], data = {} } = diagnostic;
  return {
    rule,
    severity,
    message,
    project,
    pointer,
    packPointer,
    range,
    related: related.length > 0 ? related : undefined,
    trace: trace && !isEmptyTrace(trace) ? traceJson(trace) : undefined,
    data: Object.keys(data).length > 0 ? data : undefined,
    fix: fix && isExact(fix) ? fixJson(fix, lines) : undefined,
    docs,
  };
}

/** A mask in the text of a fix would be written into the file. */
function isExact({ edits }: Fix): boolean {
  return edits.length > 0 && edits.every(({ text }) => maskSecrets(text) === text);
}

function fixJson({ description, unsafe, edits }: Fix, lines: LineMap): object {
  return {
    description,
    unsafe: unsafe === true ? true : undefined,
    edits: edits.map((edit) => ({ ...lines.locate(edit), text: edit.text })),
  };
}
