import { Readable, Writable } from "node:stream";
import type { Span } from "../../diagnostic.js";
import type { NameIndex } from "../../pack/name-index.js";
import { toolInfo } from "../../text/tool-info.js";
import type { LintFlags } from "../config/flags.js";
import { type LintRequest, readLintRequest } from "../config/lint-request.js";
import { type Io, rawOutput } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";
import { CodeActions, fixAllKind } from "./code-actions.js";
import { EditorLinter, LintCache } from "./editor-linter.js";
import { EditorPositions } from "./editor-positions.js";
import { languageCapabilities, registerLanguageFeatures } from "./language-features.js";
import { type OpenFile, OpenFiles, otherOpenRoutes, uriToPath, WatchedFiles } from "./open-files.js";
import * as lsp from "./protocol.js";
import { DiagnosticPublisher, ignoreSendErrors } from "./publish-diagnostics.js";

export async function serveEditor(io: Io, flags: LintFlags): Promise<number> {
  const request = { ...readLintRequest(flags, io.cwd), offersFixes: true };
  if (io.stdout.isTTY === true) {
    throw new UsageError(
      '"lsp" is started by editors: see "Editors" in the README. In a terminal, use "promptpack lint --watch".',
    );
  }
  const input = io.stdin instanceof Readable ? io.stdin : Readable.from(io.stdin, { objectMode: false });
  // Not every stream closes when it ends.
  input.once("end", () => input.destroy());
  const reader = new lsp.StreamMessageReader(input);
  // By default it would wait forever for the rest of a message, even if the editor is gone.
  reader.partialMessageTimeout = 0;
  const writer = new lsp.StreamMessageWriter(outputStream(io));
  const connection = lsp.createProtocolConnection(reader, writer);
  try {
    return await new EditorSession(connection, io.cwd, request).waitForExit();
  } finally {
    connection.dispose();
    // An open standard input would keep the program running.
    input.destroy();
  }
}

function outputStream(io: Io): Writable {
  const output = rawOutput(io.stdout);
  return new Writable({
    write(chunk: Uint8Array | string, _, done) {
      output.write(chunk);
      done();
    },
  });
}

/** In milliseconds: linting waits for a pause in typing. */
const typingDelay = 200;

/** Many files may be saved at once. */
const batchDelay = 50;

const closeDelay = 50;

const initializeResult: lsp.InitializeResult = {
  serverInfo: { name: toolInfo.name, version: toolInfo.version },
  capabilities: {
    textDocumentSync: { openClose: true, change: lsp.TextDocumentSyncKind.Incremental, save: true },
    definitionProvider: true,
    referencesProvider: true,
    codeActionProvider: { codeActionKinds: [lsp.CodeActionKind.QuickFix, fixAllKind] },
    ...languageCapabilities,
  },
};

class EditorSession {
  private readonly files = new OpenFiles();
  private readonly lintCache: LintCache;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly publisher: DiagnosticPublisher;
  private readonly watched: WatchedFiles;
  private client: lsp.ClientCapabilities = {};
  private phase: "new" | "open" | "shut" = "new";

  constructor(
    private readonly connection: lsp.ProtocolConnection,
    cwd: string,
    request: LintRequest,
  ) {
    const unsaved = (path: string) => this.files.textAt(path);
    this.lintCache = new LintCache((folder = cwd) => new EditorLinter(folder, request, unsaved));
    this.publisher = new DiagnosticPublisher(connection, (path) => unsaved(path) !== undefined);
    this.watched = new WatchedFiles(request);
    this.listen();
  }

