import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic, Severity, Span } from "../../diagnostic.js";
import type { LineMap } from "../../document/scan-text.js";
import { firstByKey, getOrCreate } from "../../text/collections.js";
import { escapeInvisible } from "../../text/escape.js";
import { stepText, traceLines } from "../../text/format-trace.js";
import { toolInfo } from "../../text/tool-info.js";
import { ConfigError } from "../config/load-config.js";
import { localRulePage } from "../files/package-files.js";
import { putFile, temporaryPage } from "../files/write-file.js";
import { type LintFailure, type LintOutcome, type OpenFile, toEditorRange, uriToPath } from "./open-files.js";
import * as lsp from "./protocol.js";

export class EditorClient {
  capabilities: lsp.ClientCapabilities = {};
  /** Commands that the editor carries out itself. */
  commands: readonly string[] = [];
  /** The files of the pages that were opened, by document. */
  private readonly pages = new Map<string, string>();
  /** The files that could not be linted, by URI. */
  private readonly failures = new Map<string, LintFailure>();
  /** The last diagnostics of configs that are not open, by path. */
  private readonly publishedConfigs = new Map<string, string>();

  constructor(
    private readonly connection: lsp.ProtocolConnection,
    private readonly isOpen: (path: string) => boolean,
  ) {}

