import { Readable, Writable } from "node:stream";
import { toolInfo } from "../../text/tool-info.js";
import type { LintFlags } from "../config/flags.js";
import { type LintRequest, readLintRequest } from "../config/lint-request.js";
import { isNamedAsPack } from "../files/discover.js";
import { type Io, printMessage, rawOutput, UsageError } from "../terminal/io.js";
import { now } from "../terminal/progress.js";
import { codeActions, fixAllKind } from "./code-actions.js";
import { EditorClient } from "./editor-client.js";
import { type Host, languageCapabilities, registerLanguageFeatures } from "./language-features.js";
import { type OpenFile, OpenFiles, uriToPath } from "./open-files.js";
import * as lsp from "./protocol.js";

export async function serveEditor(io: Io, flags: LintFlags): Promise<number> {
  const request = { ...readLintRequest(flags, io.cwd), offersFixes: true };
  if (io.stdout.isTTY === true)
    throw new UsageError(
      '"lsp" is started by editors: see "Editors" in the README. In a terminal, use "promptpack lint --watch".',
    );
  const input = io.stdin instanceof Readable ? io.stdin : Readable.from(io.stdin, { objectMode: false });
  const reader = new lsp.MessageReader(input);
  const stdout = rawOutput(io.stdout);
  const output = new Writable({
    write(chunk: Uint8Array | string, _, done) {
      stdout.write(chunk);
      if (stdout.isLost === true) input.destroy();
      done();
    },
  });
  const connection = lsp.createProtocolConnection(reader, new lsp.StreamMessageWriter(output));
  try {
    const code = await new EditorSession(connection, io.cwd, request).waitForExit();
    if (code !== 0) printMessage(io, reader.fault);
    return code;
  } finally {
    connection.dispose();
    // An open standard input would keep the program running.
    input.destroy();
  }
}

/** In milliseconds. */
const maxPause = 500;

class EditorSession implements Host {
  readonly client: EditorClient;
  readonly files: OpenFiles;
  private readonly queue = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  /** How long linting waits for the next key: as long as it took the last time. */
  private pause = 0;
  private phase: "new" | "open" | "shut" = "new";

  constructor(
    private readonly connection: lsp.ProtocolConnection,
    cwd: string,
    request: LintRequest,
  ) {
    this.files = new OpenFiles(cwd, request);
    this.client = new EditorClient(connection, (path) => this.files.textAt(path) !== undefined);
    this.listen();
  }

