import type { Span } from "../../diagnostic.js";
import { detectFormat } from "../../document/file-format.js";
import { complete, type Completion } from "../../language/complete.js";
import { hoverAt } from "../../language/hover.js";
import { isRunnable } from "../../analysis.js";
import type { OpenPack } from "../../language/open-pack.js";
import { foldsOf, type OutlineItem, outlineOf, workflowLens } from "../../language/outline.js";
import { findRenameTarget, rename } from "../../language/rename.js";
import type { KeySchema } from "../../language/schema-keys.js";
import { typedPlaceAt } from "../../language/typed-place.js";
import { schemaAtVersion } from "../../schema/schema-at-version.js";
import { getOrCreate } from "../../text/collections.js";
import { escapeInvisible } from "../../text/escape.js";
import { newestSpecVersion, type SpecVersion } from "../../text/tool-info.js";
import { BadInput } from "../../text/wording.js";
import { readPackageFile } from "../files/package-files.js";
import type { LintCache } from "./editor-linter.js";
import { overlaps } from "./code-actions.js";
import { bomLength, EditorPositions } from "./editor-positions.js";
import type { OpenFile } from "./open-files.js";
import * as lsp from "./protocol.js";

const drawCommand = "promptpack.draw";
const simulateCommand = "promptpack.simulate";

/** For editors that show the page of `promptpack graph` themselves. */
const drawingRequest = new lsp.RequestType<lsp.CodeLensParams, string | null, void>("promptpack/drawing");

export const languageCapabilities: lsp.ServerCapabilities = {
  completionProvider: { triggerCharacters: [" ", '"', "'", "{", "$", ".", ">", "-"] },
  hoverProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  documentHighlightProvider: true,
  foldingRangeProvider: true,
  codeLensProvider: {},
};

/** A command that the editor has itself must not be offered by the server. */
export function offeredCommands(editorCommands: readonly string[]): lsp.ServerCapabilities {
  return editorCommands.includes(drawCommand) ? {} : { executeCommandProvider: { commands: [drawCommand] } };
}

interface Host {
  /** An open file; throws if the session is not open. */
  readonly fileAt: (uri: string) => OpenFile | undefined;
  readonly toWorkspaceEdit: (file: OpenFile, edits: lsp.TextEdit[]) => lsp.WorkspaceEdit;
  /** Those that the editor carries out itself. */
  readonly editorCommands: () => readonly string[];
  /** Opens a page outside of the editor, if the editor can. */
  readonly openPage: (uri: string, html: string) => Promise<void>;
}

interface Reading {
  readonly file: OpenFile;
  readonly open: OpenPack;
  readonly positions: EditorPositions;
}

/** Answers what editors ask about a pack while it is written. */
export function registerLanguageFeatures(
  connection: lsp.ProtocolConnection,
  cache: LintCache,
  { fileAt, toWorkspaceEdit, editorCommands, openPage }: Host,
): void {
  const read = async <Answer>(
    { textDocument: { uri } }: { readonly textDocument: lsp.TextDocumentIdentifier },
    answer: (reading: Reading) => Answer | Promise<Answer>,
  ): Promise<Answer | null> => {
    const file = fileAt(uri);
    const open = file && (await cache.packIn(file));
    return file && open ? answer({ file, open, positions: new EditorPositions(file.document) }) : null;
  };
  connection.onRequest(lsp.CompletionRequest.type, async ({ textDocument: { uri }, position }) => {
    const file = fileAt(uri);
    return file && cache.linterFor(file).canLint(file) ? completions(file, position, cache) : null;
  });
  connection.onRequest(lsp.HoverRequest.type, (params) =>
    read(params, (reading) => hover(params.position, reading, cache)),
  );
  connection.onRequest(lsp.PrepareRenameRequest.type, (params) =>
    read(params, ({ open, positions }) => {
      const { at, name } = orRefuse(() => findRenameTarget(open, positions.offset(params.position)));
      return { range: positions.span(at), placeholder: name };
    }),
  );
  connection.onRequest(lsp.RenameRequest.type, (params) =>
    read(params, ({ file, open, positions }) => {
      const offset = positions.offset(params.position);
      const edits = orRefuse(() => rename(open, offset, params.newName, schemaFor(newestSpecVersion)));
      const changes = edits.map((edit) => ({ range: positions.span(edit), newText: edit.text }));
      return toWorkspaceEdit(file, changes);
    }),
  );
  connection.onRequest(lsp.DocumentHighlightRequest.type, (params) =>
    read(params, ({ open, positions }) => {
      const offset = positions.offset(params.position);
      const mark = (kind: lsp.DocumentHighlightKind) => (span: Span) => ({
        range: positions.span(span),
        kind,
      });
      return [
        ...open.names().declarationsAt(offset).map(mark(lsp.DocumentHighlightKind.Write)),
        ...open.names().usesAt(offset).map(mark(lsp.DocumentHighlightKind.Read)),
      ];
    }),
  );
  connection.onRequest(lsp.DocumentSymbolRequest.type, (params) =>
    read(params, ({ open, positions }) => outlineOf(open.pack.root).map((item) => symbol(item, positions))),
  );
  connection.onRequest(lsp.FoldingRangeRequest.type, (params) =>
    read(params, ({ open }) =>
      foldsOf(open.pack.document).map(([first, last]) => ({ startLine: first - 1, endLine: last - 1 })),
    ),
  );
  connection.onRequest(lsp.CodeLensRequest.type, (params) =>
    read(params, ({ file, open, positions }) => {
      const lens = workflowLens(open);
      if (lens === undefined) return [];
      const range = positions.span(lens.at);
      const command = (title: string, name: string) => ({ title, command: name, arguments: [file.uri] });
      const draw = { range, command: command(lens.title, drawCommand) };
      if (!editorCommands().includes(simulateCommand)) return [draw];
      return [draw, { range, command: command("Simulate", simulateCommand) }];
    }),
  );
  const draw = (params: lsp.CodeLensParams) => read(params, (reading) => drawing(reading, cache));
  connection.onRequest(drawingRequest, draw);
  connection.onRequest(lsp.ExecuteCommandRequest.type, async ({ command, arguments: [uri] = [] }) => {
    if (command !== drawCommand || typeof uri !== "string")
      throw new lsp.ResponseError(lsp.ErrorCodes.InvalidParams, `Not a command of promptpack: ${command}.`);
    const page = await draw({ textDocument: { uri } });
    if (page === null) throw refusal("There is no workflow to draw in this file.");
    await openPage(uri, page);
    return null;
  });
}

