import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import {
  CancellationToken,
  type ClientCapabilities,
  type CodeAction,
  CodeActionRequest,
  CodeActionTriggerKind,
  type CompletionItem,
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  type DocumentSymbol,
  DocumentSymbolRequest,
  ExecuteCommandRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type Location,
  LogMessageNotification,
  type MarkupContent,
  type Position,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  type Range,
  ReferencesRequest,
  RegistrationRequest,
  RenameRequest,
  ResponseError,
  ShowMessageNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
  type TextEdit,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { run } from "../../src/cli/run.js";

interface Beginning {
  readonly flags?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  /** The folders of a workspace that has several, or one with another name. */
  readonly folders?: readonly string[];
}

/** An editor with a folder open, talking to the program without a child process. */
export class Editor {
  readonly shown: string[] = [];
  readonly logged: string[] = [];
  readonly registered: unknown[] = [];
  readonly ended: Promise<number>;
  private readonly toServer = new PassThrough();
  private readonly fromServer = new PassThrough();
  readonly connection = createProtocolConnection(
    new StreamMessageReader(this.fromServer),
    new StreamMessageWriter(this.toServer),
  );
  private readonly documents = new Map<string, TextDocument>();
  private readonly published: PublishDiagnosticsParams[] = [];
  private wake: () => void = () => undefined;

  private constructor(
    private readonly folder: string,
    flags: readonly string[],
  ) {
    this.connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.published.push(params);
      this.wake();
    });
    this.connection.onNotification(ShowMessageNotification.type, ({ message }) => {
      this.shown.push(message);
    });
    this.connection.onNotification(LogMessageNotification.type, ({ message }) => {
      this.logged.push(message);
    });
    this.connection.onRequest(RegistrationRequest.type, ({ registrations }) => {
      this.registered.push(...registrations);
    });
    this.connection.listen();
    this.ended = run({
      args: ["lsp", ...flags],
      stdin: this.toServer,
      stdout: { write: (content) => this.fromServer.write(content) },
      stderr: { write: () => undefined },
      cwd: "/",
      env: {},
    });
  }

  static async in(folder: string, beginning: Beginning = {}): Promise<Editor> {
    const editor = Editor.silentIn(folder, beginning.flags);
    await editor.initialize(beginning.capabilities, beginning.folders);
    return editor;
  }

  /** An editor that has not sent `initialize` yet. */
  static silentIn(folder: string, flags: readonly string[] = []): Editor {
    const editor = new Editor(folder, flags);
    onTestFinished(async () => {
      await editor.vanish();
    });
    return editor;
  }

  async initialize(
    capabilities: ClientCapabilities = {},
    folders?: readonly string[],
    initializationOptions?: unknown,
  ): Promise<InitializeResult> {
    const rootUri = pathToFileURL(this.folder).href;
    const workspaceFolders = folders?.map((name) => ({ name, uri: this.uri(name) })) ?? null;
    const params = {
      processId: null,
      rootUri,
      workspaceFolders,
      capabilities,
      initializationOptions: initializationOptions as never,
    };
    const result = await this.connection.sendRequest(InitializeRequest.type, params);
    await this.connection.sendNotification(InitializedNotification.type, {});
    return result;
  }

  uri(name: string): string {
    return pathToFileURL(join(this.folder, name)).href;
  }

  open(name: string, text: string): Promise<void> {
    return this.openAt(this.uri(name), text);
  }

  async openAt(uri: string, text: string): Promise<void> {
    this.documents.set(uri, TextDocument.create(uri, "yaml", 1, text));
    const textDocument = { uri, languageId: "yaml", version: 1, text };
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
  }

  async change(name: string, ...contentChanges: TextDocumentContentChangeEvent[]): Promise<void> {
    const uri = this.uri(name);
    const document = this.document(name);
    TextDocument.update(document, contentChanges, document.version + 1);
    const textDocument = { uri, version: document.version };
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument,
      contentChanges,
    });
  }

  async save(name: string): Promise<void> {
    const textDocument = { uri: this.uri(name) };
    await this.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument });
  }

  async close(name: string): Promise<void> {
    const textDocument = { uri: this.uri(name) };
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument });
  }

  /** Reports a change of a file that is not open. */
  async changedOnDisk(name: string): Promise<void> {
    const changes = [{ uri: this.uri(name), type: 2 as const }];
    await this.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes });
  }

  /** The next diagnostics of any file. */
  async next(): Promise<PublishDiagnosticsParams> {
    for (;;) {
      const params = this.published.shift();
      if (params !== undefined) return params;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** The next diagnostics, each as `line:column rule`, counted from 0. */
  async findings(): Promise<readonly string[]> {
    return (await this.next()).diagnostics.map(findingText);
  }

  async actions(
    name: string,
    range: Range,
    only?: string[],
    token = CancellationToken.None,
    when: "asked" | "typing" = "asked",
  ): Promise<readonly CodeAction[]> {
    const triggerKind = when === "typing" ? CodeActionTriggerKind.Automatic : CodeActionTriggerKind.Invoked;
    const context = { diagnostics: [], triggerKind, ...(only !== undefined && { only }) };
    const params = { textDocument: { uri: this.uri(name) }, range, context };
    const answer = await this.connection.sendRequest(CodeActionRequest.type, params, token);
    return (answer ?? []) as CodeAction[];
  }

  /** Asks about a file, at `|` in a part of its text if that is given. */
  ask<Params, Answer>(
    { method }: { readonly method: string; readonly _?: readonly [Params, Answer, ...unknown[]] | undefined },
    name: string,
    marked?: string,
    more: object = {},
  ): Promise<Answer> {
    const textDocument = { uri: this.uri(name) };
    const position = marked === undefined ? {} : { position: this.positionOf(name, marked) };
    return this.connection.sendRequest(method, { textDocument, ...position, ...more });
  }

  /** What is offered at `|`, each as `label` or, where the text differs, `label → text`. */
  async completions(name: string, marked: string): Promise<readonly string[]> {
    const items = (await this.ask(CompletionRequest.type, name, marked)) as CompletionItem[] | null;
    return (items ?? []).map(({ label, textEdit }) =>
      label === textEdit?.newText ? label : `${label} → ${textEdit?.newText ?? ""}`,
    );
  }

  /** The text of a file after the completion of this label at `|`. */
  async completed(name: string, marked: string, label: string): Promise<string> {
    const items = (await this.ask(CompletionRequest.type, name, marked)) as CompletionItem[] | null;
    const edit = items?.find((item) => item.label === label)?.textEdit as TextEdit | undefined;
    return this.edited(name, edit && [edit]);
  }

  async hover(name: string, marked: string): Promise<string | undefined> {
    const found = await this.ask(HoverRequest.type, name, marked);
    return (found?.contents as MarkupContent | undefined)?.value;
  }

  /** The text of a file after a rename at `|`, or why it is refused. */
  async renamed(name: string, marked: string, newName: string): Promise<string> {
    try {
      const edit = await this.ask(RenameRequest.type, name, marked, { newName });
      return this.edited(name, edit?.changes?.[this.uri(name)]);
    } catch (error) {
      if (error instanceof ResponseError) return error.message;
      throw error;
    }
  }

  /** The text of a range, and of each range in it: `state hello(event Done)`. */
  async symbols(name: string): Promise<string> {
    const shown = (symbols: readonly DocumentSymbol[]): string =>
      symbols
        .map(({ name: symbol, detail = "", children = [] }) =>
          children.length === 0 ? `${detail} ${symbol}` : `${detail} ${symbol}(${shown(children)})`,
        )
        .join(", ");
    return shown(((await this.ask(DocumentSymbolRequest.type, name)) ?? []) as DocumentSymbol[]);
  }

  textIn(name: string, range: Range): string {
    return this.document(name).getText(range);
  }

  positionOf(name: string, marked: string): Position {
    const document = this.document(name);
    const start = document.getText().indexOf(marked.replace("|", ""));
    if (start === -1) throw new Error(`no ${marked} in ${name}`);
    return document.positionAt(start + marked.indexOf("|"));
  }

  /** Runs a command of the server. */
  execute(command: string, ...args: unknown[]): Promise<unknown> {
    return this.connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: args as never });
  }

  private document(name: string): TextDocument {
    const document = this.documents.get(this.uri(name));
    if (document === undefined) throw new Error(`${name} is not open`);
    return document;
  }

  private edited(name: string, edits: TextEdit[] | undefined): string {
    if (edits === undefined) throw new Error(`no edit of ${name}`);
    return TextDocument.applyEdits(this.document(name), edits);
  }

  /** The declarations or references of the name at `|` in a part of the text, each as `line text`. */
  async leadsTo(name: string, marked: string, asked: "definition" | "references" | "all" = "definition") {
    const document = this.document(name);
    const params = { textDocument: { uri: this.uri(name) }, position: this.positionOf(name, marked) };
    const answer =
      asked === "definition"
        ? await this.connection.sendRequest(DefinitionRequest.type, params)
        : await this.connection.sendRequest(ReferencesRequest.type, {
            ...params,
            context: { includeDeclaration: asked === "all" },
          });
    return (answer as Location[]).map(({ range }) => `${range.start.line} ${document.getText(range)}`);
  }

  /** The text of a file after an action. */
  after(name: string, action: CodeAction | undefined): string {
    return this.edited(name, action?.edit?.changes?.[this.uri(name)]);
  }

  async askToShutDown(): Promise<void> {
    await this.connection.sendRequest(ShutdownRequest.type);
  }

  async shutDown(): Promise<number> {
    await this.askToShutDown();
    await this.connection.sendNotification(ExitNotification.type);
    return this.ended;
  }

  /** Ends like an editor that crashes, perhaps in the middle of a message. */
  vanish(lastWords = ""): Promise<number> {
    this.toServer.end(lastWords);
    return this.ended;
  }
}

function findingText({ range, code }: Diagnostic): string {
  return `${range.start.line}:${range.start.character} ${code ?? ""}`;
}

/** Everything, from the first character on. */
export const everywhere: Range = { start: { line: 0, character: 0 }, end: { line: 9_999, character: 0 } };
