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
import { bomLength, EditorPositions, overlaps } from "./editor-positions.js";
import type { OpenFile } from "./open-files.js";
import * as lsp from "./protocol.js";

const drawCommand = "promptpack.draw";
const simulateCommand = "promptpack.simulate";

/** For editors that show the page of `promptpack graph` themselves. */
const drawingRequest = new lsp.RequestType<lsp.CodeLensParams, string | null, void>("promptpack/drawing");

export const languageCapabilities: lsp.ServerCapabilities = {
  definitionProvider: true,
  referencesProvider: true,
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

/** The session, as far as the features need it. */
export interface Host {
  readonly cache: LintCache;
  /** Those that the editor carries out itself. */
  readonly editorCommands: readonly string[];
  /** An open file; throws if the session is not open. */
  fileAt(uri: string): OpenFile | undefined;
  toWorkspaceEdit(file: OpenFile, edits: lsp.TextEdit[]): lsp.WorkspaceEdit;
  /** Opens a page outside of the editor, if the editor can. */
  openPage(uri: string, html: string): Promise<void>;
}

/** A pack that an editor asks about, and the place of the cursor, if it matters. */
interface Asked {
  readonly host: Host;
  readonly file: OpenFile;
  readonly open: OpenPack;
  readonly positions: EditorPositions;
  readonly offset: number;
}

interface AboutFile {
  readonly textDocument: lsp.TextDocumentIdentifier;
  readonly position?: lsp.Position;
}

async function ask(host: Host, { textDocument, position }: AboutFile): Promise<Asked | undefined> {
  const file = host.fileAt(textDocument.uri);
  const open = file && (await host.cache.packIn(file));
  if (file === undefined || open === undefined) return undefined;
  const positions = new EditorPositions(file.document);
  return { host, file, open, positions, offset: position === undefined ? 0 : positions.offset(position) };
}

/** A request about a pack, its answer, and the one for a file that holds none. */
function feature<Params extends AboutFile, Answer>(
  type: lsp.RequestType<Params, Answer, void>,
  answer: (asked: Asked, params: Params) => Answer | null | Promise<Answer | null>,
  none: Answer | null = null,
) {
  return (connection: lsp.ProtocolConnection, host: Host): void => {
    const handler = async (params: Params) => {
      const asked = await ask(host, params);
      return asked === undefined ? none : answer(asked, params);
    };
    connection.onRequest(type, handler as lsp.RequestHandler<Params, Answer, void>);
  };
}

/** The requests about a pack while it is written. */
const features = [
  feature(
    lsp.DefinitionRequest.type,
    (asked) => asked.open.names().declarationsAt(asked.offset).map(locationIn(asked)),
    [],
  ),
  feature(
    lsp.ReferencesRequest.type,
    (asked, { context }) => {
      const declared = context.includeDeclaration ? asked.open.names().declarationsAt(asked.offset) : [];
      return [...declared, ...asked.open.names().usesAt(asked.offset)].map(locationIn(asked));
    },
    [],
  ),
  feature(lsp.DocumentHighlightRequest.type, ({ open, positions, offset }) => {
    const mark = (kind: lsp.DocumentHighlightKind) => (span: Span) => ({ range: positions.span(span), kind });
    return [
      ...open.names().declarationsAt(offset).map(mark(lsp.DocumentHighlightKind.Write)),
      ...open.names().usesAt(offset).map(mark(lsp.DocumentHighlightKind.Read)),
    ];
  }),
  feature(lsp.HoverRequest.type, hover),
  feature(lsp.PrepareRenameRequest.type, ({ open, positions, offset }) => {
    const { at, name } = orRefuse(() => findRenameTarget(open, offset));
    return { range: positions.span(at), placeholder: name };
  }),
  feature(lsp.RenameRequest.type, ({ host, file, open, positions, offset }, { newName }) => {
    const edits = orRefuse(() => rename(open, offset, newName, schemaFor(newestSpecVersion)));
    const changes = edits.map((edit) => positions.edit(edit));
    return host.toWorkspaceEdit(file, changes);
  }),
  feature(lsp.DocumentSymbolRequest.type, ({ open, positions }) =>
    outlineOf(open.pack.root).map((item) => symbol(item, positions)),
  ),
  feature(lsp.FoldingRangeRequest.type, ({ open }) =>
    foldsOf(open.pack.document).map(([first, last]) => ({ startLine: first - 1, endLine: last - 1 })),
  ),
  feature(lsp.CodeLensRequest.type, ({ host, file, open, positions }) => {
    const lens = workflowLens(open);
    if (lens === undefined) return [];
    const range = positions.span(lens.at);
    const lensFor = (title: string, command: string) => ({
      range,
      command: { title, command, arguments: [file.uri] },
    });
    const simulate = host.editorCommands.includes(simulateCommand);
    return [lensFor(lens.title, drawCommand), ...(simulate ? [lensFor("Simulate", simulateCommand)] : [])];
  }),
  feature(drawingRequest, drawing),
];

export function registerLanguageFeatures(connection: lsp.ProtocolConnection, host: Host): void {
  for (const register of features) register(connection, host);
  connection.onRequest(lsp.CompletionRequest.type, async ({ textDocument: { uri }, position }) => {
    const file = host.fileAt(uri);
    return file && host.cache.linterFor(file).canLint(file) ? completions(file, position, host.cache) : null;
  });
  connection.onRequest(lsp.ExecuteCommandRequest.type, async ({ command, arguments: [uri] = [] }) => {
    if (command !== drawCommand || typeof uri !== "string")
      throw new lsp.ResponseError(lsp.ErrorCodes.InvalidParams, `Not a command of promptpack: ${command}.`);
    const asked = await ask(host, { textDocument: { uri } });
    const page = asked && (await drawing(asked));
    if (!page) throw refusal("There is no workflow to draw in this file.");
    await host.openPage(uri, page);
    return null;
  });
}

function locationIn({ file: { uri }, positions }: Asked): (span: Span) => lsp.Location {
  return (span) => ({ uri, range: positions.span(span) });
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
  { host, file, open, positions, offset }: Asked,
  { position }: lsp.HoverParams,
): lsp.Hover | null {
  const here = { start: position, end: position };
  const found = host.cache.knownFindings(file).filter(({ range }) => overlaps(positions.range(range), here));
  const reasons = [...new Set(found.map(({ rule }) => rule))].map(ruleReason);
  const named = hoverAt(open, offset, schemaFor(newestSpecVersion));
  const texts = [...reasons, ...(named === undefined ? [] : [named.text])];
  if (texts.length === 0) return null;
  return { contents: markdown(texts.join("\n\n---\n\n")), ...(named && { range: positions.span(named.at) }) };
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
async function drawing({ host, file, open }: Asked): Promise<string | null> {
  const { draw } = await import("../../drawing/draw.js");
  const { analysis } = open;
  if (!isRunnable(analysis)) return null;
  await host.cache.outcomeFor(file);
  const { pack, facts } = analysis;
  return (await draw("html", { pack, facts, diagnostics: host.cache.knownFindings(file) })).text;
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
