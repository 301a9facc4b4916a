import type { Diagnostic, Severity, Span, Trace } from "../../diagnostic.js";
import { stepText, traceLines } from "../../text/trace-text.js";
import { escapeInvisible } from "../../text/visible-text.js";
import { toolInfo } from "../../words/tool.js";
import { localRulePage } from "../files/rule-page.js";
import type { EditorPositions } from "./editor-places.js";
import {
  DiagnosticSeverity,
  type DiagnosticRelatedInformation,
  type EditorDiagnostic,
  type EditorRange,
} from "./protocol.js";

const editorSeverities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** A list of places that is longer than this nobody clicks through. */
const maxRelatedLocations = 100;

/** A finding as an editor shows it: the run is a part of its text, and each step a place to go to. */
export function toEditorDiagnostic(uri: string, at: EditorPositions, found: Diagnostic): EditorDiagnostic {
  const { rule, severity, message, range, trace } = found;
  const places = relatedLocations(uri, at, found);
  const page = found.docs ?? localRulePage(rule);
  return {
    range: at.range(range),
    severity: editorSeverities[severity],
    source: toolInfo.name,
    code: rule,
    ...(page !== undefined && { codeDescription: { href: page } }),
    message: [escapeInvisible(message), ...(trace === undefined ? [] : traceLines(trace))].join("\n"),
    ...(places.length > 0 && { relatedInformation: places }),
  };
}

/** A mistake in a config file. */
export function toConfigDiagnostic(range: EditorRange, message: string): EditorDiagnostic {
  return { range, severity: DiagnosticSeverity.Error, source: toolInfo.name, message: escapeInvisible(message) };
}

function relatedLocations(
  uri: string,
  at: EditorPositions,
  { related = [], trace }: Diagnostic,
): DiagnosticRelatedInformation[] {
  const place = (range: EditorRange, message: string) => ({ location: { uri, range }, message });
  return [
    ...related.map(({ range, message }) => place(at.range(range), escapeInvisible(message))),
    ...traceLocations(trace).map(([text, span]) => place(at.span(span), text)),
  ].slice(0, maxRelatedLocations);
}

/** Each step of a run once, however often it is taken. */
function traceLocations(trace: Trace | undefined): readonly (readonly [string, Span])[] {
  const places = new Map<string, Span>();
  for (const step of trace?.steps ?? []) {
    const text = stepText(step);
    if (step.at !== undefined && !places.has(text)) places.set(text, step.at);
  }
  return [...places];
}
