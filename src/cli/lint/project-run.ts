import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import { detectFormat } from "../../document/file-format.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { toDiagnostic } from "../../lint/collect-diagnostics.js";
import { levelOf } from "../../lint/run-rules.js";
import { sourceUnused, unusedSuppression } from "../../rules/linting-rules.js";
import { isCompiledFrom } from "../../sources/compile-pack.js";
import type { Project } from "../../sources/project.js";
import { kindOf } from "../../sources/source-file.js";
import { suppressByComments } from "../../suppress/comments.js";
import { suppress } from "../../suppress/suppress.js";
import { appendTo, tryTo } from "../../text/collections.js";
import { newestSpecVersion } from "../../text/tool-info.js";
import type { LintRequest } from "../config/lint-request.js";
import type { Settings } from "../config/settings.js";
import type { Target } from "../files/discover.js";
import { displayPath, isBelow, realPathOf } from "../files/paths.js";
import { readRegularFile } from "../files/read-file.js";
import { type Overlay, SourceReader } from "../files/source-reader.js";
import { type Io, printMessage, quoteForShell } from "../terminal/io.js";
import type { Progress, Stopwatch } from "../terminal/progress.js";
import { configSuppressor } from "./config-findings.js";
import type { FindingsCache } from "./findings-cache.js";
import type { Fixer } from "./fixer.js";
import type { LintTask } from "./lint-file.js";
import { lintSources, projectTask } from "./lint-project.js";
import type { Snapshot } from "./watch-files.js";
import type { LintedFile } from "./write-reports.js";

interface Context {
  readonly io: Io;
  readonly request: LintRequest;
  readonly stopwatch: Stopwatch;
  readonly fixer: Fixer;
  readonly observer: Snapshot | undefined;
  readonly cache: FindingsCache | undefined;
  readonly progress: Progress;
  readonly settingsFor: (path: string) => Promise<Settings>;
  readonly sources: ReadonlyMap<string, Uint8Array>;
  readonly overlay?: Overlay | undefined;
  readonly changed?: ReadonlySet<string>;
}

/** The projects of one run: each is linted once, and what they share is reported once. */
export class ProjectRun {
  private readonly reader: SourceReader;
  private readonly linted = new Map<string, Project>();
  /** Files listed by heads whose compiled packs are linted instead. */
  private readonly compiled: string[] = [];

  constructor(private readonly context: Context) {
    const { io, request, observer, overlay, sources } = context;
    const found = new Map([...sources].map(([path, bytes]) => [realPathOf(path), bytes]));
    this.reader = new SourceReader({
      cwd: io.cwd,
      limits: request.limits,
      // Files that the search has already read are not read again.
      overlay: overlay ?? ((path) => found.get(path)),
      onLookup: (path) => observer?.recordSource(path),
    });
  }

  /** Undefined for a scenario that no project lists, and for a file that turns out not to be a source. */
  async lintSource(
    target: Target,
    bytes: Uint8Array,
  ): Promise<readonly LintedFile[] | { readonly pack: string } | undefined> {
    const source = await this.reader.open(target.path, bytes);
    if (source.kind === "pack") {
      this.compiled.push(...source.listed);
      return { pack: source.path };
    }
    const own = source.kind === "project" ? source.project : undefined;
    const projects = own?.head === undefined ? await this.reader.projectsWith(target.path) : [own];
    if (projects.length === 0 && own === undefined) return undefined;
    const files: LintedFile[] = [];
    for (const project of projects.length === 0 && own ? [own] : projects)
      if (this.isConcerned(project)) files.push(...(await this.lintOnce(project, target)));
    return files;
  }

  /** With `--staged` and `--since`: whether one of its files changed, or is gone. */
  private isConcerned(project: Project): boolean {
    const { changed } = this.context;
    if (changed === undefined) return true;
    return [...pathsOf(project)].some((path) => changed.has(path));
  }

  private async lintOnce(found: Project, target: Target): Promise<readonly LintedFile[]> {
    const { path } = found.first;
    if (this.linted.has(path)) return [];
    const { request, stopwatch, fixer, observer, cache, settingsFor } = this.context;
    const onLookup = observer?.recordLookup;
    const task = { file: found.first.name, path, routes: undefined, request, stopwatch, onLookup };
    let project = found;
    const first = await projectTask(task, project, this.reader, settingsFor);
    if (request.fix !== undefined && fixer.mayFix(target)) {
      this.context.progress.hide();
      const fixed = await fixer.fixProject(first, project, (file) => this.reader.bytesOf(file));
      if (fixed.size > 0) {
        // Other projects may share what was fixed.
        for (const [file, bytes] of fixed) await this.reader.replace(file, bytes);
        const source = await this.reader.open(path);
        if (source.kind === "project") ({ project } = source);
      }
    }
    this.linted.set(path, project);
    const isCached = cache !== undefined && request.fix === undefined;
    const lint = async (onAnswer?: LintTask["onAnswer"]) => {
      const answering = { ...task, ...(onAnswer && { onAnswer }) };
      return lintSources(await projectTask(answering, project, this.reader, settingsFor), project);
    };
    const files = isCached
      ? await cache.findingsIn(project, task, first.settingsOf, (onAnswer) => lint(onAnswer))
      : await lint();
    return files.map((file) => ({ ...file, folder: target.folder }));
  }

  /** Whether a pack that a search found is what a project beside it compiles to; says so. */
  isCompiled({ path, file, named, read }: Target): boolean {
    if (named || read !== undefined) return false;
    const beside = [...this.linted.values()].find(({ first }) =>
      isBelow(dirname(first.path), realPathOf(path)),
    );
    return beside !== undefined && this.saysCompiled(beside, path, file);
  }

