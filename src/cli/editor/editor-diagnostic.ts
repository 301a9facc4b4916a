import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic, Range, Severity, Trace } from "../../diagnostic.js";
import type { LineMap } from "../../document/line-map.js";
import { stepText, traceLines } from "../../text/trace-text.js";
import { visible } from "../../text/visible-text.js";
import { tool } from "../../words/tool.js";
import { packageRoot } from "../files/package-root.js";
import {
  DiagnosticSeverity,
  type DiagnosticRelatedInformation,
  type EditorDiagnostic,
  type EditorRange,
} from "./protocol.js";

const severityOf: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** A list of places that is longer than this nobody clicks through. */
const mostPlaces = 100;

/** A finding as an editor shows it: the run is a part of its text, and each step a place to go to. */
export function editorDiagnostic(uri: string, lines: LineMap, found: Diagnostic): EditorDiagnostic {
  const { rule, severity, message, range, trace } = found;
  const places = relatedPlaces(uri, lines, found);
  return {
    range: editorRange(range),
    severity: severityOf[severity],
    source: tool.name,
    code: rule,
    codeDescription: { href: found.docs ?? pageOf(rule) },
    message: [visible(message), ...(trace === undefined ? [] : traceLines(trace))].join("\n"),
    ...(places.length > 0 && { relatedInformation: places }),
  };
}

/** Ours count from 1, those of the protocol from 0. */
export function editorRange({ start, end }: Range): EditorRange {
  return {
    start: { line: start.line - 1, character: start.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  };
}

function relatedPlaces(
  uri: string,
  lines: LineMap,
  { related = [], trace }: Diagnostic,
): DiagnosticRelatedInformation[] {
  const at = (range: Range, message: string) => ({ location: { uri, range: editorRange(range) }, message });
  return [
    ...related.map(({ range, message }) => at(range, visible(message))),
    ...steps(trace).map(([text, { start, end }]) => at(lines.range(start, end), text)),
  ].slice(0, mostPlaces);
}

/** Each step of a run once, however often it is taken. */
function steps(trace: Trace | undefined): readonly (readonly [string, { start: number; end: number }])[] {
  const places = new Map<string, { start: number; end: number }>();
  for (const step of trace?.steps ?? []) {
    const text = stepText(step);
    if (step.at !== undefined && !places.has(text)) places.set(text, step.at);
  }
  return [...places];
}

/** The pages lie in the package, and so are those of its version. */
function pageOf(rule: string): string {
  return pathToFileURL(join(packageRoot(), "docs", "rules", `${rule}.md`)).href;
}
