import type { Diagnostic, Severity, Span, Trace } from "../../diagnostic.js";
import { stepText, traceLines } from "../../text/trace-text.js";
import { visible } from "../../text/visible-text.js";
import { tool } from "../../words/tool.js";
import { localRulePage } from "../files/rule-page.js";
import type { EditorPlaces } from "./editor-places.js";
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
export function editorDiagnostic(uri: string, at: EditorPlaces, found: Diagnostic): EditorDiagnostic {
  const { rule, severity, message, range, trace } = found;
  const places = relatedPlaces(uri, at, found);
  const page = found.docs ?? localRulePage(rule);
  return {
    range: at.range(range),
    severity: severityOf[severity],
    source: tool.name,
    code: rule,
    ...(page !== undefined && { codeDescription: { href: page } }),
    message: [visible(message), ...(trace === undefined ? [] : traceLines(trace))].join("\n"),
    ...(places.length > 0 && { relatedInformation: places }),
  };
}

/** A mistake in a config file. */
export function configDiagnostic(range: EditorRange, message: string): EditorDiagnostic {
  return { range, severity: DiagnosticSeverity.Error, source: tool.name, message: visible(message) };
}

function relatedPlaces(
  uri: string,
  at: EditorPlaces,
  { related = [], trace }: Diagnostic,
): DiagnosticRelatedInformation[] {
  const place = (range: EditorRange, message: string) => ({ location: { uri, range }, message });
  return [
    ...related.map(({ range, message }) => place(at.range(range), visible(message))),
    ...steps(trace).map(([text, span]) => place(at.span(span), text)),
  ].slice(0, mostPlaces);
}

/** Each step of a run once, however often it is taken. */
function steps(trace: Trace | undefined): readonly (readonly [string, Span])[] {
  const places = new Map<string, Span>();
  for (const step of trace?.steps ?? []) {
    const text = stepText(step);
    if (step.at !== undefined && !places.has(text)) places.set(text, step.at);
  }
  return [...places];
}
