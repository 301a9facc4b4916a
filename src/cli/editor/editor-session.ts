import type { LintRequest } from "../request/lint-request.js";
import { watchOfConfigs, whatWeDo } from "./capabilities.js";
import { CodeActions, fixAllKind } from "./code-actions.js";
import { editorDiagnostic } from "./editor-diagnostic.js";
import { EditorLinter, type EditorOutcome } from "./editor-linter.js";
import { OpenFiles, pathOf, type OpenFile } from "./open-files.js";
import {
  CodeActionKind,
  CodeActionRequest,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  MessageType,
  PublishDiagnosticsNotification,
  RegistrationRequest,
  ShowMessageNotification,
  ShutdownRequest,
  type ClientCapabilities,
  type CodeAction,
  type CodeActionParams,
  type EditorDiagnostic,
  type EditorEdit,
  type InitializeParams,
  type InitializeResult,
  type ProtocolConnection,
} from "./protocol.js";

/** Whoever types is not told about every letter: we wait until they have paused for so many milliseconds. */
const pause = 200;

/** Everything between an editor and us, from `initialize` to `exit`. */
export class EditorSession {
  private readonly files = new OpenFiles();
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  /** What was found in the files as they are now, or is being looked for. */
  private readonly outcomes = new Map<string, Promise<EditorOutcome>>();
  /** Why a file could not be linted, as it was last said. */
  private readonly told = new Map<string, string>();
  private client: ClientCapabilities = {};
  private linter: EditorLinter;
  private isShutDown = false;

  constructor(
    private readonly connection: ProtocolConnection,
    cwd: string,
    private readonly request: LintRequest,
  ) {
    this.linter = this.linterIn(cwd);
    this.listen();
  }

  /** The exit code, once the editor has no more to say. */
  async ended(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.connection.onNotification(ExitNotification.type, resolve);
      this.connection.onClose(resolve);
      this.connection.listen();
    });
    for (const timer of this.waiting.values()) clearTimeout(timer);
    return this.isShutDown ? 0 : 1;
  }

  private listen(): void {
    const { connection, files } = this;
    connection.onRequest(InitializeRequest.type, (params) => this.initialize(params));
    connection.onNotification(InitializedNotification.type, () => this.watchConfigs());
    connection.onRequest(ShutdownRequest.type, () => {
      this.isShutDown = true;
    });
    connection.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument }) => {
      const { uri, languageId, version, text } = textDocument;
      files.open(uri, languageId, version, text);
      this.lintAnew(uri, 0);
    });
    connection.onNotification(DidChangeTextDocumentNotification.type, ({ textDocument, contentChanges }) => {
      files.change(textDocument.uri, textDocument.version, contentChanges);
      this.lintAnew(textDocument.uri, pause);
    });
    connection.onNotification(DidCloseTextDocumentNotification.type, ({ textDocument }) => {
      files.close(textDocument.uri);
      this.forget(textDocument.uri);
      this.publish(textDocument.uri, []);
    });
    connection.onNotification(DidSaveTextDocumentNotification.type, () => this.lintAll());
    connection.onNotification(DidChangeWatchedFilesNotification.type, () => this.lintAll());
    connection.onRequest(CodeActionRequest.type, (params) => this.codeActions(params));
  }

  private initialize({ capabilities, workspaceFolders, rootUri }: InitializeParams): InitializeResult {
    this.client = capabilities;
    const root = pathOf(workspaceFolders?.[0]?.uri ?? rootUri ?? "");
    if (root !== undefined) this.linter = this.linterIn(root);
    return whatWeDo;
  }

  private linterIn(folder: string): EditorLinter {
    return new EditorLinter(folder, this.request, (path) => this.files.textAt(path));
  }

  private watchConfigs(): void {
    if (this.client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    this.connection
      .sendRequest(RegistrationRequest.type, { registrations: [watchOfConfigs] })
      .catch(editorIsGone);
  }

  /** A saved file may be what another one depends on. */
  private lintAll(): void {
    for (const { uri } of this.files) this.lintAnew(uri, 0);
  }

  private lintAnew(uri: string, delay: number): void {
    this.outcomes.delete(uri);
    clearTimeout(this.waiting.get(uri));
    this.waiting.set(
      uri,
      setTimeout(() => void this.lint(uri), delay),
    );
  }

  private async lint(uri: string): Promise<void> {
    this.waiting.delete(uri);
    const file = this.files.get(uri);
    if (file === undefined) return;
    const looking = this.outcomeOf(file);
    const outcome = await looking;
    if (this.outcomes.get(uri) !== looking) return;
    this.tell(uri, outcome.kind === "failed" ? outcome.sentences.join("\n") : "");
    this.publish(uri, diagnosticsOf(uri, outcome), file.document.version);
  }

  private outcomeOf({ uri, path, document }: OpenFile): Promise<EditorOutcome> {
    const outcome = this.outcomes.get(uri) ?? this.linter.lint(path, document.getText());
    this.outcomes.set(uri, outcome);
    return outcome;
  }

  private async codeActions({ textDocument, range, context }: CodeActionParams): Promise<CodeAction[]> {
    const file = this.files.get(textDocument.uri);
    if (file === undefined) return [];
    const actions = new CodeActions(this.linter, (of, edits) => this.editOf(of, edits));
    const outcome = await this.outcomeOf(file);
    if (outcome.kind !== "linted") return [];
    // A search for all fixes whenever the cursor moves would be too much: that is asked for by name.
    const isAsked = (kind: string) =>
      context.only?.some((each) => kind === each || kind.startsWith(`${each}.`)) ??
      kind === CodeActionKind.QuickFix;
    return [
      ...(isAsked(CodeActionKind.QuickFix) ? await actions.quickFixes(file, outcome, range) : []),
      ...(isAsked(fixAllKind) ? await actions.fixAll(file) : []),
    ];
  }

  /** With the version where that can be said: an edit of an older text would garble a newer one. */
  private editOf({ uri, document }: OpenFile, edits: EditorEdit[]): NonNullable<CodeAction["edit"]> {
    if (this.client.workspace?.workspaceEdit?.documentChanges !== true) return { changes: { [uri]: edits } };
    return { documentChanges: [{ textDocument: { uri, version: document.version }, edits }] };
  }

  private publish(uri: string, diagnostics: EditorDiagnostic[], version?: number): void {
    const params = { uri, diagnostics, ...(version !== undefined && { version }) };
    this.connection.sendNotification(PublishDiagnosticsNotification.type, params).catch(editorIsGone);
  }

  /** Why a file could not be linted, once for as long as that stays so. */
  private tell(uri: string, message: string): void {
    const isNew = message !== (this.told.get(uri) ?? "");
    this.told.set(uri, message);
    if (!isNew || message === "") return;
    this.connection
      .sendNotification(ShowMessageNotification.type, { type: MessageType.Error, message })
      .catch(editorIsGone);
  }

  private forget(uri: string): void {
    clearTimeout(this.waiting.get(uri));
    this.waiting.delete(uri);
    this.outcomes.delete(uri);
    this.told.delete(uri);
  }
}

/** Nobody is left to tell, and the session is about to end. */
function editorIsGone(): void {}

function diagnosticsOf(uri: string, outcome: EditorOutcome): EditorDiagnostic[] {
  if (outcome.kind !== "linted") return [];
  const { diagnostics, lines } = outcome.report;
  return diagnostics.map((found) => editorDiagnostic(uri, lines, found));
}
