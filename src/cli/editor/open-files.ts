import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Analysis, hasPack } from "../../analysis.js";
import type { Diagnostic, Position, Range, Span, TextEdit } from "../../diagnostic.js";
import { detectFormat, type Format } from "../../document/file-format.js";
import { loadReader, readDocumentLazily } from "../../document/read-lazily.js";
import { readHalfTyped } from "../../language/half-typed.js";
import type { FileReport } from "../../reporters/report.js";
import { cached, getOrCreate, lazy, tryTo } from "../../text/collections.js";
import type { ConfigFault } from "../config/config.js";
import type { LintRequest } from "../config/lint-request.js";
import { ConfigError, loadConfig } from "../config/load-config.js";
import { SettingsResolver } from "../config/settings.js";
import {
  documentNamePattern,
  isNamedAsPack,
  isSkippedBySearch,
  mayBeRoutes,
  mayHoldRoutes,
  routesBeside,
  shouldLint,
  type Target,
} from "../files/discover.js";
import { openAnalysis } from "../files/open-analysis.js";
import { displayPath, isBelow, realPathOf } from "../files/paths.js";
import { settingFileNames } from "../files/setting-files.js";
import { describeFailure, fixFile, lintFile, type LintTask, openBaseline, prove } from "../lint/lint-file.js";
import { lintSources, projectTask } from "../lint/lint-project.js";
import type { Project } from "../../sources/project.js";
import { looksLikeSource, type SourceFile } from "../../sources/source-file.js";
import { SourceReader } from "../files/source-reader.js";
import { UsageError } from "../terminal/io.js";
import { Stopwatch } from "../terminal/progress.js";
import * as lsp from "./protocol.js";

/** A file that is not linted has no faults, unless it is a config. */
export type LintOutcome =
  | { readonly kind: "linted"; readonly report: FileReport }
  | { readonly kind: "skipped"; readonly faults: readonly ConfigFault[] }
  | LintFailure;

export interface LintFailure {
  readonly kind: "failed";
  readonly sentences: readonly string[];
  readonly cause: unknown;
}

/** Gives a file access to the others. */
interface OpenContext {
  /** Undefined if no such file is open. */
  unsaved(path: string): string | undefined;
  /** Names files relative to a folder. */
  sources(folder: string): SourceReader;
  /** The project of a head, or the first that lists the file, or the file alone. */
  projectWith(path: string, folder: string): Promise<Project | undefined>;
}

/** One text of a file in the editor. Settings are read each time, as the user may have changed them. */
export class OpenFile {
  readonly uri: string;
  readonly document: lsp.TextDocument;
  readonly isRoutes = lazy(() =>
    mayBeRoutes(this.path, (limit) => Buffer.from(this.text.slice(0, limit + 1))),
  );
  /** Whether it is a part of a project, by its text. */
  readonly isSource = lazy(
    () =>
      this.request.kind !== "routes" &&
      !isNamedAsPack(this.path) &&
      looksLikeSource(this.text, "(?:Arena|PromptConfig|Tool|Scenario)"),
  );
  /** The project that a source is a part of, with this text. */
  readonly project = lazy(async () => {
    if (!this.isSource()) return undefined;
    const { path, format, request } = this;
    const project = await this.context.projectWith(path, this.folder);
    const own = project?.files.find((file) => file.path === realPathOf(path));
    if (project === undefined || own?.document.text === this.text.slice(this.bomLength)) return project;
    const document = await readDocumentLazily(Buffer.from(this.text), format, request.limits);
    return project.withDocuments(new Map([[realPathOf(path), document]]), request.limits);
  });
  readonly analysis = lazy(async () => {
    const project = await this.project();
    return project === undefined
      ? openAnalysis(this.shownPath, Buffer.from(this.text), this.request)
      : this.analysisOf(project);
  });
  /** The pack, as far as the text can be read; undefined if the file is not linted. */
  readonly pack = lazy(async () => {
    const analysis = this.isLintable() ? await this.analysis() : undefined;
    if (analysis === undefined) return undefined;
    const { project } = analysis;
    const document = project === undefined ? analysis.document : this.partOf(project)?.document;
    return document?.root === undefined ? this.halfTypedPack() : packIn(analysis);
  });
  /** The same for a text that can rarely be read as it is. */
  readonly halfTypedPack = lazy(async () => {
    if (!this.isLintable()) return undefined;
    const { limits, specVersion } = this.request;
    const read = await loadReader(this.format);
    const document = readHalfTyped(this.text, (part) => read(part, limits));
    const project = (await this.project())?.withDocuments(
      new Map([[realPathOf(this.path), document]]),
      limits,
    );
    if (project !== undefined) return packIn(this.analysisOf(project));
    return packIn(new Analysis(this.path, document, { specVersion }));
  });
  /** None before it is linted. */
  findings: readonly Diagnostic[] = [];
  outcome: Promise<LintOutcome> | undefined;
  private readonly trials = new Map<string, Promise<boolean>>();

