import { Analysis, hasPack, type PackAnalysis } from "../../analysis.js";
import { detectFormat, type Format } from "../../document/file-format.js";
import { loadReader, readDocumentLazily } from "../../document/read-lazily.js";
import { readHalfTyped } from "../../language/half-typed.js";
import type { FileReport } from "../../reporters/report.js";
import type { LintRequest } from "../config/lint-request.js";
import type { ConfigFault } from "../config/config.js";
import { ConfigError, loadConfig } from "../config/load-config.js";
import {
  isSkippedBySearch,
  mayHoldRoutes,
  routesBeside,
  shouldLint,
  type Target,
} from "../files/discover.js";
import { displayPath } from "../files/paths.js";
import {
  describeFailure,
  FileLinter,
  fixSource,
  openBaseline,
  type UnreadSource,
} from "../lint/file-linter.js";
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
        const isConfig = this.linter().settings.configPathFor(path) === path;
        return isConfig ? await this.lintConfig(path, text) : { kind: "skipped" };
      }
      const baseline = await openBaseline(this.request, this.cwd);
      const source = { ...(await this.sourceOf(path, text)), analysis: await analyze?.() };
      const outcome = await this.linter().lint(source, path);
      if (outcome.kind !== "linted") return outcome;
      const { report, format } = outcome.linted;
      const kept = baseline?.apply([outcome.linted])[0] ?? report;
      return { kind: "linted", report: kept, format, folder: this.cwd };
    });
  }

  /** The text with all safe fixes applied. */
  async fix(path: string, text: string): Promise<string> {
    let fixed = text;
    await catchFailure(path, async () => {
      const baseline = await openBaseline(this.request, this.cwd);
      return this.linter().lint(await this.sourceOf(path, text), path, async (task) => {
        const result = await fixSource({ ...task, baseline });
        if (result !== undefined) fixed = text.slice(0, bomLength(text)) + result.after;
        return task.source.bytes;
      });
    });
    return fixed;
  }

  async analyze(path: string, text: string): Promise<Analysis> {
    const { limits, specVersion } = this.request;
    const file = displayPath(path, this.cwd);
    const bytes = encodeText(text);
    const read = await readDocumentLazily(bytes, detectFormat(file, bytes), limits);
    return new Analysis(file, read, { specVersion });
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

  private linter(): FileLinter {
    return new FileLinter(this.cwd, this.request, this.stopwatch);
  }

  private async sourceOf(path: string, text: string): Promise<UnreadSource> {
    const bytes = encodeText(text);
    const target: Target = { file: displayPath(path, this.cwd), path, named: true, read: () => bytes };
    return { file: target.file, path, bytes: () => bytes, routes: await this.routesOf(target) };
  }

  /** The routes that a file is a part of, with the other files as they are in the editor. */
  private async routesOf(target: Target): Promise<UnreadSource["routes"]> {
    if (this.request.kind === "pack" || !mayHoldRoutes(target)) return undefined;
    const { RouteSets } = await import("../lint/route-sets.js");
    const withOpenText = (other: Target): Target => {
      const text = this.unsaved(other.path);
      return text === undefined ? other : { ...other, read: () => encodeText(text) };
    };
    const beside = routesBeside(this.cwd);
    const openBeside: typeof beside = (...args) => beside(...args).map(withOpenText);
    return new RouteSets([target], openBeside, this.request.limits).of(target.path);
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