  watchFiles(globs: readonly string[]): void {
    if (this.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const { method } = lsp.DidChangeWatchedFilesNotification;
    const registerOptions = { watchers: globs.map((globPattern) => ({ globPattern })) };
    const params = { registrations: [{ id: "files", method, registerOptions }] };
    void this.connection.sendRequest(lsp.RegistrationRequest.type, params).catch(() => undefined);
  }

  toWorkspaceEdit(file: OpenFile, edits: lsp.TextEdit[]): lsp.WorkspaceEdit {
    return this.toWorkspaceEdits([{ uri: file.uri, file, edits }]);
  }

  /** With the version if the editor supports it, so that an outdated edit is not applied. */
  toWorkspaceEdits(
    changes: readonly {
      readonly uri: string;
      readonly file: OpenFile | undefined;
      readonly edits: lsp.TextEdit[];
    }[],
  ): lsp.WorkspaceEdit {
    if (this.capabilities.workspace?.workspaceEdit?.documentChanges !== true)
      return { changes: Object.fromEntries(changes.map(({ uri, edits }) => [uri, edits])) };
    return {
      documentChanges: changes.map(({ uri, file, edits }) => ({
        textDocument: { uri, version: file?.document.version ?? null },
        edits,
      })),
    };
  }

  async openPage(uri: string, html: string): Promise<void> {
    if (this.capabilities.window?.showDocument?.support !== true)
      throw refusal('This editor cannot open a page: use "promptpack graph --open".');
    const page = getOrCreate(this.pages, uri, temporaryPage);
    putFile(page, [html]);
    const params = { uri: pathToFileURL(page).href, external: true };
    await this.connection.sendRequest(lsp.ShowDocumentRequest.type, params);
  }

  publishOutcome(file: OpenFile, outcome: LintOutcome): void {
    const { uri, path, document } = file;
    this.forgetConfig(uri, path);
    if (outcome.kind === "failed") this.showFailure(uri, outcome);
    else this.failures.delete(uri);
    this.publish({ uri, diagnostics: diagnosticsOf(file, outcome), version: document.version });
    this.publishConfigs();
  }

  clear(uri: string): void {
    this.forgetConfig(uri, uriToPath(uri));
    this.failures.delete(uri);
    this.publish({ uri, diagnostics: [] });
    this.publishConfigs();
  }

  /** Once a config is open or closed, its diagnostics are published anew, perhaps under another spelling of its URI. */
  private forgetConfig(uri: string, path: string | undefined): void {
    if (path === undefined || !this.publishedConfigs.delete(path)) return;
    const published = pathToFileURL(path).href;
    if (published !== uri) this.publish({ uri: published, diagnostics: [] });
  }

  /** Open configs are linted like other open files; others are published while they keep a file from being linted. */
  private publishConfigs(): void {
    const causes = [...this.failures.values()].map(({ cause }) => cause);
    const configs = causes.filter((cause) => cause instanceof ConfigError);
    const broken = new Map(configs.map((config) => [config.path, config]));
    for (const path of new Set([...broken.keys(), ...this.publishedConfigs.keys()])) {
      if (this.isOpen(path)) continue;
      const faults = broken.get(path)?.faults ?? [];
      const diagnostics = faults.map(({ range, message }) => configDiagnostic(toEditorRange(range), message));
      const json = JSON.stringify(diagnostics);
      if (json === (this.publishedConfigs.get(path) ?? "[]")) continue;
      this.publishedConfigs.set(path, json);
      this.publish({ uri: pathToFileURL(path).href, diagnostics });
    }
  }

  private publish(params: lsp.PublishDiagnosticsParams): void {
    void this.connection.sendNotification(lsp.PublishDiagnosticsNotification.type, params);
  }

  /** Shows only the first failure in a window: while a config is edited, there may be many. */
  private showFailure(uri: string, failure: LintFailure): void {
    const message = failure.sentences.join("\n");
    const known = [...this.failures.values()].map(({ sentences }) => sentences.join("\n"));
    this.failures.set(uri, failure);
    if (known.includes(message)) return;
    const type = known.length === 0 ? lsp.ShowMessageNotification.type : lsp.LogMessageNotification.type;
    // VS Code makes links of Markdown, and a link may run a command.
    const text = message.replaceAll("](", "] (");
    void this.connection.sendNotification(type, { type: lsp.MessageType.Error, message: text });
  }
}

/** A refusal is an answer for the author, not a failure of the server. */
export function refusal(message: string): lsp.ResponseError<void> {
  return new lsp.ResponseError(lsp.LSPErrorCodes.RequestFailed, message);
}

function diagnosticsOf(file: OpenFile, outcome: LintOutcome): lsp.Diagnostic[] {
  if (outcome.kind === "failed") return [];
  if (outcome.kind === "linted")
    return outcome.report.diagnostics.map((found) => toEditorDiagnostic(file, found, outcome.report.lines));
  return outcome.faults.map(({ range, message }) => configDiagnostic(file.range(range), message));
}

const editorSeverities: Readonly<Record<Severity, lsp.DiagnosticSeverity>> = {
  error: lsp.DiagnosticSeverity.Error,
  warning: lsp.DiagnosticSeverity.Warning,
  info: lsp.DiagnosticSeverity.Information,
};

const maxRelatedLocations = 100;

/** The trace is a part of the message, and each of its steps a related location. */
export function toEditorDiagnostic(file: OpenFile, found: Diagnostic, lines?: LineMap): lsp.Diagnostic {
  const { rule, severity, message, range, trace } = found;
  const related = relatedLocations(file, found, lines);
  const page = found.docs ?? localRulePage(rule);
  return {
    range: file.range(range),
    severity: editorSeverities[severity],
    source: toolInfo.name,
    code: rule,
    ...(page !== undefined && { codeDescription: { href: page } }),
    message: [escapeInvisible(message), ...(trace === undefined ? [] : traceLines(trace))].join("\n"),
    ...(related.length > 0 && { relatedInformation: related }),
  };
}

function configDiagnostic(range: lsp.Range, message: string): lsp.Diagnostic {
  const severity = lsp.DiagnosticSeverity.Error;
  return { range, severity, source: toolInfo.name, message: escapeInvisible(message) };
}

function relatedLocations(
  open: OpenFile,
  { related = [], trace }: Diagnostic,
  lines: LineMap | undefined,
): lsp.DiagnosticRelatedInformation[] {
  const locate = (range: lsp.Range, message: string) => ({ location: { uri: open.uri, range }, message });
  // A run may take a step many times.
  const steps = firstByKey(trace?.steps.filter((step) => step.at !== undefined) ?? [], stepText);
  return [
    ...related.map(({ range, message, file }) => {
      const text = escapeInvisible(message);
      if (file === undefined) return locate(open.range(range), text);
      const location = { uri: pathToFileURL(resolve(open.folder, file)).href, range: toEditorRange(range) };
      return { location, message: text };
    }),
    ...[...steps].flatMap(([text, { at }]) => (at === undefined ? [] : stepPlace(open, at, text, lines))),
  ].slice(0, maxRelatedLocations);
}

/** The runs of a project are in its head. */
function stepPlace(
  open: OpenFile,
  at: Span,
  message: string,
  lines: LineMap | undefined,
): lsp.DiagnosticRelatedInformation[] {
  const { file, range } = lines?.locate(at) ?? {};
  if (file === undefined || range === undefined)
    return [{ location: { uri: open.uri, range: open.span(at) }, message }];
  const uri = pathToFileURL(resolve(open.folder, file)).href;
  return [{ location: { uri, range: toEditorRange(range) }, message }];
}