  constructor(
    readonly path: string,
    /** The latest text. Edited in place, since finding all lines of a large text takes longer than an edit. */
    readonly buffer: lsp.TextDocument,
    /** The file is linted as if the command ran here, and names of other files are relative to it. */
    readonly folder: string,
    private readonly request: LintRequest,
    private readonly context: OpenContext,
    text = buffer.getText(),
  ) {
    const { uri, languageId, version } = buffer;
    this.uri = uri;
    this.document = lsp.TextDocument.create(uri, languageId, version, text);
  }

  withText(text: string): OpenFile {
    const { path, buffer, folder, request, context } = this;
    return new OpenFile(path, buffer, folder, request, context, text);
  }

  /** The pack with another text: of the file, or of all files of its project. */
  async withPackText(text: string): Promise<Analysis> {
    const project = await this.project();
    if (project === undefined) return this.withText(text).analysis();
    const read = await this.context.sources(this.folder).syncReader();
    return this.analysisOf(project.withText(text, read, this.request.limits));
  }

  /** This file in its project. */
  partOf(project: Project | undefined): SourceFile | undefined {
    return project?.files.find(({ path }) => path === realPathOf(this.path));
  }

  private analysisOf(project: Project): Analysis {
    const { specVersion } = this.request;
    return new Analysis(project.first.name, project.document, { specVersion, project });
  }

  get text(): string {
    return this.document.getText();
  }

  get format(): Format {
    return detectFormat(this.path, this.text);
  }

  private get shownPath(): string {
    return displayPath(this.path, this.folder);
  }

  /** Whether a search would find it: editors open any YAML file. */
  isLintable(): boolean {
    const { path, text, folder, request } = this;
    if (this.isSource()) return !isSkippedBySearch(path, folder);
    return shouldLint(path, request.kind, () => Buffer.from(text)) && !isSkippedBySearch(path, folder);
  }

  /** Lints the text once, until something else that the findings depend on changes. */
  lint(): Promise<LintOutcome> {
    return (this.outcome ??= this.findOutcome());
  }

  markStale(): void {
    this.outcome = undefined;
    this.trials.clear();
  }

  /** A failure in one file must not end the session. */
  private async findOutcome(): Promise<LintOutcome> {
    try {
      if (!this.isLintable()) return { kind: "skipped", faults: await this.configFaults() };
      if (this.isSource()) return await this.lintInProject();
      const found = await this.lintTask();
      if (found === undefined) return { kind: "skipped", faults: [] };
      const { baseline, ...task } = found;
      const linted = await lintFile(task);
      const report = baseline?.apply([linted])[0] ?? linted;
      this.findings = report.diagnostics;
      return { kind: "linted", report };
    } catch (error) {
      const sentences = error instanceof UsageError ? error.lines : describeFailure(this.path, error);
      return { kind: "failed", sentences, cause: error };
    }
  }

  /** A scenario that no project lists is not linted: nobody has named it. */
  private async lintInProject(): Promise<LintOutcome> {
    const task = await this.projectTask();
    if (task === undefined) return { kind: "skipped", faults: [] };
    const files = await lintSources(task, task.project);
    const own = files.find(({ file }) => file === this.partOf(task.project)?.name);
    if (own === undefined) return { kind: "skipped", faults: [] };
    const report = task.baseline?.apply([own])[0] ?? own;
    this.findings = report.diagnostics;
    return { kind: "linted", report };
  }

  /** Undefined if no project has the file. */
  private async projectTask() {
    const project = await this.project();
    if (project === undefined) return undefined;
    const { folder, request, context } = this;
    const baseline = await openBaseline(request, folder);
    const resolver = this.resolver();
    const { name: file, path } = project.first;
    const task = { file, path, request, stopwatch: new Stopwatch() };
    const settingsFor = (each: string) => resolver.settingsFor(each);
    return { ...(await projectTask(task, project, context.sources(folder), settingsFor)), project, baseline };
  }

  /** The text with all safe fixes applied. */
  async fix(): Promise<string> {
    try {
      const inProject = this.isSource() ? await this.projectTask() : undefined;
      const own = this.partOf(inProject?.project);
      const task = inProject ?? (await this.lintTask());
      const fixed = task && (await fixFile(task));
      if (fixed === undefined) return this.text;
      const text = own === undefined ? fixed.text : inProject?.project.split(fixed.text)?.get(own);
      return text === undefined ? this.text : this.text.slice(0, this.bomLength) + text;
    } catch {
      return this.text;
    }
  }

