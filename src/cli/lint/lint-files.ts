import { resolve } from "node:path";
import type { FileReport } from "../../reporters/report.js";
import type { Routes } from "../../routes/routes.js";
import { looksLikeSource } from "../../sources/source-file.js";
import { partition } from "../../text/collections.js";
import { joinWords, listNames, pluralize } from "../../text/wording.js";
import type { LintFlags } from "../config/flags.js";
import { checkStdinName, type LintRequest, readLintRequest } from "../config/lint-request.js";
import { refuseToOverwriteInputs } from "../config/refuse-overwrite.js";
import { SettingsResolver } from "../config/settings.js";
import {
  discover,
  type Discovery,
  isNamedAsPack,
  mayHoldRoutes,
  readTargetBytes,
  type Target,
} from "../files/discover.js";
import { displayPath, isBelow, realPathOf } from "../files/paths.js";
import { describeIoError } from "../files/read-file.js";
import { type Io, printMessage, readAll, withStdout } from "../terminal/io.js";
import { Progress, Stopwatch } from "../terminal/progress.js";
import type { BaselineFile } from "./baseline.js";
import { ConfigFindings, reportStaleEntries, reportUnknownNames } from "./config-findings.js";
import type { Diagrams } from "./diagrams.js";
import type { FindingsCache } from "./findings-cache.js";
import { Fixer } from "./fixer.js";
import { describeFailure, lintFile, openBaseline } from "./lint-file.js";
import type { ProjectRun } from "./project-run.js";
import type { Snapshot } from "./watch-files.js";
import {
  applyQuiet,
  exitCodeOf,
  type LintedFile,
  mergeReportsByFile,
  wantsDiagrams,
  writeReports,
} from "./write-reports.js";

export async function lintFiles(io: Io, paths: readonly string[], flags: LintFlags): Promise<number> {
  const request = readLintRequest(flags, io.cwd);
  checkStdinName(paths, flags);
  if (flags.printConfig !== undefined) {
    const { printConfig } = await import("../config/print-config.js");
    return printConfig(io, flags.printConfig, paths, request);
  }
  let runs = 0;
  const lint = async (observer?: Snapshot) => {
    const baseline = await openBaseline(request, io.cwd);
    const cache = request.cache && (await import("./findings-cache.js")).FindingsCache.open(io, request);
    try {
      return await new LintRun(io, request, baseline, cache, observer).run(paths, runs++ === 0);
    } finally {
      cache?.close();
    }
  };
  if (flags.watch !== true) return lint();
  const { watchFiles } = await import("./watch-files.js");
  return watchFiles(io, paths, request, lint);
}

/** `promptpack validate`: the same with the preset `errors`, unless the flags name another. */
export function validateFiles(io: Io, paths: readonly string[], flags: LintFlags): Promise<number> {
  return lintFiles(io, paths, { preset: "errors", ...flags });
}

interface Collected extends Discovery {
  readonly stdin: Target | undefined;
  readonly readsStdin: boolean;
}

type FoundSources = Pick<Discovery, "sources" | "overlay" | "changed">;

interface Linted {
  readonly files: readonly LintedFile[];
  readonly configs: ConfigFindings;
}

class LintRun {
  private readonly stopwatch = new Stopwatch();
  private readonly progress: Progress;
  private readonly fixer: Fixer;
  private settings: SettingsResolver;
  /** The ignore file or config of each file that was found and skipped. */
  private skipped: string[] = [];
  private diagrams: Diagrams | undefined;
  private projects: ProjectRun | undefined;
  private targetPaths: ReadonlySet<string> = new Set();
  private found: FoundSources = { sources: new Map() };

  constructor(
    private readonly io: Io,
    private readonly request: LintRequest,
    private readonly baseline: BaselineFile | undefined,
    private readonly cache: FindingsCache | undefined,
    private readonly observer: Snapshot | undefined,
  ) {
    this.progress = new Progress(io);
    const known = request.updateBaseline ? undefined : baseline;
    this.fixer = new Fixer(io, request, known, this.progress.reportProblem, observer?.record);
    this.settings = new SettingsResolver(io.cwd, request);
  }

  async run(paths: readonly string[], mentionsStrays: boolean): Promise<number> {
    const collected = await this.collect(paths);
    let linted = await this.lint(collected);
    // Fixing standard input must not change a file.
    if (!collected.readsStdin && (await this.fixer.fixConfigs(linted.configs))) {
      // With another config, packs may have other findings.
      linted = await this.lint(collected);
      await this.fixer.fixConfigs(linted.configs);
    }
    return this.present(collected, linted, mentionsStrays);
  }

