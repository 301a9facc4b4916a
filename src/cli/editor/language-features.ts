import { pathToFileURL } from "node:url";
import { isRunnable, type PackAnalysis } from "../../analysis.js";
import type { Span } from "../../diagnostic.js";
import { complete, type Completion } from "../../language/complete.js";
import { typedPlaceAt } from "../../language/half-typed.js";
import { hoverKey, hoverName } from "../../language/hover.js";
import { foldsOf, type OutlineItem, outlineOf, workflowLens } from "../../language/outline.js";
import { findRenameTarget, rename } from "../../language/rename.js";
import { type PathInSchema, packPathOf } from "../../language/source-path.js";
import type { SchemaPart } from "../../schema/validator.js";
import { namesIn } from "../../pack/name-index.js";
import type { Pack } from "../../pack/pack.js";
import { schemaAtVersion } from "../../schema/schema-at-version.js";
import type { SourceFile } from "../../sources/source-file.js";
import { appendTo, getOrCreate, lazy } from "../../text/collections.js";
import { escapeInvisible } from "../../text/escape.js";
import { newestSpecVersion, type SpecVersion } from "../../text/tool-info.js";
import { BadInput } from "../../text/wording.js";
import { readPackageFile } from "../files/package-files.js";
import { type EditorClient, refusal } from "./editor-client.js";
import { type OpenFile, type OpenFiles, overlaps, toEditorRange } from "./open-files.js";
import * as lsp from "./protocol.js";
import { maskSecrets } from "../../text/secrets.js";

const drawCommand = "promptpack.draw";
const simulateCommand = "promptpack.simulate";

/** For editors that show the page of `promptpack graph` themselves. */
const drawingRequest = new lsp.RequestType<lsp.CodeLensParams, string | null, void>("promptpack/drawing");

export function languageCapabilities(editorCommands: readonly string[]): lsp.ServerCapabilities {
  return {
    definitionProvider: true,
    referencesProvider: true,
    completionProvider: { triggerCharacters: [" ", '"', "'", "{", "$", ".", ">", "-"] },
    hoverProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    documentHighlightProvider: true,
    foldingRangeProvider: true,
    codeLensProvider: {},
    // A command that the editor has itself must not be offered by the server.
    ...(!editorCommands.includes(drawCommand) && { executeCommandProvider: { commands: [drawCommand] } }),
  };
}

/** The session, as far as the features need it. */
export interface Host {
  readonly client: EditorClient;
  readonly files: OpenFiles;
  /** An open file; throws if the session is not open. */
  fileAt(uri: string): OpenFile | undefined;
}

/** A pack that an editor asks about, and the place of the cursor, if it matters. */
interface Asked {
  readonly client: EditorClient;
  readonly file: OpenFile;
  readonly analysis: PackAnalysis;
  /** An offset in the text of the whole pack, even if the file is one of its sources. */
  readonly offset: number;
  readonly source: SourceFile | undefined;
  readonly files: OpenFiles;
}

interface AboutFile {
  readonly textDocument: lsp.TextDocumentIdentifier;
  readonly position?: lsp.Position;
}

async function ask(host: Host, { textDocument, position }: AboutFile): Promise<Asked | undefined> {
  const { client, files } = host;
  const file = host.fileAt(textDocument.uri);
  const analysis = await file?.pack();
  if (file === undefined || analysis === undefined) return undefined;
  const source = file.partOf(analysis.project);
  const offset = (source?.base ?? 0) + (position === undefined ? 0 : file.offset(position));
  return { client, file, files, analysis, source, offset };
}

/** Where a part of the pack is: in this file, or in another of its project. */
function locate({ file, files, analysis: { project } }: Asked, { start, end }: Span): lsp.Location {
  const source = project?.fileAt(start);
  if (source === undefined) return { uri: file.uri, range: file.span({ start, end }) };
  const { base, path, document } = source;
  const own = { start: start - base, end: end - base };
  const open = files.atRealPath(path);
  if (open !== undefined) return { uri: open.uri, range: open.span(own) };
  return { uri: pathToFileURL(path).href, range: toEditorRange(document.lines.range(own.start, own.end)) };
}

/** The same for a part of this file. */
const rangeOf = (asked: Asked, span: Span): lsp.Range => locate(asked, span).range;