async function completions(
  file: OpenFile,
  position: lsp.Position,
  cache: LintCache,
): Promise<lsp.CompletionItem[]> {
  const positions = new EditorPositions(file.document);
  const whole = file.document.getText();
  const text = whole.slice(bomLength(whole));
  const format = detectFormat(file.path, text);
  const place = typedPlaceAt(text, positions.offset(position), format);
  const { start, end } = place.unfinished;
  const open = await cache.packWithout(file, text.slice(0, start) + text.slice(end));
  const schema = schemaFor(open?.pack.spec.version ?? newestSpecVersion);
  return complete(place, { text, format, open, schema }).map((item) => ({
    label: item.label,
    kind: completionKinds[item.kind] ?? lsp.CompletionItemKind.Reference,
    detail: item.kind,
    ...(item.documentation !== undefined && { documentation: markdown(item.documentation) }),
    textEdit: { range: positions.span(item.replaced), newText: item.text },
  }));
}

const completionKinds: Readonly<Record<Completion["kind"], lsp.CompletionItemKind>> = {
  key: lsp.CompletionItemKind.Property,
  value: lsp.CompletionItemKind.Value,
  variable: lsp.CompletionItemKind.Variable,
  tool: lsp.CompletionItemKind.Function,
  event: lsp.CompletionItemKind.Event,
};

function hover(
  position: lsp.Position,
  { file, open, positions }: Reading,
  cache: LintCache,
): lsp.Hover | null {
  const here = { start: position, end: position };
  const found = cache.knownFindings(file).filter(({ range }) => overlaps(positions.range(range), here));
  const reasons = [...new Set(found.map(({ rule }) => rule))].map(ruleReason);
  const meant = hoverAt(open, positions.offset(position), schemaFor(newestSpecVersion));
  const texts = [...reasons, ...(meant === undefined ? [] : [meant.text])];
  if (texts.length === 0) return null;
  return { contents: markdown(texts.join("\n\n---\n\n")), ...(meant && { range: positions.span(meant.at) }) };
}

/** The summary of a rule and the first paragraph of its page, which gives the reason. */
function ruleReason(rule: string): string {
  const [, summary = "", , reason = ""] = readPackageFile(`docs/rules/${rule}.md`).split(/(?:\r?\n){2,}/u);
  // Without links, and without a sentence that goes on in a list.
  const whole = reason.replace(/\[([^\]]*)\]\([^)]*\)/gu, "$1").replace(/(?<=\.)\s[^.]*[^.]$/u, "");
  return `**${rule}** ${summary}\n\n${whole}`;
}

function markdown(value: string): lsp.MarkupContent {
  return { kind: lsp.MarkupKind.Markdown, value };
}

const symbolKinds: Readonly<Record<string, lsp.SymbolKind>> = {
  section: lsp.SymbolKind.Namespace,
  prompt: lsp.SymbolKind.Class,
  variable: lsp.SymbolKind.Variable,
  tool: lsp.SymbolKind.Function,
  fragment: lsp.SymbolKind.String,
  event: lsp.SymbolKind.Event,
};

function symbol(
  { name, noun, at, head, children }: OutlineItem,
  positions: EditorPositions,
): lsp.DocumentSymbol {
  return {
    // Some editors reject an empty name.
    name: escapeInvisible(name) || '""',
    detail: noun,
    kind: symbolKinds[noun] ?? lsp.SymbolKind.Object,
    range: positions.span(at),
    selectionRange: positions.span(head),
    children: children.map((child) => symbol(child, positions)),
  };
}

/** The page of `promptpack graph`. */
async function drawing({ file, open }: Reading, cache: LintCache): Promise<string | null> {
  const { draw } = await import("../../drawing/draw.js");
  const { analysis } = open;
  if (!isRunnable(analysis)) return null;
  await cache.outcomeFor(file);
  return (
    await draw("html", { pack: analysis.pack, facts: analysis.facts, diagnostics: cache.knownFindings(file) })
  ).text;
}

const schemas = new Map<SpecVersion, KeySchema>();

function schemaFor(version: SpecVersion): KeySchema {
  return getOrCreate(schemas, version, () => {
    const text = readPackageFile("schema/promptpack.schema.json");
    return schemaAtVersion(JSON.parse(text) as Record<string, unknown>, version);
  });
}

/** A refusal is an answer for the author, not a failure of the server. */
function orRefuse<Answer>(find: () => Answer): Answer {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    throw refusal(error.message);
  }
}

export function refusal(message: string): lsp.ResponseError<void> {
  return new lsp.ResponseError(lsp.LSPErrorCodes.RequestFailed, message);
}