  private async collect(paths: readonly string[]): Promise<Collected> {
    const { io, request, stopwatch, progress } = this;
    const found = await stopwatch.timeAsync("find files", () => findTargets(io, paths, request));
    found.problems.forEach(progress.reportProblem);
    const readsStdin = paths.includes("-");
    if (!readsStdin) return { ...found, stdin: undefined, readsStdin };
    // Standard input replaces the older version on the disk.
    const stdinPath = realPathOf(this.stdinPath());
    const older = found.targets.find(({ path }) => realPathOf(path) === stdinPath);
    const targets = found.targets.filter((target) => target !== older);
    return { ...found, targets, stdin: await this.readStdin(older), readsStdin };
  }

  /** Selects the config of standard input. */
  private stdinPath(): string {
    return resolve(this.io.cwd, this.request.stdinFilename ?? "<stdin>");
  }

  private async readStdin(older: Target | undefined): Promise<Target | undefined> {
    const { stdinFilename: name, limits } = this.request;
    try {
      const bytes = await readAll(this.io.stdin, limits.maxBytes, this.fixer.passThroughOversized);
      return {
        file: name ?? "<stdin>",
        path: this.stdinPath(),
        named: name !== undefined,
        folder: older?.folder,
        read: () => bytes,
      };
    } catch (error) {
      this.progress.reportProblem(`Standard input ${describeIoError(error)}.`);
      return undefined;
    }
  }

  /** Lints each file by its own settings, after fixing it. A failure of one does not stop the others. */
  private async lint(found: Collected): Promise<Linted> {
    const { io, request, progress } = this;
    const { targets, stdin, readsStdin, beside } = found;
    const settings = (this.settings = new SettingsResolver(io.cwd, request));
    this.skipped = [];
    if (wantsDiagrams(io, request)) this.diagrams = new (await import("./diagrams.js")).Diagrams(request);
    const all = stdin?.named === true ? [stdin, ...targets] : targets;
    this.fixer.prepare(all, (path) => settings.configPathFor(path));
    const routes = await this.loadRoutes(all, beside);
    const read = [...targets.map(({ path }) => path), ...(readsStdin ? [this.stdinPath()] : [])];
    refuseToOverwriteInputs(io.cwd, request, [...read, ...routes.keys()], settings);
    const linted: LintedFile[] = [];
    this.reset(all, found);
    // Without a path, no rule looks for files beside it.
    if (stdin !== undefined)
      linted.push(...(await this.lintTarget(stdin, undefined, routes.get(stdin.path))));
    // Heads come first, so that the packs compiled from them can be skipped.
    const [heads, others] = partition(targets, ({ isHead }) => isHead === true);
    for (const [index, target] of [...heads, ...others].entries()) {
      progress.show(index, targets.length, target.file);
      if (this.projects?.isCompiled(target) === true) continue;
      linted.push(...(await this.lintTarget(target, target.path, routes.get(target.path))));
    }
    const files = (await this.projects?.finish(linted, [...found.sources.keys()])) ?? linted;
    progress.hide();
    this.failIfAllSkipped(targets);
    const configs = new ConfigFindings();
    reportStaleEntries(configs, files, io.cwd);
    reportUnknownNames(configs, files, (file) => !progress.hasProblems && this.coversConfig(file));
    return { files, configs };
  }

  private reset(targets: readonly Target[], { sources, overlay, changed }: FoundSources): void {
    this.projects = undefined;
    // When fixing or watching, files may change, so they are read again.
    const isSteady = this.request.fix === undefined && this.observer === undefined;
    const read = isSteady ? sources : new Map<string, Uint8Array>();
    this.found = { sources: read, ...(overlay && { overlay }), ...(changed && { changed }) };
    this.targetPaths = new Set(targets.map(({ path }) => realPathOf(path)));
  }

  /** Loads the code for routes only if there may be some. */
  private async loadRoutes(
    targets: readonly Target[],
    beside: Discovery["beside"],
  ): Promise<ReadonlyMap<string, Routes>> {
    const { request, observer } = this;
    const routes = targets.filter(mayHoldRoutes);
    if (routes.length === 0 || request.kind === "pack") return new Map();
    const { routesByPath } = await import("./route-sets.js");
    const observed: Discovery["beside"] = (folders, maxDepth) => {
      const found = beside(folders, maxDepth);
      const paths = found.map(({ path }) => path);
      observer?.recordSearch({ folders, maxDepth }, paths);
      return found;
    };
    return routesByPath(routes, observed, request.limits);
  }