/** A request about a pack, its answer, and the one for a file that holds none. */
function feature<Params extends AboutFile, Answer>(
  type: lsp.RequestType<Params, Answer, void>,
  answer: (asked: Asked, params: Params) => Answer | null | Promise<Answer | null>,
  none: Answer | null = null,
) {
  return (connection: lsp.ProtocolConnection, host: Host): void => {
    const handler = async (params: Params) => {
      const asked = await ask(host, params);
      try {
        return asked === undefined ? none : await answer(asked, params);
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        throw refusal(error.message);
      }
    };
    connection.onRequest(type, handler as lsp.RequestHandler<Params, Answer, void>);
  };
}

const declarationsAt = ({ analysis, offset }: Asked) => namesIn(analysis.pack).declarationsAt(offset);
const usesAt = ({ analysis, offset }: Asked) => namesIn(analysis.pack).usesAt(offset);

const features = [
  feature(lsp.DefinitionRequest.type, (asked) => locations(asked, declarationsAt(asked)), []),
  feature(
    lsp.ReferencesRequest.type,
    (asked, { context }) =>
      locations(asked, [...(context.includeDeclaration ? declarationsAt(asked) : []), ...usesAt(asked)]),
    [],
  ),
  feature(lsp.DocumentHighlightRequest.type, (asked) => {
    const { Read, Write } = lsp.DocumentHighlightKind;
    const { analysis, source } = asked;
    const isHere = ({ start }: Span) => analysis.project?.fileAt(start) === source;
    const mark = (spans: readonly Span[], kind: lsp.DocumentHighlightKind) =>
      spans.filter(isHere).map((span) => ({ range: rangeOf(asked, span), kind }));
    return [...mark(declarationsAt(asked), Write), ...mark(usesAt(asked), Read)];
  }),
  feature(lsp.HoverRequest.type, hover),
  feature(lsp.PrepareRenameRequest.type, async (asked) => {
    const { at, name } = findRenameTarget(await wholePack(asked), asked.offset);
    return { range: rangeOf(asked, at), placeholder: name };
  }),
  feature(lsp.RenameRequest.type, async (asked, { newName }) => {
    const { client, file, files, offset } = asked;
    const analyze = (text: string) => file.withPackText(text);
    const schema = schemaFor(newestSpecVersion);
    const edits = await rename(await wholePack(asked), offset, newName, schema, analyze);
    const byUri = new Map<string, lsp.TextEdit[]>(edits.length === 0 ? [[file.uri, []]] : []);
    for (const { text, ...span } of edits) {
      const { uri, range } = locate(asked, span);
      appendTo(byUri, uri, { range, newText: text });
    }
    return client.toWorkspaceEdits(
      [...byUri].map(([uri, written]) => ({ uri, file: files.get(uri), edits: written })),
    );
  }),
  feature(lsp.DocumentSymbolRequest.type, (asked) => {
    const { analysis, source } = asked;
    const isHere = ({ head }: OutlineItem) => analysis.project?.fileAt(head.start) === source;
    const items = outlineOf(analysis.pack.root).flatMap((item) => (isHere(item) ? item : item.children));
    return items.filter(isHere).map((item) => symbol(item, (span) => rangeOf(asked, span)));
  }),
  feature(lsp.FoldingRangeRequest.type, ({ analysis, source }) =>
    foldsOf((source ?? analysis).document).map(([first, last]) => ({
      startLine: first - 1,
      endLine: last - 1,
    })),
  ),
  feature(lsp.CodeLensRequest.type, (asked) => {
    const { client, file, analysis, source } = asked;
    const lens = workflowLens(analysis);
    if (lens === undefined || analysis.project?.fileAt(lens.at.start) !== source) return [];
    const range = rangeOf(asked, lens.at);
    const commands = [{ title: lens.title, command: drawCommand }];
    if (client.commands.includes(simulateCommand))
      commands.push({ title: "Simulate", command: simulateCommand });
    return commands.map((command) => ({ range, command: { ...command, arguments: [file.uri] } }));
  }),
  feature(drawingRequest, drawing),
];

export function registerLanguageFeatures(connection: lsp.ProtocolConnection, host: Host): void {
  for (const register of features) register(connection, host);
  connection.onRequest(lsp.CompletionRequest.type, (params) => completions(host, params));
  connection.onRequest(lsp.ExecuteCommandRequest.type, async ({ command, arguments: [uri] = [] }) => {
    if (command !== drawCommand || typeof uri !== "string")
      throw new lsp.ResponseError(lsp.ErrorCodes.InvalidParams, `Not a command of promptpack: ${command}.`);
    const asked = await ask(host, { textDocument: { uri } });
    const page = asked && (await drawing(asked));
    if (!page) throw refusal("There is no workflow to draw in this file.");
    await host.client.openPage(uri, page);
    return null;
  });
}

