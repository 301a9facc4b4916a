import { pathToFileURL } from "node:url";
import type { Diagnostic, Severity, Span, Trace } from "../../diagnostic.js";
import { escapeInvisible } from "../../text/escape.js";
import { stepText, traceLines } from "../../text/format-trace.js";
import { toolInfo } from "../../text/tool-info.js";
import { ConfigError } from "../config/load-config.js";
import { localRulePage } from "../files/paths.js";
import type { EditorOutcome } from "./editor-linter.js";
import { EditorPositions, toEditorRange } from "./editor-positions.js";
import { type OpenFile, uriToPath } from "./open-files.js";
import {
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  type EditorDiagnostic,
  type EditorRange,
  LogMessageNotification,
  MessageType,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShowMessageNotification,
  type TextDocument,
} from "./protocol.js";

/** Tells the editor what was found. */
export class DiagnosticPublisher {
  /** Why a file could not be linted, as it was last said. */
  private readonly failures = new Map<string, string>();
  /** The config that stands in the way of each file that it does. */
  private readonly brokenConfigs = new Map<string, ConfigError>();
  /** What was last told of configs that are not open, by their paths. */
  private readonly publishedConfigs = new Map<string, string>();

  constructor(
    private readonly connection: ProtocolConnection,
    private readonly isOpen: (path: string) => boolean,
  ) {}

  publishOutcome({ uri, path, document }: OpenFile, outcome: EditorOutcome): void {
    this.forgetConfig(uri, path);
    this.brokenConfigs.delete(uri);
    if (outcome.kind === "failed") {
      this.showFailure(uri, outcome.sentences.join("\n"));
      if (outcome.cause instanceof ConfigError) this.brokenConfigs.set(uri, outcome.cause);
    } else this.failures.delete(uri);
    this.publish(uri, diagnosticsOf(uri, document, outcome), { version: document.version });
    this.publishConfigs();
  }

  clear(uri: string): void {
    this.forgetConfig(uri, uriToPath(uri));
    this.failures.delete(uri);
    this.brokenConfigs.delete(uri);
    this.publish(uri, []);
    this.publishConfigs();
  }

  /** What was told of a config is another matter once it is open, or was; the editor may spell its address in another way. */
  private forgetConfig(uri: string, path: string | undefined): void {
    if (path === undefined || !this.publishedConfigs.delete(path)) return;
    const told = pathToFileURL(path).href;
    if (told !== uri) this.publish(told, []);
  }

  /** A config that is open is told of by itself, as it is there; others for as long as they are in somebody's way. */
  private publishConfigs(): void {
    const broken = new Map([...this.brokenConfigs.values()].map((config) => [config.path, config]));
    for (const path of new Set([...broken.keys(), ...this.publishedConfigs.keys()])) {
      if (this.isOpen(path)) continue;
      const faults = broken.get(path)?.faults ?? [];
      const diagnostics = faults.map(({ range, message }) =>
        toConfigDiagnostic(toEditorRange(range), message),
      );
      const known = this.publishedConfigs.get(path) ?? "[]";
      const news = JSON.stringify(diagnostics);
      if (news === known) continue;
      this.publishedConfigs.set(path, news);
      this.publish(pathToFileURL(path).href, diagnostics);
    }
  }

  private publish(uri: string, diagnostics: EditorDiagnostic[], version: { version?: number } = {}): void {
    const params = { uri, diagnostics, ...version };
    void ignoreSendErrors(() =>
      this.connection.sendNotification(PublishDiagnosticsNotification.type, params),
    );
  }

  /** One window until all is well again: whoever types in a config makes a dozen mistakes on the way. */
  private showFailure(uri: string, message: string): void {
    const isFirst = this.failures.size === 0;
    const isKnown = [...this.failures.values()].includes(message);
    this.failures.set(uri, message);
    if (isKnown) return;
    const type = isFirst ? ShowMessageNotification.type : LogMessageNotification.type;
    const send = () => this.connection.sendNotification(type, { type: MessageType.Error, message });
    void ignoreSendErrors(send);
  }
}

/** Where the editor is gone, or refuses, that is no fault of ours. */
export async function ignoreSendErrors(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch {
    // The session is about to end.
  }
}

function diagnosticsOf(uri: string, document: TextDocument, outcome: EditorOutcome): EditorDiagnostic[] {
  const places = new EditorPositions(document);
  if (outcome.kind === "config")
    return outcome.faults.map(({ range, message }) => toConfigDiagnostic(places.range(range), message));
  if (outcome.kind !== "linted") return [];
  return outcome.report.diagnostics.map((found) => toEditorDiagnostic(uri, places, found));
}

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
function toConfigDiagnostic(range: EditorRange, message: string): EditorDiagnostic {
  return {
    range,
    severity: DiagnosticSeverity.Error,
    source: toolInfo.name,
    message: escapeInvisible(message),
  };
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
