import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { PackAnalysis } from "../../analysis.js";
import type { Diagnostic, Position, Range, Span, TextEdit } from "../../diagnostic.js";
import { getOrCreate, lazy } from "../../text/collections.js";
import type { LintRequest } from "../config/lint-request.js";
import { settingFileNames } from "../files/setting-files.js";
import { documentNamePattern, isNamedAsPack, mayBeRoutes } from "../files/discover.js";
import { isBelow } from "../files/paths.js";
import { bomLength, EditorLinter, type EditorOutcome } from "./editor-linter.js";
import * as lsp from "./protocol.js";

/** One text of a file in the editor, saved or not, and what is made of it, each once. */
export class OpenFile {
  readonly uri: string;
  readonly document: lsp.TextDocument;
  readonly isRoutes: boolean;
  /** Findings and features share it. */
  readonly analysis = lazy(() => this.linter.analyze(this.path, this.text));
  /** The pack, as far as the text can be read; undefined if the file is not linted. */
  readonly pack = lazy(() => this.linter.readPack(this.path, this.text, this.analysis));
  /** None before it is linted. */
  findings: readonly Diagnostic[] = [];
  outcome: Promise<EditorOutcome> | undefined;
  private readonly trials = new Map<string, Promise<boolean>>();

  constructor(
    readonly path: string,
    /** The latest text. Edited in place, since finding all lines of a large text takes longer than an edit. */
    readonly buffer: lsp.TextDocument,
    readonly linter: EditorLinter,
  ) {
    const { uri, languageId, version } = buffer;
    this.uri = uri;
    this.document = lsp.TextDocument.create(uri, languageId, version, buffer.getText());
    this.isRoutes = mayBeRoutes(path, (limit) => Buffer.from(this.text.slice(0, limit + 1)));
  }

  get text(): string {
    return this.document.getText();
  }

  /** Lints the text once, until something else that the findings depend on changes. */
  lint(): Promise<EditorOutcome> {
    return (this.outcome ??= this.findOutcome());
  }

  private async findOutcome(): Promise<EditorOutcome> {
    const outcome = await this.linter.lint(this.path, this.text, this.analysis);
    if (outcome.kind === "linted") this.findings = outcome.report.diagnostics;
    return outcome;
  }

  markStale(): void {
    this.outcome = undefined;
    this.trials.clear();
  }

  /** Whether the outcome of edits is as expected. The outcome is not kept, as there may be many edits to try. */
  tryEdits(edits: lsp.TextEdit[], isExpected: (after: EditorOutcome) => boolean): Promise<boolean> {
    return getOrCreate(this.trials, JSON.stringify(edits), async () => {
      const after = lsp.TextDocument.applyEdits(this.document, edits);
      return isExpected(await this.linter.lint(this.path, after));
    });
  }

  range(range: Range): lsp.Range {
    return toEditorRange(range, bomLength(this.text));
  }

  startOfLine(line: number): lsp.Position {
    return toEditorPosition({ line, column: 1 }, bomLength(this.text));
  }

  span({ start, end }: Span): lsp.Range {
    const at = (offset: number) => this.document.positionAt(offset + bomLength(this.text));
    return { start: at(start), end: at(end) };
  }

  edit({ text, ...span }: TextEdit): lsp.TextEdit {
    return { range: this.span(span), newText: text };
  }

  offset(position: lsp.Position): number {
    return Math.max(0, this.document.offsetAt(position) - bomLength(this.text));
  }
}

export function toEditorRange({ start, end }: Range, bom = 0): lsp.Range {
  return { start: toEditorPosition(start, bom), end: toEditorPosition(end, bom) };
}

/** We count from 1, the protocol from 0. */
function toEditorPosition({ line, column }: Position, bom: number): lsp.Position {
  return { line: line - 1, character: column - 1 + (line === 1 ? bom : 0) };
}