  /** The edits that would remove a finding of the last lint. The editor asks again whenever the cursor moves. */
  readonly provedFixes = cached(async (finding: Diagnostic): Promise<readonly Diagnostic[]> => {
    if (this.isSource()) return this.provedInProject(finding).catch(() => []);
    const task = await this.lintTask().catch(() => undefined);
    return task === undefined ? [] : prove(task, finding);
  });

  /** Only edits of this file. */
  private async provedInProject({ rule, packPointer }: Diagnostic): Promise<readonly Diagnostic[]> {
    const task = await this.projectTask();
    const own = this.partOf(task?.project);
    const { kept = [] } = task?.sources.lint(task.analysis) ?? {};
    const finding = kept.find((each) => each.rule === rule && each.pointer === packPointer);
    if (task === undefined || own === undefined || finding === undefined) return [];
    const proved = await prove(task, finding);
    return proved.flatMap(({ fix, ...rest }) => {
      const isOwn = fix.edits.every(({ start }) => task.project.fileAt(start) === own);
      const edits = fix.edits.map((edit) => ({ ...edit, ...task.project.seenFrom(own, edit) }));
      return isOwn ? [{ ...rest, fix: { ...fix, edits } }] : [];
    });
  }

  /** Undefined if the settings ignore the file. */
  private async lintTask() {
    const { path, folder, request, shownPath: file } = this;
    const baseline = await openBaseline(request, folder);
    const bytes = Buffer.from(this.text);
    const routes = await this.findRoutes({ file, path, named: true, read: () => bytes });
    const analysis = await this.analysis();
    const settings = await this.resolver().settingsFor(path);
    if (settings.ignoredBy !== undefined) return undefined;
    return { file, path, bytes, routes, analysis, settings, request, stopwatch: new Stopwatch(), baseline };
  }

  private resolver(): SettingsResolver {
    return new SettingsResolver(this.folder, this.request);
  }

  private async configFaults(): Promise<readonly ConfigFault[]> {
    const { path, text, folder } = this;
    if (this.resolver().configPathFor(path) !== path) return [];
    try {
      await loadConfig(path, folder, () => Buffer.from(text));
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.faults;
    }
  }

  /** The routes that a file is a part of, with the other files as they are in the editor. */
  private async findRoutes(target: Target): Promise<LintTask["routes"]> {
    const { folder, request } = this;
    if (request.kind === "pack" || !mayHoldRoutes(target)) return undefined;
    const { routesByPath } = await import("../lint/route-sets.js");
    const withOpenText = (other: Target): Target => {
      const text = this.context.unsaved(other.path);
      return text === undefined ? other : { ...other, read: () => Buffer.from(text) };
    };
    const beside = routesBeside(folder);
    const openBeside: typeof beside = (...args) => beside(...args).map(withOpenText);
    return routesByPath([target], openBeside, request.limits).get(target.path);
  }

  /** Whether the outcome of edits is as expected. The outcome is not kept, as there may be many edits to try. */
  tryEdits(edits: lsp.TextEdit[], isExpected: (after: LintOutcome) => boolean): Promise<boolean> {
    return getOrCreate(this.trials, JSON.stringify(edits), async () => {
      const after = this.withText(lsp.TextDocument.applyEdits(this.document, edits));
      return isExpected(await after.lint());
    });
  }

  /** A byte order mark is a part of the editor's text, but not of ours. */
  get bomLength(): number {
    return this.text.startsWith("\ufeff") ? 1 : 0;
  }

  range(range: Range): lsp.Range {
    return toEditorRange(range, this.bomLength);
  }

  startOfLine(line: number): lsp.Position {
    return toEditorPosition({ line, column: 1 }, this.bomLength);
  }

  span({ start, end }: Span): lsp.Range {
    const at = (offset: number) => this.document.positionAt(offset + this.bomLength);
    return { start: at(start), end: at(end) };
  }

  edit({ text, ...span }: TextEdit): lsp.TextEdit {
    return { range: this.span(span), newText: text };
  }

  offset(position: lsp.Position): number {
    return Math.max(0, this.document.offsetAt(position) - this.bomLength);
  }
}

/** Texts that were never saved have no path, and so no configuration: they are left out. */
export class OpenFiles implements OpenContext {
  folders: readonly string[] = [];
  private readonly files = new Map<string, OpenFile>();
  private lastUnfinished: OpenFile | undefined;
  /** Files with settings, or whose absence is a finding. */
  private readonly settingFileNames: readonly string[];

