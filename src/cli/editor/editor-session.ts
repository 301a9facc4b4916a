import type { LintRequest } from "../request/lint-request.js";
import { Announcer, ifSomebodyListens } from "./announcer.js";
import { whatWeDo } from "./capabilities.js";
import { CodeActions } from "./code-actions.js";
import { EditorLinter } from "./editor-linter.js";
import { FileChecks } from "./file-checks.js";
import { NameLookup } from "./name-lookup.js";
import { OpenFiles, pathOf, type OpenFile } from "./open-files.js";
import {
  CodeActionRequest,
  CodeActionTriggerKind,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  ErrorCodes,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  LSPErrorCodes,
  ReferencesRequest,
  RegistrationRequest,
  ResponseError,
  ShutdownRequest,
  type CancellationToken,
  type ClientCapabilities,
  type CodeAction,
  type CodeActionParams,
  type EditorEdit,
  type InitializeParams,
  type InitializeResult,
  type ProtocolConnection,
} from "./protocol.js";
import { besideTyped, WatchedFiles } from "./watched-files.js";

/** Whoever types is not told about every letter: we wait until they have paused for so many milliseconds. */
const pause = 200;

/** All files may be saved at once: that is linted once. */
const burst = 50;

const lastMoment = 50;

/** Everything between an editor and us, from `initialize` to `exit`. */
export class EditorSession {
  private readonly files = new OpenFiles();
  private readonly checks: FileChecks;
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly announcer: Announcer;
  private readonly watched: WatchedFiles;
  private client: ClientCapabilities = {};
  private phase: "new" | "open" | "shut" = "new";

  constructor(
    private readonly connection: ProtocolConnection,
    cwd: string,
    request: LintRequest,
  ) {
    const unsaved = (path: string) => this.files.textAt(path);
    this.checks = new FileChecks((folder = cwd) => new EditorLinter(folder, request, unsaved));
    this.announcer = new Announcer(connection, (path) => unsaved(path) !== undefined);
    this.watched = new WatchedFiles(request);
    this.listen();
  }

  /** The exit code, once the editor has no more to say. */
  async ended(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.connection.onNotification(ExitNotification.type, resolve);
      // What was said before the end is still to be heard, such as "exit".
      this.connection.onClose(() => setTimeout(resolve, lastMoment));
      this.connection.listen();
    });
    for (const timer of this.waiting.values()) clearTimeout(timer);
    return this.phase === "shut" ? 0 : 1;
  }

  private listen(): void {
    const { connection, files } = this;
    const names = new NameLookup(files, this.checks);
    connection.onRequest(InitializeRequest.type, (params) => this.initialize(params));
    connection.onNotification(InitializedNotification.type, () => this.watch());
    connection.onRequest(ShutdownRequest.type, () => {
      this.refuseUnlessOpen();
      this.phase = "shut";
    });
    connection.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument }) => {
      const { uri, languageId, version, text } = textDocument;
      files.open(uri, languageId, version, text);
      this.lintSoon(uri, 0);
    });
    connection.onNotification(DidChangeTextDocumentNotification.type, ({ textDocument, contentChanges }) => {
      const before = besideTyped(textDocument.uri, files);
      files.change(textDocument.uri, textDocument.version, contentChanges);
      this.lintSoon(textDocument.uri, pause);
      for (const uri of new Set([...before, ...besideTyped(textDocument.uri, files)])) {
        files.renew(uri);
        this.lintSoon(uri, pause);
      }
    });
    connection.onNotification(DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
      files.close(uri);
      this.announcer.takeBack(uri);
      this.lintAll();
    });
    connection.onNotification(DidSaveTextDocumentNotification.type, () => this.lintAll());
    connection.onNotification(DidChangeWatchedFilesNotification.type, ({ changes }) => {
      const changed = changes.map(({ uri }) => uri);
      this.lintAll(this.watched.affected(changed, files));
    });
    connection.onRequest(CodeActionRequest.type, (params, token) => {
      this.refuseUnlessOpen();
      return this.codeActions(params, token);
    });
    connection.onRequest(DefinitionRequest.type, (params) => {
      this.refuseUnlessOpen();
      return names.declarations(params);
    });
    connection.onRequest(ReferencesRequest.type, (params) => {
      this.refuseUnlessOpen();
      return names.uses(params, params.context.includeDeclaration);
    });
  }

  private initialize({ capabilities, workspaceFolders, rootUri }: InitializeParams): InitializeResult {
    if (this.phase !== "new") throw new ResponseError(ErrorCodes.InvalidRequest, "Already initialized.");
    this.phase = "open";
    this.client = capabilities;
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? [rootUri ?? ""];
    this.checks.folders = uris.flatMap((uri) => pathOf(uri) ?? []);
    return whatWeDo;
  }

  private refuseUnlessOpen(): void {
    if (this.phase === "new")
      throw new ResponseError(ErrorCodes.ServerNotInitialized, "Not initialized yet.");
    if (this.phase === "shut") throw new ResponseError(ErrorCodes.InvalidRequest, "Shut down already.");
  }

  private watch(): void {
    if (this.client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const registrations = [this.watched.registration];
    void ifSomebodyListens(() => this.connection.sendRequest(RegistrationRequest.type, { registrations }));
  }

  /** What was saved or closed may be what another file depends on. */
  private lintAll(uris = this.files.uris): void {
    for (const uri of uris) {
      this.files.renew(uri);
      if (!this.waiting.has(uri)) this.lintSoon(uri, burst);
    }
  }

  private lintSoon(uri: string, delay: number): void {
    clearTimeout(this.waiting.get(uri));
    this.waiting.set(
      uri,
      setTimeout(() => void this.lint(uri), delay),
    );
  }

  private async lint(uri: string): Promise<void> {
    this.waiting.delete(uri);
    const file = this.files.get(uri);
    if (file === undefined || this.phase !== "open") return;
    const outcome = await this.checks.of(file);
    // Something newer is on its way.
    if (this.files.get(uri) !== file) return;
    this.announcer.tell(file, outcome);
  }

  private async codeActions(
    { textDocument: { uri }, range, context }: CodeActionParams,
    token: CancellationToken,
  ): Promise<CodeAction[]> {
    const file = this.files.get(uri);
    // Who types wants the findings first; an editor asks again once it has them.
    const isEarly = context.triggerKind === CodeActionTriggerKind.Automatic && this.waiting.has(uri);
    if (file === undefined || isEarly) return [];
    const isStale = () => token.isCancellationRequested || this.files.get(uri)?.document !== file.document;
    const outcome = await this.checks.of(file);
    if (outcome.kind !== "linted") return [];
    const actions = new CodeActions(this.checks, (of, edits) => this.editOf(of, edits), isStale);
    const found = await actions.of(file, outcome, range, context.only ?? []);
    if (!isStale()) return found;
    throw new ResponseError(LSPErrorCodes.ContentModified, "The text has changed, or nobody waits any more.");
  }

  /** With the version where that can be said: an edit of an older text would garble a newer one. */
  private editOf({ uri, document }: OpenFile, edits: EditorEdit[]): NonNullable<CodeAction["edit"]> {
    if (this.client.workspace?.workspaceEdit?.documentChanges !== true) return { changes: { [uri]: edits } };
    return { documentChanges: [{ textDocument: { uri, version: document.version }, edits }] };
  }
}