  async waitForExit(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.connection.onNotification(lsp.ExitNotification.type, resolve);
      this.connection.listen();
    });
    const code = this.phase === "shut" ? 0 : 1;
    this.phase = "shut";
    this.queue.clear();
    clearTimeout(this.timer);
    return code;
  }

  private listen(): void {
    const { connection, files } = this;
    connection.onRequest(lsp.InitializeRequest.type, (params) => this.initialize(params));
    connection.onNotification(lsp.InitializedNotification.type, () =>
      this.client.watchFiles(files.watchedGlobs),
    );
    connection.onRequest(lsp.ShutdownRequest.type, () => {
      this.requireInitialized();
      this.phase = "shut";
    });
    connection.onNotification(lsp.DidOpenTextDocumentNotification.type, ({ textDocument }) => {
      const { uri, languageId, version, text } = textDocument;
      files.open(uri, languageId, version, text);
      this.lintLater([uri]);
    });
    connection.onNotification(
      lsp.DidChangeTextDocumentNotification.type,
      ({ textDocument: { uri, version }, contentChanges }) => {
        const before = files.dependentsOf(uri);
        files.change(uri, version, contentChanges);
        this.lintLater([uri, ...before, ...files.dependentsOf(uri)], this.pause);
      },
    );
    connection.onNotification(lsp.DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
      files.close(uri);
      this.queue.delete(uri);
      this.client.clear(uri);
      // The next messages may close other files.
      this.timer?.refresh();
      // From now on, the text on the disk counts.
      this.lintLater(isNamedAsPack(uri) ? [] : [...files.routes, ...files.openSources]);
    });
    connection.onNotification(lsp.DidSaveTextDocumentNotification.type, ({ textDocument: { uri } }) =>
      this.lintLater([uri, ...files.dependentsOf(uri), ...files.affectedBy([uri])]),
    );
    connection.onNotification(lsp.DidChangeWatchedFilesNotification.type, ({ changes }) =>
      this.lintLater(files.affectedBy(changes.map(({ uri }) => uri))),
    );
    connection.onRequest(lsp.CodeActionRequest.type, (params, token) => this.codeActions(params, token));
    registerLanguageFeatures(connection, this);
  }

  private initialize(params: lsp.InitializeParams): lsp.InitializeResult {
    if (this.phase !== "new")
      throw new lsp.ResponseError(lsp.ErrorCodes.InvalidRequest, "Already initialized.");
    const { capabilities, workspaceFolders, rootUri } = params;
    this.client.capabilities = capabilities;
    const options = params.initializationOptions as { readonly commands?: unknown } | null | undefined;
    this.client.commands = Array.isArray(options?.commands) ? (options.commands as string[]) : [];
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? [rootUri ?? ""];
    this.files.folders = uris.flatMap((uri) => uriToPath(uri) ?? []);
    this.phase = "open";
    return {
      serverInfo: { name: toolInfo.name, version: toolInfo.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: lsp.TextDocumentSyncKind.Incremental, save: true },
        codeActionProvider: { codeActionKinds: [lsp.CodeActionKind.QuickFix, fixAllKind] },
        ...languageCapabilities(this.client.commands),
      },
    };
  }

  fileAt(uri: string): OpenFile | undefined {
    this.requireInitialized();
    return this.files.get(uri);
  }

  private requireInitialized(): void {
    if (this.phase === "new")
      throw new lsp.ResponseError(lsp.ErrorCodes.ServerNotInitialized, "Not initialized yet.");
    if (this.phase === "shut")
      throw new lsp.ResponseError(lsp.ErrorCodes.InvalidRequest, "Shut down already.");
  }

  /** Starts the timer anew, so that all waiting messages are handled before the first file is linted. */
  private lintLater(uris: readonly string[], delay = 0): void {
    if (uris.length === 0) return;
    for (const uri of uris) {
      this.files.get(uri)?.markStale();
      this.queue.add(uri);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.lintNext(), delay);
  }

  private async lintNext(): Promise<void> {
    this.timer = undefined;
    const [uri] = this.queue;
    if (uri === undefined) return;
    this.queue.delete(uri);
    const file = this.files.get(uri);
    if (file !== undefined && this.phase === "open") {
      const start = now();
      const linting = file.lint();
      const outcome = await linting;
      this.pause = Math.min(now() - start, maxPause);
      // If it changed meanwhile, it is linted again.
      const isCurrent = this.files.get(uri) === file && file.outcome === linting;
      if (isCurrent && this.phase === "open") this.client.publishOutcome(file, outcome);
    }
    this.timer ??= setTimeout(() => void this.lintNext());
  }

  private async codeActions(
    params: lsp.CodeActionParams,
    token: lsp.CancellationToken,
  ): Promise<lsp.CodeAction[]> {
    const { uri } = params.textDocument;
    const file = this.fileAt(uri);
    // Findings come first; the editor asks again once it has them.
    const isEarly = params.context.triggerKind === lsp.CodeActionTriggerKind.Automatic && this.queue.has(uri);
    if (file === undefined || isEarly) return [];
    const isStale = () => token.isCancellationRequested || this.files.get(uri) !== file;
    const outcome = await file.lint();
    if (outcome.kind !== "linted") return [];
    const found = await codeActions(this.client, file, outcome.report, params, isStale);
    if (!isStale()) return found;
    throw new lsp.ResponseError(
      lsp.LSPErrorCodes.ContentModified,
      "The text has changed, or the request was cancelled.",
    );
  }
}