  constructor(
    private readonly cwd: string,
    private readonly request: LintRequest,
  ) {
    const { config, baseline } = request;
    const named = [config, baseline].flatMap((file) => (typeof file === "string" ? basename(file) : []));
    this.settingFileNames = [...settingFileNames, "SKILL.md", ...named];
  }

  private readonly readers = new Map<string, SourceReader>();

  sources(folder: string): SourceReader {
    const { limits } = this.request;
    const overlay = (path: string) => {
      const text = this.atRealPath(path)?.text;
      return text === undefined ? undefined : Buffer.from(text);
    };
    return getOrCreate(this.readers, folder, () => new SourceReader({ cwd: folder, limits, overlay }));
  }

  async projectWith(path: string, folder: string): Promise<Project | undefined> {
    const reader = this.sources(folder);
    const source = await reader.open(path).catch(() => undefined);
    const own = source?.kind === "project" ? source.project : undefined;
    if (own?.head !== undefined) return own;
    return (await reader.projectsWith(path))[0] ?? own;
  }

  /** Files of projects on the disk may have changed. */
  forgetSources(): void {
    this.readers.clear();
    this.renewSources();
  }

  /** Makes the other open sources read their projects again. */
  private renewSources(changed?: OpenFile): void {
    for (const uri of this.openSources) {
      const file = this.files.get(uri);
      if (file === undefined || file === changed) continue;
      const renewed = file.withText(file.text);
      renewed.findings = file.findings;
      this.files.set(uri, renewed);
    }
  }

  atRealPath(path: string): OpenFile | undefined {
    return [...this.files.values()].find((file) => realPathOf(file.path) === path);
  }

  get openSources(): readonly string[] {
    return this.uris.filter((uri) => this.get(uri)?.isSource());
  }

  get watchedGlobs(): readonly string[] {
    return [`**/{${this.settingFileNames.join(",")}}`, "**/*.{json,yaml,yml}"];
  }

  /** The open files to lint again when files on the disk have changed. Routes depend on the files beside them. */
  affectedBy(changed: readonly string[]): readonly string[] {
    const paths = changed.flatMap((uri) => (uri.includes("/node_modules/") ? [] : (uriToPath(uri) ?? [])));
    // Any other file may be a skill that a pack names, or its folder.
    const concernsAll = (path: string) =>
      this.settingFileNames.includes(basename(path)) || !documentNamePattern.test(path);
    this.forgetSources();
    if (paths.some(concernsAll)) return this.uris;
    // For an open file, the text in the editor counts.
    if (paths.every((path) => isNamedAsPack(path) || this.textAt(path) !== undefined)) return [];
    return [...this.routes, ...this.openSources];
  }

  get(uri: string): OpenFile | undefined {
    return this.files.get(uri);
  }

  get uris(): readonly string[] {
    return [...this.files.keys()];
  }

  get routes(): readonly string[] {
    return this.uris.filter((uri) => this.get(uri)?.isRoutes());
  }

  /** The files whose findings depend on the text of a file. */
  dependentsOf(uri: string): readonly string[] {
    const file = this.get(uri);
    if (file?.isSource() === true) return this.openSources;
    return file?.isRoutes() === true ? this.routes : [];
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
    this.forgetSources();
  }

  private add(path: string, buffer: lsp.TextDocument): void {
    const enclosing = this.folders.filter((folder) => isBelow(folder, path));
    const [innermost = this.folders[0]] = enclosing.sort((a, b) => b.length - a.length);
    const file = new OpenFile(path, buffer, innermost ?? this.cwd, this.request, this);
    this.files.set(buffer.uri, file);
    for (const reader of this.readers.values()) reader.forget(path);
    if (file.isSource()) this.renewSources(file);
  }

  unsaved(path: string): string | undefined {
    return this.textAt(path);
  }

  textAt(path: string): string | undefined {
    return [...this.files.values()].find((file) => file.path === path)?.text;
  }

  /** A file without its unfinished part: often the same text for several keys in a row. */
  withoutUnfinished(file: OpenFile, text: string): OpenFile {
    if (this.lastUnfinished?.text !== text) this.lastUnfinished = file.withText(text);
    return this.lastUnfinished;
  }
}

/** Undefined if it is not the address of a file. */
export function uriToPath(uri: string): string | undefined {
  return tryTo(() => fileURLToPath(uri));
}

function packIn(analysis: Analysis) {
  return hasPack(analysis) ? analysis : undefined;
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