  /** The file with its findings; nothing if it is skipped, or cannot be linted. `path` is undefined for standard input. */
  private async lintTarget(
    target: Target,
    path: string | undefined,
    routes: Routes | undefined,
  ): Promise<readonly LintedFile[]> {
    const { file, named, folder, aliases: [alias, ...others] = [] } = target;
    const { request, stopwatch, cache, fixer, observer } = this;
    const readBytes = () =>
      this.found.sources.get(target.path) ?? readTargetBytes(target, request.limits.maxBytes);
    try {
      const settings = await this.settings.settingsFor(target.path);
      if (settings.ignoredBy !== undefined) {
        // A file that is ignored under one name may not be under another.
        if (alias) return await this.lintTarget({ ...alias, named, aliases: others }, alias.path, routes);
        if (path === undefined) fixer.passThrough(readBytes());
        this.noteSkipped(target, settings.ignoredBy);
        return [];
      }
      const bytes = stopwatch.time("read files", readBytes);
      if (routes === undefined && mayBeSource(target, bytes, request.kind)) {
        const sources = await this.lintSourcesOf(target, path, bytes);
        if (sources !== undefined) return sources;
      }
      const onLookup = observer?.recordLookup;
      const task = { file, path, bytes, routes, settings, request, stopwatch, onLookup };
      let linted: LintedFile;
      if (request.fix !== undefined && (path === undefined || fixer.mayFix(target))) {
        this.progress.hide();
        linted = await lintFile({ ...task, bytes: await fixer.fix(task) });
      } else linted = await (cache?.findingsOf(task) ?? lintFile(task));
      this.diagrams?.keep(linted);
      const { analysis: _, ...found } = linted;
      return [{ ...found, folder }];
    } catch (error) {
      describeFailure(file, error).forEach(this.progress.reportProblem);
      return [];
    }
  }

  /** The files of the projects that a source stands for; undefined if it is a part of none, and none itself. */
  private async lintSourcesOf(
    target: Target,
    path: string | undefined,
    bytes: Uint8Array,
  ): Promise<readonly LintedFile[] | undefined> {
    this.projects ??= await this.openProjects();
    const { file, named } = target;
    const result = await this.projects.lintSource(target, bytes);
    if (result === undefined) return undefined;
    // A part of a project is fixed where its other files are.
    if (path === undefined) this.fixer.passThrough(bytes);
    if (!("pack" in result))
      return result.map((linted) => {
        this.diagrams?.keep(linted);
        const { analysis: _, ...found } = linted;
        return found;
      });
    const { pack } = result;
    if (this.targetPaths.has(realPathOf(pack))) return [];
    const shown = displayPath(pack, this.io.cwd);
    if (named) printMessage(this.io, `"${file}" names the pack "${shown}", which is linted in its place.`);
    return this.lintTarget({ ...target, file: shown, path: pack, aliases: [] }, pack, undefined);
  }

  /** Loads the code for projects only if there is one. */
  private async openProjects(): Promise<ProjectRun> {
    const { ProjectRun } = await import("./project-run.js");
    const { io, request, stopwatch, fixer, observer, progress, cache } = this;
    const settingsFor = (path: string) => this.settings.settingsFor(path);
    return new ProjectRun({
      io,
      request,
      stopwatch,
      fixer,
      observer,
      progress,
      // A drawing needs what is not cached.
      cache: this.diagrams === undefined ? cache : undefined,
      settingsFor,
      ...this.found,
    });
  }

  private noteSkipped({ file, named }: Target, by: string): void {
    this.progress.hide();
    if (named) printMessage(this.io, `"${file}" is skipped: "${by}" ignores it.`);
    else this.skipped.push(by);
  }

  /** Whether all packs of its config are linted: a search of a folder below its own leaves out others. */
  private coversConfig({ folder, settings: { config } }: Pick<LintedFile, "folder" | "settings">): boolean {
    if (folder === undefined || config === undefined || this.request.changes !== undefined) return false;
    const isNamed = this.request.config !== undefined;
    return isNamed || folder === config.folder || isBelow(folder, config.folder);
  }