  /** Returns the exit code. */
  async waitForExit(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.connection.onNotification(lsp.ExitNotification.type, resolve);
      // Messages from before the end, such as "exit", may still have to be read.
      this.connection.onClose(() => setTimeout(resolve, closeDelay));
      this.connection.listen();
    });
    for (const timer of this.timers.values()) clearTimeout(timer);
    return this.phase === "shut" ? 0 : 1;
  }

  private listen(): void {
    const { connection, files } = this;
    connection.onRequest(lsp.InitializeRequest.type, (params) => this.initialize(params));
    connection.onNotification(lsp.InitializedNotification.type, () => this.registerWatchers());
    connection.onRequest(lsp.ShutdownRequest.type, () => {
      this.requireInitialized();
      this.phase = "shut";
    });
    connection.onNotification(lsp.DidOpenTextDocumentNotification.type, ({ textDocument }) => {
      const { uri, languageId, version, text } = textDocument;
      files.open(uri, languageId, version, text);
      this.scheduleLint(uri, 0);
    });
    connection.onNotification(
      lsp.DidChangeTextDocumentNotification.type,
      ({ textDocument, contentChanges }) => {
        const before = otherOpenRoutes(textDocument.uri, files);
        files.change(textDocument.uri, textDocument.version, contentChanges);
        this.scheduleLint(textDocument.uri, typingDelay);
        for (const uri of new Set([...before, ...otherOpenRoutes(textDocument.uri, files)])) {
          files.markStale(uri);
          this.scheduleLint(uri, typingDelay);
        }
      },
    );
    connection.onNotification(lsp.DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
      files.close(uri);
      this.publisher.clear(uri);
      this.lintAll();
    });
    connection.onNotification(lsp.DidSaveTextDocumentNotification.type, () => this.lintAll());
    connection.onNotification(lsp.DidChangeWatchedFilesNotification.type, ({ changes }) => {
      const changed = changes.map(({ uri }) => uri);
      this.lintAll(this.watched.affected(changed, files));
    });
    connection.onRequest(lsp.CodeActionRequest.type, (params, token) => this.codeActions(params, token));
    connection.onRequest(lsp.DefinitionRequest.type, (params) =>
      this.locate(params, (names, offset) => names.declarationsAt(offset)),
    );
    connection.onRequest(lsp.ReferencesRequest.type, (params) =>
      this.locate(params, (names, offset) => [
        ...(params.context.includeDeclaration ? names.declarationsAt(offset) : []),
        ...names.usesAt(offset),
      ]),
    );
    registerLanguageFeatures(connection, this.lintCache, {
      fileAt: (uri) => {
        this.requireInitialized();
        return files.get(uri);
      },
      toWorkspaceEdit: (file, edits) => this.toWorkspaceEdit(file, edits),
    });
  }

  private initialize({
    capabilities,
    workspaceFolders,
    rootUri,
  }: lsp.InitializeParams): lsp.InitializeResult {
    if (this.phase !== "new")
      throw new lsp.ResponseError(lsp.ErrorCodes.InvalidRequest, "Already initialized.");
    this.phase = "open";
    this.client = capabilities;
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? [rootUri ?? ""];
    this.lintCache.folders = uris.flatMap((uri) => uriToPath(uri) ?? []);
    return initializeResult;
  }

  private requireInitialized(): void {
    if (this.phase === "new")
      throw new lsp.ResponseError(lsp.ErrorCodes.ServerNotInitialized, "Not initialized yet.");
    if (this.phase === "shut")
      throw new lsp.ResponseError(lsp.ErrorCodes.InvalidRequest, "Shut down already.");
  }

  private registerWatchers(): void {
    if (this.client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const registrations = [this.watched.registration];
    void ignoreSendErrors(() => this.connection.sendRequest(lsp.RegistrationRequest.type, { registrations }));
  }

  /** Any open file may depend on what was saved or closed. */
  private lintAll(uris = this.files.uris): void {
    for (const uri of uris) {
      this.files.markStale(uri);
      if (!this.timers.has(uri)) this.scheduleLint(uri, batchDelay);
    }
  }

  private scheduleLint(uri: string, delay: number): void {
    clearTimeout(this.timers.get(uri));
    this.timers.set(
      uri,
      setTimeout(() => void this.lint(uri), delay),
    );
  }

  private async lint(uri: string): Promise<void> {
    this.timers.delete(uri);
    const file = this.files.get(uri);
    if (file === undefined || this.phase !== "open") return;
    const outcome = await this.lintCache.outcomeFor(file);
    // The file has changed since, and will be linted again.
    if (this.files.get(uri) !== file) return;
    this.publisher.publishOutcome(file, outcome);
  }

  private async codeActions(
    { textDocument: { uri }, range, context }: lsp.CodeActionParams,
    token: lsp.CancellationToken,
  ): Promise<lsp.CodeAction[]> {
    this.requireInitialized();
    const file = this.files.get(uri);
    // Findings come first; the editor asks again once it has them.
    const isEarly = context.triggerKind === lsp.CodeActionTriggerKind.Automatic && this.timers.has(uri);
    if (file === undefined || isEarly) return [];
    const isStale = () => token.isCancellationRequested || this.files.get(uri)?.document !== file.document;
    const outcome = await this.lintCache.outcomeFor(file);
    if (outcome.kind !== "linted") return [];
    const actions = new CodeActions(this.lintCache, (of, edits) => this.toWorkspaceEdit(of, edits), isStale);
    const found = await actions.actionsFor(file, outcome, range, context.only ?? []);
    if (!isStale()) return found;
    throw new lsp.ResponseError(
      lsp.LSPErrorCodes.ContentModified,
      "The text has changed, or the request was cancelled.",
    );
  }

  /** With the version if the editor supports it, so that an outdated edit is not applied. */
  private toWorkspaceEdit(
    { uri, document }: OpenFile,
    edits: lsp.TextEdit[],
  ): NonNullable<lsp.CodeAction["edit"]> {
    if (this.client.workspace?.workspaceEdit?.documentChanges !== true) return { changes: { [uri]: edits } };
    return { documentChanges: [{ textDocument: { uri, version: document.version }, edits }] };
  }

  private async locate(
    { textDocument: { uri }, position }: lsp.TextDocumentPositionParams,
    spansIn: (names: NameIndex, offset: number) => readonly Span[],
  ): Promise<lsp.Location[]> {
    this.requireInitialized();
    const file = this.files.get(uri);
    const names = file && (await this.lintCache.packIn(file))?.names();
    if (file === undefined || names === undefined) return [];
    const positions = new EditorPositions(file.document);
    return spansIn(names, positions.offset(position)).map((span) => ({ uri, range: positions.span(span) }));
  }
}