  private saysCompiled(project: Project, path: string, file: string): boolean {
    const { maxBytes } = this.context.request.limits;
    const text = tryTo(() => new TextDecoder().decode(readRegularFile(path, maxBytes)));
    if (text === undefined || !isCompiledFrom(project, text)) return false;
    const head = project.first.name;
    printMessage(
      this.context.io,
      `"${file}" is compiled from "${head}" and not linted again: "promptpack compile ${quoteForShell(head)} --check ${quoteForShell(file)}" compares them.`,
    );
    return true;
  }

  /** All linted files, each once, and the sources that no head lists. */
  async finish(linted: readonly LintedFile[], sources: readonly string[]): Promise<readonly LintedFile[]> {
    const unused: LintedFile[] = [];
    const heads = [...this.linted.values()].filter(({ head }) => head !== undefined);
    const listed = new Set(heads.flatMap((project) => [...pathsOf(project)]).concat(this.compiled));
    // A head with an error may list anything.
    const isKnown = heads.every(({ first }) => first.document.faults.length === 0);
    for (const path of isKnown ? sources : []) {
      const real = realPathOf(path);
      if (listed.has(real)) continue;
      const above = heads.filter(({ first }) => isBelow(dirname(first.path), real));
      const [nearest] = above.sort((a, b) => dirname(b.first.path).length - dirname(a.first.path).length);
      const file = nearest && (await this.unusedSource(path, nearest));
      if (file !== undefined) unused.push(file);
    }
    return [...mergeShared(linted), ...unused];
  }

  private async unusedSource(path: string, { first, listed }: Project): Promise<LintedFile | undefined> {
    const { io, request, settingsFor } = this.context;
    const { limits, inlineConfig } = request;
    const settings = await settingsFor(path);
    const severity = levelOf(sourceUnused, settings.levels);
    const bytes = tryTo(() => readRegularFile(path, limits.maxBytes));
    if (severity === "off" || settings.ignoredBy !== undefined || bytes === undefined) return undefined;
    const document = await readDocumentLazily(bytes, detectFormat(path, bytes), limits);
    const kind = kindOf(document);
    if (kind !== "PromptConfig" && kind !== "Tool") return undefined;
    const what = kind === "Tool" ? "tool" : "prompt";
    const list = kind === "Tool" ? "tools" : "prompt_configs";
    // It may be the one that is named wrongly.
    if (listed.some((each) => each.list === list && each.fault !== undefined)) return undefined;
    const found = toDiagnostic(document, sourceUnused, severity, {
      at: { pointer: "", start: 0, end: 0 },
      message: `No head lists this ${what}, so no pack has it.`,
      advice: `List it under "${list}" of "${first.name}", or remove it.`,
    });
    const all = { kept: [found], suppressed: [] };
    const left = inlineConfig ? suppressByComments(document, all, settings.levels, "all") : all;
    const { kept, suppressed } = suppress(left, configSuppressor(settings.ignoredFindings));
    const file = displayPath(path, io.cwd);
    const rest = { silentRules: "all", propertyNames: [], staleEntries: [] } as const;
    return {
      file,
      specVersion: newestSpecVersion,
      diagnostics: kept,
      suppressed,
      lines: document.lines,
      settings,
      ...rest,
    };
  }
}

/** The files of a project, and those that it names but that cannot be read. */
function* pathsOf({ files, listed }: Project): Iterable<string> {
  for (const { path } of files) yield path;
  for (const { by, reference } of listed) yield realPathOf(resolve(dirname(by.path), reference.file.text));
}

/** One report for each file: what several projects find at one place of it is one finding, of the first of them. */
function mergeShared(files: readonly LintedFile[]): readonly LintedFile[] {
  const byFile = new Map<string, LintedFile[]>();
  for (const file of files) appendTo(byFile, file.file, file);
  return [...byFile.values()].flatMap((shared) => {
    const [first, ...others] = shared;
    return first === undefined || others.length === 0 ? shared : [mergeFile(shared, first)];
  });
}

function mergeFile(shared: readonly LintedFile[], first: LintedFile): LintedFile {
  const byPlace = new Map<string, Diagnostic[]>();
  for (const { diagnostics } of shared)
    for (const found of diagnostics) appendTo(byPlace, placeKey(found), found);
  const diagnostics = [...byPlace.values()].flatMap((found) => {
    const [one, ...more] = found;
    // A comment that one project needs is needed.
    if (one === undefined || (one.rule === unusedSuppression.id && found.length < shared.length)) return [];
    const projects = [...new Set(more.flatMap(({ project }) => project ?? []))].filter(
      (other) => other !== one.project,
    );
    return projects.length === 0 ? one : { ...one, data: { ...one.data, projects } };
  });
  const seen = new Set<string>();
  const suppressed = shared
    .flatMap((each) => each.suppressed)
    .filter(({ diagnostic }) => !seen.has(placeKey(diagnostic)) && seen.add(placeKey(diagnostic)));
  const staleEntries = first.staleEntries.filter(({ index }) =>
    shared.every((each) => each.staleEntries.some((entry) => entry.index === index)),
  );
  return { ...first, diagnostics, suppressed, staleEntries };
}

function placeKey({ rule, pointer, range: { start, end } }: Diagnostic): string {
  return `${rule} ${pointer} ${start.line}:${start.column}-${end.line}:${end.column}`;
}
