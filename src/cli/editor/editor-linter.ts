import { Analysis, hasPack, type PackAnalysis } from "../../analysis.js";
import { detectFormat, type Format } from "../../document/file-format.js";
import { loadReader } from "../../document/read-lazily.js";
import { readHalfTyped } from "../../language/half-typed.js";
import type { FileReport } from "../../reporters/report.js";
import type { ConfigFault } from "../config/config.js";
import type { LintRequest } from "../config/lint-request.js";
import { ConfigError, loadConfig } from "../config/load-config.js";
import { SettingsResolver } from "../config/settings.js";
import {
  isSkippedBySearch,
  mayHoldRoutes,
  routesBeside,
  shouldLint,
  type Target,
} from "../files/discover.js";
import { openAnalysis } from "../files/open-analysis.js";
import { displayPath } from "../files/paths.js";
import { describeFailure, fixFile, lintFile, type LintTask, openBaseline } from "../lint/lint-file.js";
import { UsageError } from "../terminal/io.js";
import { Stopwatch } from "../terminal/progress.js";

export type EditorOutcome =
  | {
      readonly kind: "linted";
      readonly report: FileReport;
      readonly format: Format;
      /** Names of other files are relative to it. */
      readonly folder: string;
    }
  | { readonly kind: "skipped" }
  | { readonly kind: "config"; readonly faults: readonly ConfigFault[] }
  | { readonly kind: "failed"; readonly sentences: readonly string[]; readonly cause: unknown };

/** Lints texts instead of files. Settings are read again each time, as the user may have changed them. */
export class EditorLinter {
  private readonly stopwatch = new Stopwatch();

  constructor(
    private readonly cwd: string,
    private readonly request: LintRequest,
    /** The text of an open file. */
    private readonly unsaved: (path: string) => string | undefined,
  ) {}

  /** Lints only what a search would find, as editors open any YAML file. */
  async lint(path: string, text: string, analyze?: () => Promise<Analysis>): Promise<EditorOutcome> {
    return catchFailure(path, async () => {
      if (!this.isLintable(path, text)) {
        const isConfig = this.resolver().configPathFor(path) === path;
        return isConfig ? await this.lintConfig(path, text) : { kind: "skipped" };
      }
      const baseline = await openBaseline(this.request, this.cwd);
      const source = { ...(await this.sourceOf(path, text)), analysis: await analyze?.() };
      const settings = await this.resolver().settingsFor(path);
      if (settings.ignoredBy !== undefined) return { kind: "skipped" };
      const { request, stopwatch, cwd: folder } = this;
      const linted = await lintFile({ ...source, settings, request, stopwatch });
      const report = baseline?.apply([linted])[0] ?? linted;
      return { kind: "linted", report, format: detectFormat(source.file, text), folder };
    });
  }

  /** The text with all safe fixes applied. */
  async fix(path: string, text: string): Promise<string> {
    let fixed = text;
    await catchFailure(path, async () => {
      const baseline = await openBaseline(this.request, this.cwd);
      const source = await this.sourceOf(path, text);
      const settings = await this.resolver().settingsFor(path);
      if (settings.ignoredBy !== undefined) return;
      const { request, stopwatch } = this;
      const result = await fixFile({ ...source, settings, request, stopwatch, baseline });
      if (result !== undefined) fixed = text.slice(0, bomLength(text)) + result.text;
    });
    return fixed;
  }

  analyze(path: string, text: string): Promise<Analysis> {
    return openAnalysis(displayPath(path, this.cwd), encodeText(text), this.request);
  }

  /** The pack in a text, as far as it can be read; undefined if the text is not linted. */
  async readPack(
    path: string,
    text: string,
    analyze?: () => Promise<Analysis>,
  ): Promise<PackAnalysis | undefined> {
    const { limits, specVersion } = this.request;
    if (!this.isLintable(path, text)) return undefined;
    let analysis = await analyze?.();
    if (analysis?.document.root === undefined) {
      const read = await loadReader(detectFormat(path, text));
      analysis = new Analysis(
        path,
        readHalfTyped(text, (part) => read(part, limits)),
        { specVersion },
      );
    }
    return hasPack(analysis) ? analysis : undefined;
  }

  isLintable(path: string, text: string): boolean {
    return shouldLint(path, this.request.kind, () => encodeText(text)) && !isSkippedBySearch(path, this.cwd);
  }

  private async lintConfig(path: string, text: string): Promise<EditorOutcome> {
    try {
      await loadConfig(path, this.cwd, () => encodeText(text));
      return { kind: "config", faults: [] };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { kind: "config", faults: error.faults };
    }
  }

  private resolver(): SettingsResolver {
    return new SettingsResolver(this.cwd, this.request);
  }

  private async sourceOf(
    path: string,
    text: string,
  ): Promise<Pick<LintTask, "file" | "path" | "bytes" | "routes">> {
    const bytes = encodeText(text);
    const target: Target = { file: displayPath(path, this.cwd), path, named: true, read: () => bytes };
    return { file: target.file, path, bytes, routes: await this.routesOf(target) };
  }

  /** The routes that a file is a part of, with the other files as they are in the editor. */
  private async routesOf(target: Target): Promise<LintTask["routes"]> {
    if (this.request.kind === "pack" || !mayHoldRoutes(target)) return undefined;
    const { routesByPath } = await import("../lint/route-sets.js");
    const withOpenText = (other: Target): Target => {
      const text = this.unsaved(other.path);
      return text === undefined ? other : { ...other, read: () => encodeText(text) };
    };
    const beside = routesBeside(this.cwd);
    const openBeside: typeof beside = (...args) => beside(...args).map(withOpenText);
    return routesByPath([target], openBeside, this.request.limits).get(target.path);
  }
}

/** A failure in one file must not end the session. */
async function catchFailure<Outcome>(
  file: string,
  lint: () => Promise<Outcome>,
): Promise<Outcome | Extract<EditorOutcome, { kind: "failed" }>> {
  try {
    return await lint();
  } catch (error) {
    return {
      kind: "failed",
      sentences: error instanceof UsageError ? error.lines : describeFailure(file, error),
      cause: error,
    };
  }
}

/** A byte order mark is a part of the editor's text, but not of ours. */
export function bomLength(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