function locations(asked: Asked, spans: readonly Span[]): lsp.Location[] {
  return spans.map((span) => locate(asked, span));
}

async function wholePack({ analysis, file }: Asked): Promise<Pack> {
  const isWhole = analysis.project?.files.every(({ document }) => document.faults.length === 0) !== false;
  if (isWhole && analysis === (await file.analysis())) return analysis.pack;
  throw new BadInput("Nothing can be renamed while a part of the file cannot be read.");
}

async function completions(host: Host, { textDocument, position }: lsp.CompletionParams) {
  const file = host.fileAt(textDocument.uri);
  if (file?.isLintable() !== true) return null;
  const text = file.text.slice(file.bomLength);
  const { format } = file;
  const place = typedPlaceAt(text, file.offset(position), format);
  const { start, end } = place.unfinished;
  const rest = host.files.withoutUnfinished(file, text.slice(0, start) + text.slice(end));
  const pack = (await rest.halfTypedPack())?.pack;
  const whole = schemaFor(pack?.spec.version ?? newestSpecVersion);
  const source = pack && rest.partOf(await rest.project());
  const { path, schema } = formsContext(source, place.path, whole);
  return complete({ ...place, path }, { text, format, pack, schema }).map((item) => ({
    label: maskSecrets(item.label),
    kind: completionKinds[item.kind] ?? lsp.CompletionItemKind.Reference,
    detail: item.kind,
    ...(item.documentation !== undefined && { documentation: markdown(item.documentation) }),
    textEdit: { range: file.span(item.replaced), newText: item.text },
  }));
}

const completionKinds: Readonly<Record<Completion["kind"], lsp.CompletionItemKind>> = {
  key: lsp.CompletionItemKind.Property,
  value: lsp.CompletionItemKind.Value,
  variable: lsp.CompletionItemKind.Variable,
  tool: lsp.CompletionItemKind.Function,
  event: lsp.CompletionItemKind.Event,
};

function hover(asked: Asked, { position }: lsp.HoverParams): lsp.Hover | null {
  const { file, analysis, offset, source } = asked;
  const here = { start: position, end: position };
  const found = file.findings.filter(({ range }) => overlaps(file.range(range), here));
  const reasons = [...new Set(found.map(({ rule }) => rule))].map(ruleReason);
  const schema = schemaFor(newestSpecVersion);
  const named =
    hoverName(analysis, offset) ??
    hoverKey(file.text.slice(file.bomLength), file.offset(position), file.format, (path) =>
      formsContext(source, path, schema),
    );
  const texts = [...reasons, ...(named === undefined ? [] : [named.text])];
  if (texts.length === 0) return null;
  return {
    contents: markdown(texts.join("\n\n---\n\n")),
    ...(named && { range: named.isOfPack ? rangeOf(asked, named.at) : file.span(named.at) }),
  };
}

const sourceSchema = lazy(() => JSON.parse(readPackageFile("schema/sources.schema.json")) as SchemaPart);

/** Where the schema describes a place of a file: a source is written like parts of a pack, inside of keys of its own. */
function formsContext(
  source: SourceFile | undefined,
  path: readonly string[],
  schema: SchemaPart,
): PathInSchema {
  if (source === undefined) return { path, schema };
  const inPack = packPathOf(source.kind, path);
  if (inPack !== undefined) return { path: inPack, schema };
  const own = sourceSchema();
  return { path, schema: { ...own.$defs?.[source.kind], ...(own.$defs && { $defs: own.$defs }) } };
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
  range: (span: Span) => lsp.Range,
): lsp.DocumentSymbol {
  return {
    // Some editors reject an empty name.
    name: escapeInvisible(name) || '""',
    detail: noun,
    kind: symbolKinds[noun] ?? lsp.SymbolKind.Object,
    range: range(at),
    selectionRange: range(head),
    children: children.map((child) => symbol(child, range)),
  };
}

async function drawing({ file, analysis }: Asked): Promise<string | null> {
  const { draw } = await import("../../drawing/draw.js");
  if (!isRunnable(analysis)) return null;
  await file.lint();
  const { pack, facts } = analysis;
  return (await draw("html", { pack, facts, diagnostics: file.findings })).text;
}

const schemas = new Map<SpecVersion, SchemaPart>();

function schemaFor(version: SpecVersion): SchemaPart {
  return getOrCreate(schemas, version, () => {
    const text = readPackageFile("schema/promptpack.schema.json");
    return schemaAtVersion(JSON.parse(text) as Record<string, unknown>, version);
  });
}
