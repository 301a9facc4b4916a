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
import { type OpenFile, OpenFiles, otherOpenRoutes, uriToPath, WatchedFiles } from "./open-files.js";
import {
  type CancellationToken,
  type ClientCapabilities,
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionRequest,
  CodeActionTriggerKind,
  createProtocolConnection,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  type EditorEdit,
  type EditorLocation,
  ErrorCodes,
  ExitNotification,
  InitializedNotification,
  type InitializeParams,
  InitializeRequest,
  type InitializeResult,
  LSPErrorCodes,
  type PositionParams,
  type ProtocolConnection,
  ReferencesRequest,
  RegistrationRequest,
  ResponseError,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
} from "./protocol.js";
import { DiagnosticPublisher, ignoreSendErrors } from "./publish-diagnostics.js";

/** `promptpack lsp`: from the first message of an editor to its last. */
export async function serveEditor(io: Io, flags: LintFlags): Promise<number> {
  const request = { ...readLintRequest(flags, io.cwd), offersFixes: true };
  if (io.stdout.isTTY === true) {
    throw new UsageError(
      '"lsp" is for editors, which start it and talk to it: see "Editors" in the README. For a terminal there is "promptpack lint --watch".',
    );
  }
  const input = io.stdin instanceof Readable ? io.stdin : Readable.from(io.stdin, { objectMode: false });
  // Not every input that ends also closes.
  input.once("end", () => input.destroy());
  const reader = new StreamMessageReader(input);
  // It would wait for the rest of a message for ever, though nobody is left to send it.
  reader.partialMessageTimeout = 0;
  const connection = createProtocolConnection(reader, new StreamMessageWriter(outputStream(io)));
  try {
    return await new EditorSession(connection, io.cwd, request).waitForExit();
  } finally {
    connection.dispose();
    // Standard input that is still open would keep the program running.
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

/** Whoever types is not told about every letter: we wait until they have paused for so many milliseconds. */
const typingDelay = 200;

/** All files may be saved at once: that is linted once. */
const batchDelay = 50;

const closeDelay = 50;

/** Everything between an editor and us, from `initialize` to `exit`. */
export class EditorSession {
  private readonly files = new OpenFiles();
  private readonly lintCache: LintCache;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly publisher: DiagnosticPublisher;
  private readonly watched: WatchedFiles;
  private client: ClientCapabilities = {};
  private phase: "new" | "open" | "shut" = "new";

  constructor(
    private readonly connection: ProtocolConnection,
    cwd: string,
    request: LintRequest,
  ) {
    const unsaved = (path: string) => this.files.textAt(path);
    this.lintCache = new LintCache((folder = cwd) => new EditorLinter(folder, request, unsaved));
    this.publisher = new DiagnosticPublisher(connection, (path) => unsaved(path) !== undefined);
    this.watched = new WatchedFiles(request);
    this.listen();
  }

  /** The exit code, once the editor has no more to say. */
  async waitForExit(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.connection.onNotification(ExitNotification.type, resolve);
      // What was said before the end is still to be heard, such as "exit".
      this.connection.onClose(() => setTimeout(resolve, closeDelay));
      this.connection.listen();
    });
    for (const timer of this.timers.values()) clearTimeout(timer);
    return this.phase === "shut" ? 0 : 1;
  }

  private listen(): void {
    const { connection, files } = this;
    const names = new NameLookup(files, this.lintCache);
    connection.onRequest(InitializeRequest.type, (params) => this.initialize(params));
    connection.onNotification(InitializedNotification.type, () => this.registerWatchers());
    connection.onRequest(ShutdownRequest.type, () => {
      this.requireInitialized();
      this.phase = "shut";
    });
    connection.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument }) => {
      const { uri, languageId, version, text } = textDocument;
      files.open(uri, languageId, version, text);
      this.scheduleLint(uri, 0);
    });
    connection.onNotification(DidChangeTextDocumentNotification.type, ({ textDocument, contentChanges }) => {
      const before = otherOpenRoutes(textDocument.uri, files);
      files.change(textDocument.uri, textDocument.version, contentChanges);
      this.scheduleLint(textDocument.uri, typingDelay);
      for (const uri of new Set([...before, ...otherOpenRoutes(textDocument.uri, files)])) {
        files.markStale(uri);
        this.scheduleLint(uri, typingDelay);
      }
    });
    connection.onNotification(DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
      files.close(uri);
      this.publisher.clear(uri);
      this.lintAll();
    });
    connection.onNotification(DidSaveTextDocumentNotification.type, () => this.lintAll());
    connection.onNotification(DidChangeWatchedFilesNotification.type, ({ changes }) => {
      const changed = changes.map(({ uri }) => uri);
      this.lintAll(this.watched.affected(changed, files));
    });
    connection.onRequest(CodeActionRequest.type, (params, token) => {
      this.requireInitialized();
      return this.codeActions(params, token);
    });
    connection.onRequest(DefinitionRequest.type, (params) => {
      this.requireInitialized();
      return names.declarations(params);
    });
    connection.onRequest(ReferencesRequest.type, (params) => {
      this.requireInitialized();
      return names.references(params, params.context.includeDeclaration);
    });
  }

  private initialize({ capabilities, workspaceFolders, rootUri }: InitializeParams): InitializeResult {
    if (this.phase !== "new") throw new ResponseError(ErrorCodes.InvalidRequest, "Already initialized.");
    this.phase = "open";
    this.client = capabilities;
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? [rootUri ?? ""];
    this.lintCache.folders = uris.flatMap((uri) => uriToPath(uri) ?? []);
    return initializeResult;
  }

  private requireInitialized(): void {
    if (this.phase === "new")
      throw new ResponseError(ErrorCodes.ServerNotInitialized, "Not initialized yet.");
    if (this.phase === "shut") throw new ResponseError(ErrorCodes.InvalidRequest, "Shut down already.");
  }

  private registerWatchers(): void {
    if (this.client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const registrations = [this.watched.registration];
    void ignoreSendErrors(() => this.connection.sendRequest(RegistrationRequest.type, { registrations }));
  }

  /** What was saved or closed may be what another file depends on. */
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
    // Something newer is on its way.
    if (this.files.get(uri) !== file) return;
    this.publisher.publishOutcome(file, outcome);
  }

  private async codeActions(
    { textDocument: { uri }, range, context }: CodeActionParams,
    token: CancellationToken,
  ): Promise<CodeAction[]> {
    const file = this.files.get(uri);
    // Who types wants the findings first; an editor asks again once it has them.
    const isEarly = context.triggerKind === CodeActionTriggerKind.Automatic && this.timers.has(uri);
    if (file === undefined || isEarly) return [];
    const isStale = () => token.isCancellationRequested || this.files.get(uri)?.document !== file.document;
    const outcome = await this.lintCache.outcomeFor(file);
    if (outcome.kind !== "linted") return [];
    const actions = new CodeActions(this.lintCache, (of, edits) => this.toWorkspaceEdit(of, edits), isStale);
    const found = await actions.actionsFor(file, outcome, range, context.only ?? []);
    if (!isStale()) return found;
    throw new ResponseError(LSPErrorCodes.ContentModified, "The text has changed, or nobody waits any more.");
  }

  /** With the version where that can be said: an edit of an older text would garble a newer one. */
  private toWorkspaceEdit({ uri, document }: OpenFile, edits: EditorEdit[]): NonNullable<CodeAction["edit"]> {
    if (this.client.workspace?.workspaceEdit?.documentChanges !== true) return { changes: { [uri]: edits } };
    return { documentChanges: [{ textDocument: { uri, version: document.version }, edits }] };
  }
}

/** Our answer to `initialize`. */
export const initializeResult: InitializeResult = {
  serverInfo: { name: toolInfo.name, version: toolInfo.version },
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    definitionProvider: true,
    referencesProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] },
  },
};

/** Answers where names lead, and from where. */
export class NameLookup {
  constructor(
    private readonly files: OpenFiles,
    private readonly checks: LintCache,
  ) {}

  declarations(params: PositionParams): Promise<EditorLocation[]> {
    return this.find(params, (names, offset) => names.declarationsAt(offset));
  }

  references(params: PositionParams, withDeclaration: boolean): Promise<EditorLocation[]> {
    return this.find(params, (names, offset) => [
      ...(withDeclaration ? names.declarationsAt(offset) : []),
      ...names.usesAt(offset),
    ]);
  }

  private async find(
    { textDocument: { uri }, position }: PositionParams,
    spansIn: (names: NameIndex, offset: number) => readonly Span[],
  ): Promise<EditorLocation[]> {
    const file = this.files.get(uri);
    const names = file && (await this.checks.namesIn(file));
    if (file === undefined || names === undefined) return [];
    const places = new EditorPositions(file.document);
    return spansIn(names, places.offset(position)).map((span) => ({ uri, range: places.span(span) }));
  }
}