  /** A search that skips everything has checked nothing; with `--staged` or `--since` that is normal. */
  private failIfAllSkipped(targets: readonly Target[]): void {
    const { skipped } = this;
    if (skipped.length === 0 || skipped.length < targets.length || this.request.changes !== undefined) return;
    const by = [...new Set(skipped)];
    const ignore = by.length === 1 ? "ignores" : "ignore";
    this.progress.reportProblem(`Every file that was found is skipped: ${listNames(by)} ${ignore} them.`);
  }

  private async present(collected: Collected, linted: Linted, mentionsStrays: boolean): Promise<number> {
    const { io, request, progress, fixer, stopwatch } = this;
    const reports = this.applyBaseline(linted.files);
    const files = mergeReportsByFile([...reports, ...linted.configs.reports(io.cwd)]);
    await stopwatch.timeAsync("report", async () => {
      const shown = applyQuiet(request, files);
      const drawn = (await this.diagrams?.addTo(shown, linted.files)) ?? shown;
      const failures = await writeReports(this.reportIo(collected), request, drawn, progress.hasProblems);
      failures.forEach(progress.reportProblem);
    });
    fixer.summarize();
    if (mentionsStrays) await this.mentionStrayPacks(collected);
    if (request.stats) io.stderr.write(stopwatch.table());
    if (progress.hasProblems) return 2;
    const code = exitCodeOf(io, request, files);
    return request.fix === "show" && fixer.files > 0 && !request.exitZero ? 1 : code;
  }

  private applyBaseline(linted: readonly LintedFile[]): readonly FileReport[] {
    const { io, request, progress, baseline } = this;
    if (baseline === undefined) return linted;
    if (!request.updateBaseline) return baseline.apply(linted);
    if (progress.hasProblems) {
      // It would lose, or never get, the findings of files that could not be linted now.
      printMessage(io, "The baseline was not updated: not everything could be linted.");
      return baseline.apply(linted);
    }
    try {
      const { reports, size } = baseline.update(linted);
      printMessage(io, `The baseline now records ${pluralize(size, "finding")}.`);
      return reports;
    } catch (error) {
      progress.reportProblem(
        `The baseline "${request.baseline ?? ""}" ${describeIoError(error, "written")}.`,
      );
      return linted;
    }
  }

  /** Reports go to standard error if fixed text or a diff goes to standard output. */
  private reportIo({ readsStdin }: Collected): Io {
    const { io, request } = this;
    if (request.fix === undefined || (request.fix === "write" && !readsStdin)) return io;
    return withStdout(io, io.stderr);
  }

  private async mentionStrayPacks({ strayPacks, targets }: Discovery): Promise<void> {
    if (strayPacks.length === 0) return;
    const { io } = this;
    const linted = new Set(targets.map(({ path }) => realPathOf(path)));
    const names: string[] = [];
    for (const path of new Set(strayPacks)) {
      if (linted.has(realPathOf(path))) continue;
      // A broken config ignores nothing; it is reported where a file is linted.
      const settings = await this.settings.settingsFor(path).catch(() => undefined);
      if (settings?.ignoredBy === undefined) names.push(`"${displayPath(path, io.cwd)}"`);
    }
    if (names.length === 0) return;
    const shown = joinWords(names.length > 3 ? [...names.slice(0, 3), "others"] : names, "and");
    const look = names.length === 1 ? "looks like a pack" : "look like packs";
    const advice = 'pass such files by name, or rename them to end in ".pack.json" or ".pack.yaml".';
    printMessage(io, `${shown} ${look}, but folders are searched by file name: ${advice}`);
  }
}

async function findTargets(io: Io, paths: readonly string[], request: LintRequest): Promise<Discovery> {
  const { changes, kind } = request;
  const found =
    changes === undefined
      ? discover(paths, io.cwd, kind)
      : (await import("../files/changed-files.js")).changedFiles(io, paths, changes, kind);
  const hasOthers = found.targets.some(({ path, folder }) => folder !== undefined && !isNamedAsPack(path));
  if (!hasOthers || kind === "pack") return found;
  const { withoutUnrelatedFiles } = await import("./route-sets.js");
  return withoutUnrelatedFiles(found, io.cwd, request);
}

/** A source may have any name but that of a pack. */
function mayBeSource({ path, named }: Target, bytes: Uint8Array, kind: LintRequest["kind"]): boolean {
  if (kind === "routes" || (isNamedAsPack(path) && !named)) return false;
  const text = bytes.includes(0) ? "" : new TextDecoder().decode(bytes);
  return (
    text.includes("promptkit.altairalabs.ai/") &&
    looksLikeSource(text, "(?:Arena|PromptConfig|Tool|Scenario)")
  );
}