export function overlaps(a: lsp.Range, b: lsp.Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: lsp.Position, b: lsp.Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Texts that were never saved have no path, and so no configuration: they are left out. */
export class OpenFiles {
  /** The folders that are open in the editor. */
  folders: readonly string[] = [];
  private readonly files = new Map<string, OpenFile>();
  private lastReading:
    { readonly text: string; readonly pack: Promise<PackAnalysis | undefined> } | undefined;

  constructor(
    private readonly cwd: string,
    private readonly request: LintRequest,
  ) {}

  get(uri: string): OpenFile | undefined {
    return this.files.get(uri);
  }

  get uris(): readonly string[] {
    return [...this.files.keys()];
  }

  get routes(): readonly string[] {
    return this.uris.filter((uri) => this.get(uri)?.isRoutes);
  }

  /** The files whose findings depend on the text of a file. */
  routesWith(uri: string): readonly string[] {
    return this.get(uri)?.isRoutes === true ? this.routes : [];
  }

  /** Not every client sends a text, though the protocol requires it. */
  open(uri: string, language: string, version: number, text: unknown): void {
    const path = uriToPath(uri);
    if (path === undefined || typeof text !== "string") return;
    this.add(path, lsp.TextDocument.create(uri, language, version, text));
  }

  change(uri: string, version: number, changes: lsp.TextDocumentContentChangeEvent[]): void {
    const file = this.files.get(uri);
    if (file === undefined) return;
    const { path, buffer } = file;
    // After an edit beyond the last line, the library would no longer know where the lines are.
    const clamp = (position: lsp.Position) => buffer.positionAt(buffer.offsetAt(position));
    for (const change of changes) {
      const range = "range" in change && { start: clamp(change.range.start), end: clamp(change.range.end) };
      lsp.TextDocument.update(buffer, [{ ...change, ...(range && { range }) }], version);
    }
    lsp.TextDocument.update(buffer, [], version);
    this.add(path, buffer);
  }

  close(uri: string): void {
    this.files.delete(uri);
  }

  /** Each folder is linted as if the command ran there. */
  private add(path: string, buffer: lsp.TextDocument): void {
    const enclosing = this.folders.filter((folder) => isBelow(folder, path));
    const [innermost = this.folders[0]] = enclosing.sort((a, b) => b.length - a.length);
    const linter = new EditorLinter(innermost ?? this.cwd, this.request, (other) => this.textAt(other));
    this.files.set(buffer.uri, new OpenFile(path, buffer, linter));
  }

  /** The text of a file in the editor, if it is open. */
  textAt(path: string): string | undefined {
    for (const file of this.files.values()) if (file.path === path) return file.text;
    return undefined;
  }

  /** The pack in a file without what is being typed, which is often the same for several keys in a row. */
  packWithout({ path, linter }: OpenFile, text: string): Promise<PackAnalysis | undefined> {
    if (this.lastReading?.text !== text) this.lastReading = { text, pack: linter.readPack(path, text) };
    return this.lastReading.pack;
  }
}

/** Undefined if it is not the address of a file. */
export function uriToPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** The files on the disk that the findings in open files depend on. */
export class WatchedFiles {
  /** Files with settings, or whose absence is a finding. */
  private readonly settingFileNames: readonly string[];

  constructor({ config, baseline }: LintRequest) {
    const named = [config, baseline].flatMap((file) => (typeof file === "string" ? basename(file) : []));
    this.settingFileNames = [...settingFileNames, "SKILL.md", ...named];
  }

  get registration(): lsp.Registration {
    const globs = [`**/{${this.settingFileNames.join(",")}}`, "**/*.{json,yaml,yml}"];
    return {
      id: "files",
      method: lsp.DidChangeWatchedFilesNotification.method,
      registerOptions: { watchers: globs.map((globPattern) => ({ globPattern })) },
    };
  }

  /** The open files to lint again. Routes depend on the files beside them. */
  affected(changed: readonly string[], open: OpenFiles): readonly string[] {
    const paths = changed.flatMap((uri) => (uri.includes("/node_modules/") ? [] : (uriToPath(uri) ?? [])));
    // Any other file may be a skill that a pack names, or its folder.
    const concernsAll = (path: string) =>
      this.settingFileNames.includes(basename(path)) || !documentNamePattern.test(path);
    if (paths.some(concernsAll)) return open.uris;
    // For an open file, the text in the editor counts.
    if (paths.every((path) => isNamedAsPack(path) || open.textAt(path) !== undefined)) return [];
    return open.routes;
  }
}
