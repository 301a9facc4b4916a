import { resolve } from "node:path";
import type { FileReport } from "../../reporters/report.js";
import { joinWords, listNames, pluralize } from "../../text/wording.js";
import type { LintFlags } from "../config/flags.js";
import { ConfigFindings } from "../config/config-findings.js";
import { StaleEntries } from "../config/ignored-findings.js";
import { checkStdinName, type LintRequest, readLintRequest } from "../config/lint-request.js";
import { refuseToOverwriteInputs } from "../config/refuse-overwrite.js";
import type { Settings } from "../config/settings.js";
import { UnknownNames } from "../config/unknown-names.js";
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
import { Problems, Progress, Stopwatch } from "../terminal/progress.js";
import type { Baseline } from "./baseline.js";
import { FileLinter, type LintOutcome, openBaseline, type UnreadSource } from "./file-linter.js";
import { applyQuiet, exitCodeOf, type LintedFile, mergeReportsByFile } from "./file-reports.js";
import type { FindingsCache } from "./findings-cache.js";
import { Fixer } from "./fixer.js";
import type { RouteSets } from "./route-sets.js";
import type { WatchObserver } from "./watch-files.js";
import { maxDiagrams, wantsDiagrams, withDiagrams, writeReports } from "./write-reports.js";

export async function lintFiles(io: Io, paths: readonly string[], flags: LintFlags): Promise<number> {
  const request = readLintRequest(flags, io.cwd);
  checkStdinName(paths, flags);
  if (flags.printConfig !== undefined) {
    const { printConfig } = await import("../config/print-config.js");
    return printConfig(io, flags.printConfig, paths, request);
  }
  let isFirst = true;
  const lint = async (observer?: WatchObserver) => {
    const baseline = await openBaseline(request, io.cwd);
    const cache = await openCache(io, request);
    const run = new LintRun(io, request, { baseline, cache }, observer);
    const mentionsStrays = isFirst;
    isFirst = false;
    try {
      return await run.run(paths, mentionsStrays);
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

/** The results that earlier runs have kept. */
interface Kept {
  readonly baseline: Baseline | undefined;
  readonly cache: FindingsCache | undefined;
}

async function openCache(io: Io, request: LintRequest): Promise<FindingsCache | undefined> {
  if (request.cache === undefined) return undefined;
  const { FindingsCache } = await import("./findings-cache.js");
  return FindingsCache.open(io, request);
}

class LintRun {
  /** The ignore file or config of each file that was found and skipped. */
  private readonly skipped: string[] = [];
  private keptAnalyses = 0;
  private readonly linter: FileLinter;
  private readonly staleEntries: StaleEntries;
  private readonly unknownNames = new UnknownNames();
  private readonly stopwatch = new Stopwatch();
  private routes: RouteSets | undefined;
  private readonly progress: Progress;
  private readonly problems: Problems;
  private readonly fixer: Fixer;

  constructor(
    private readonly io: Io,
    private readonly request: LintRequest,
    private readonly kept: Kept,
    private readonly observer?: WatchObserver,
    /** The run that this one repeats with a fixed config. */
    private readonly before?: LintRun,
  ) {
    this.linter = new FileLinter(io.cwd, request, this.stopwatch, kept.cache);
    this.staleEntries = new StaleEntries(io.cwd);
    this.progress = before?.progress ?? new Progress(io);
    this.problems = before?.problems ?? new Problems(io, this.progress);
    const known = request.updateBaseline ? undefined : kept.baseline;
    this.fixer = before?.fixer ?? new Fixer(io, request, known, this.problems.report, observer?.onWrite);
  }

  async run(paths: readonly string[], mentionsStrays: boolean): Promise<number> {
    const found = await this.stopwatch.timeAsync("find files", () =>
      findTargets(this.io, paths, this.request),
    );
    const stdin = paths.includes("-");
    // Standard input replaces the older version on the disk.
    const stdinPath = realPathOf(this.stdinPath());
    const older = stdin ? found.targets.find(({ path }) => realPathOf(path) === stdinPath) : undefined;
    const targets = found.targets.filter((target) => target !== older);
    found.problems.forEach(this.problems.report);
    const read = [...targets.map(({ path }) => path), ...(stdin ? [this.stdinPath()] : [])];
    const linted: LintedFile[] = [];
    const input = stdin ? await this.readStdin(older) : undefined;
    const all = input?.named === true ? [input, ...targets] : targets;
    const { io, request, linter, problems, observer } = this;
    this.fixer.prepare(all, (path) => linter.settings.configPathFor(path));
    this.routes = await this.loadRouteSets(all, found.beside);
    const inputs = [...read, ...(this.routes?.paths() ?? [])];
    refuseToOverwriteInputs(io.cwd, request, inputs, linter.settings);
    if (input !== undefined) linted.push(...(await this.lintStdin(input)));
    for (const [index, target] of targets.entries()) {
      this.progress.show(index, targets.length, target.file);
      linted.push(...(await this.lintTarget(target)));
    }
    this.progress.hide();
    this.failIfAllSkipped(targets);
    const configs = new ConfigFindings();
    this.staleEntries.addTo(configs);
    this.unknownNames.addTo(configs, !problems.any);
    // Fixing standard input must not change a file.
    const hasFixed = !stdin && (await this.fixer.fixConfigs(configs));
    // With another config, packs may have other findings.
    if (hasFixed && request.fix === "write" && this.before === undefined)
      return new LintRun(io, request, this.kept, observer, this).run(paths, mentionsStrays);
    const reports = this.applyBaseline(linted);
    const files = mergeReportsByFile([...reports, ...configs.reports(io.cwd)]);
    await this.stopwatch.timeAsync("report", async () => {
      const shown = applyQuiet(this.request, files);
      const drawn = await withDiagrams(this.io, this.request, shown, linted);
      const failures = await writeReports(this.reportIo(stdin), this.request, drawn, this.problems.any);
      failures.forEach(this.problems.report);
    });
    this.fixer.summarize();
    if (mentionsStrays) await this.mentionStrayPacks(found);
    if (this.request.stats) this.io.stderr.write(this.stopwatch.table());
    if (this.problems.any) return 2;
    const code = exitCodeOf(io, request, files);
    return request.fix === "show" && this.fixer.files > 0 && !request.exitZero ? 1 : code;
  }

  private async mentionStrayPacks({ strayPacks, targets }: Discovery): Promise<void> {
    if (strayPacks.length === 0) return;
    const { io, linter } = this;
    const linted = new Set(targets.map(({ path }) => realPathOf(path)));
    const names: string[] = [];
    for (const path of new Set(strayPacks))
      if (!linted.has(realPathOf(path)) && !(await linter.ignores(path)))
        names.push(`"${displayPath(path, io.cwd)}"`);
    if (names.length === 0) return;
    const shown = joinWords(names.length > 3 ? [...names.slice(0, 3), "others"] : names, "and");
    const look = names.length === 1 ? "looks like a pack" : "look like packs";
    const advice = 'pass such files by name, or rename them to end in ".pack.json" or ".pack.yaml".';
    printMessage(io, `${shown} ${look}, but folders are searched by file name: ${advice}`);
  }

  /** Loads the code for routes only if there may be some. */
  private async loadRouteSets(
    targets: readonly Target[],
    beside: Discovery["beside"],
  ): Promise<RouteSets | undefined> {
    const { request, observer } = this;
    const routes = targets.filter(mayHoldRoutes);
    if (routes.length === 0 || request.kind === "pack") return undefined;
    const { RouteSets } = await import("./route-sets.js");
    const observed: Discovery["beside"] = (folders, maxDepth) => {
      const found = beside(folders, maxDepth);
      const paths = found.map(({ path }) => path);
      observer?.onSearch({ folders, maxDepth }, paths);
      return found;
    };
    return new RouteSets(routes, observed, request.limits);
  }

  /** Has no path, so that no rule looks for files beside it; with a name, it still belongs to its routes. */
  private async lintStdin(target: Target): Promise<readonly LintedFile[]> {
    const { file, path, named } = target;
    const bytes = () => readTargetBytes(target, this.request.limits.maxBytes);
    const source = { file, bytes, path: undefined, routes: named ? this.routes?.of(path) : undefined };
    const outcome = await this.lint(source, path);
    if (outcome.kind === "skipped") this.fixer.passThrough({ ...source, bytes: bytes() });
    return this.collectOutcome(outcome, target);
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
      this.problems.report(`Standard input ${describeIoError(error)}.`);
      return undefined;
    }
  }

  private async lintTarget(
    target: Target,
    routes = this.routes?.of(target.path),
  ): Promise<readonly LintedFile[]> {
    const { file, path, named, aliases = [] } = target;
    const [alias, ...others] = aliases;
    const bytes = () => readTargetBytes(target, this.request.limits.maxBytes);
    const source = { file, bytes, path, routes, onLookup: this.observer?.onLookup };
    const outcome = await this.lint(source, path, this.fixer.mayFix(target));
    // A file that is ignored under one name may not be under another.
    if (outcome.kind === "skipped" && alias)
      return this.lintTarget({ ...alias, named, aliases: others }, routes);
    return this.collectOutcome(outcome, target);
  }

  private lint(source: UnreadSource, path: string, mayFix = true): Promise<LintOutcome> {
    if (this.request.fix === undefined || !mayFix) return this.linter.lint(source, path);
    return this.linter.lint(source, path, (task) => {
      this.progress.hide();
      return this.fixer.fix(task);
    });
  }

  private collectOutcome(outcome: LintOutcome, { file, named, folder }: Target): readonly LintedFile[] {
    if (outcome.kind === "linted") {
      const { settings, linted } = outcome;
      this.staleEntries.record(settings, linted.usedEntries, linted.danglingEntries);
      this.unknownNames.record(settings, file, linted.propertyNames, this.coversConfig(folder, settings));
      const isKept = wantsDiagrams(this.io, this.request) && this.keptAnalyses++ < 2 * maxDiagrams;
      const { analysis: _, ...rest } = linted;
      return [isKept ? linted : rest];
    }
    this.progress.hide();
    if (outcome.kind === "failed") outcome.sentences.forEach(this.problems.report);
    else if (named) printMessage(this.io, `"${file}" is skipped: "${outcome.by}" ignores it.`);
    else this.skipped.push(outcome.by);
    return [];
  }

  /** Whether all packs of the config are linted: a search of a folder below its own leaves out others. */
  private coversConfig(folder: string | undefined, { config }: Settings): boolean {
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
    this.problems.report(`Every file that was found is skipped: ${listNames(by)} ${ignore} them.`);
  }

  /** The reports without the findings of the baseline, which is updated first if the request says so. */
  private applyBaseline(linted: readonly LintedFile[]): readonly FileReport[] {
    const { io, request, problems } = this;
    const { baseline } = this.kept;
    if (baseline === undefined) return linted.map(({ report }) => report);
    if (!request.updateBaseline) return baseline.apply(linted);
    if (problems.any) {
      // It would lose, or never get, the findings of files that could not be linted now.
      printMessage(io, "The baseline was not updated: not everything could be linted.");
      return baseline.apply(linted);
    }
    try {
      const { reports, size } = baseline.update(linted);
      printMessage(io, `The baseline now records ${pluralize(size, "finding")}.`);
      return reports;
    } catch (error) {
      problems.report(`The baseline "${request.baseline ?? ""}" ${describeIoError(error, "written")}.`);
      return linted.map(({ report }) => report);
    }
  }

  /** Reports go to standard error if fixed text or a diff goes to standard output. */
  private reportIo(readsStdin: boolean): Io {
    const { io, request } = this;
    if (request.fix === undefined || (request.fix === "write" && !readsStdin)) return io;
    return withStdout(io, io.stderr);
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
