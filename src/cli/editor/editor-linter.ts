import type { Analysis } from "../../analysis.js";
import { detectFormat, type Format } from "../../document/file-format.js";
import type { Diagnostic } from "../../diagnostic.js";
import { Key } from "../../document/node.js";
import { findNode } from "../../document/pointers.js";
import { loadReader } from "../../document/read-lazily.js";
import { OpenPack } from "../../language/open-pack.js";
import type { FileReport } from "../../reporters/report.js";
import { getOrCreate } from "../../text/collections.js";
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
import { displayPath, isBelow } from "../files/paths.js";
import { describeFailure, fixFile, lintFile, type LintSource, openBaseline } from "../lint/lint-file.js";
import { bomLength } from "./editor-positions.js";
import type { OpenFile } from "./open-files.js";
import * as lsp from "./protocol.js";
import type { ConfigFault } from "../config/config.js";
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
      const linted = await lintFile({ source, settings, request, stopwatch });
      const report = baseline?.apply([linted])[0] ?? linted;
      return { kind: "linted", report, format: detectFormat(source.file, text), folder };
    });
  }

  /** The text with all safe fixes applied. */
  async fix({ path, document }: OpenFile): Promise<string> {
    const text = document.getText();
    let fixed = text;
    await catchFailure(path, async () => {
      const baseline = await openBaseline(this.request, this.cwd);
      const source = await this.sourceOf(path, text);
      const settings = await this.resolver().settingsFor(path);
      if (settings.ignoredBy !== undefined) return;
      const { request, stopwatch } = this;
      const result = await fixFile({ source, settings, request, stopwatch, baseline });
      if (result !== undefined) fixed = text.slice(0, bomLength(text)) + result.after;
    });
    return fixed;
  }

  analyze({ path, document }: OpenFile): Promise<Analysis> {
    return openAnalysis(displayPath(path, this.cwd), encodeText(document.getText()), this.request);
  }

  /** The pack in a file, as far as its text can be read; undefined if the file is not linted. */
  async packIn(
    file: OpenFile,
    text: string,
    analyze?: () => Promise<Analysis>,
  ): Promise<OpenPack | undefined> {
    const { limits, specVersion } = this.request;
    if (!this.canLint(file)) return undefined;
    const read = await loadReader(detectFormat(file.path, text));
    return OpenPack.in(text, (half) => read(half, limits), specVersion, await analyze?.());
  }

  canLint({ path, document }: OpenFile): boolean {
    return this.isLintable(path, document.getText());
  }

  private isLintable(path: string, text: string): boolean {
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

  private async sourceOf(path: string, text: string): Promise<LintSource> {
    const bytes = encodeText(text);
    const target: Target = { file: displayPath(path, this.cwd), path, named: true, read: () => bytes };
    return { file: target.file, path, bytes, routes: await this.routesOf(target) };
  }

  /** The routes that a file is a part of, with the other files as they are in the editor. */
  private async routesOf(target: Target): Promise<LintSource["routes"]> {
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

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Lints each open file once until it changes. */
export class LintCache {
  /** The folders that are open in the editor. */
  folders: readonly string[] = [];
  private readonly outcomes = new WeakMap<OpenFile, Promise<EditorOutcome>>();
  private readonly trials = new WeakMap<OpenFile, Map<string, Promise<boolean>>>();
  private readonly findings = new WeakMap<OpenFile, readonly Diagnostic[]>();
  private readonly analyses = new WeakMap<lsp.TextDocument, Promise<Analysis>>();
  private readonly packs = new WeakMap<lsp.TextDocument, Promise<OpenPack | undefined>>();
  private lastReading: { readonly text: string; readonly pack: Promise<OpenPack | undefined> } | undefined;

  constructor(private readonly linterIn: (folder: string | undefined) => EditorLinter) {}

  outcomeFor(file: OpenFile): Promise<EditorOutcome> {
    return getOrCreate(this.outcomes, file, async () => {
      const { path, document } = file;
      const analyze = () => this.analysisOf(file);
      const outcome = await this.linterFor(file).lint(path, document.getText(), analyze);
      if (outcome.kind === "linted") this.findings.set(file, outcome.report.diagnostics);
      return outcome;
    });
  }

  /** The findings in a file; none before it is linted. */
  knownFindings(file: OpenFile): readonly Diagnostic[] {
    return this.findings.get(file) ?? [];
  }

  /** Whether the outcome of edits is as expected. The outcome is not kept, as there may be many edits to try. */
  tryEdits(
    file: OpenFile,
    edits: lsp.TextEdit[],
    isExpected: (after: EditorOutcome) => boolean,
  ): Promise<boolean> {
    const known = getOrCreate(this.trials, file, () => new Map());
    const text = () => lsp.TextDocument.applyEdits(file.document, edits);
    return getOrCreate(known, JSON.stringify(edits), () =>
      this.linterFor(file).lint(file.path, text()).then(isExpected),
    );
  }

  packIn(file: OpenFile): Promise<OpenPack | undefined> {
    return getOrCreate(this.packs, file.document, () =>
      this.linterFor(file).packIn(file, file.document.getText(), () => this.analysisOf(file)),
    );
  }

  /** Findings and features share what is made of a text. */
  private analysisOf(file: OpenFile): Promise<Analysis> {
    return getOrCreate(this.analyses, file.document, () => this.linterFor(file).analyze(file));
  }

  /** The line on which the key or item of a scalar begins. */
  async lineOf(file: OpenFile, pointer: string): Promise<number | undefined> {
    const document = (await this.packIn(file))?.pack.document;
    const node = document?.root && findNode(document.root, pointer);
    if (node?.kind !== "scalar") return undefined;
    return document?.lines.position((node.key instanceof Key ? node.key : node).start).line;
  }

  /** The pack in a text without what is being typed, which is often the same for several keys in a row. */
  packWithout(file: OpenFile, text: string): Promise<OpenPack | undefined> {
    if (this.lastReading?.text !== text)
      this.lastReading = { text, pack: this.linterFor(file).packIn(file, text) };
    return this.lastReading.pack;
  }

  /** Each folder is linted as if the command ran there. */
  linterFor({ path }: OpenFile): EditorLinter {
    const enclosing = this.folders.filter((folder) => isBelow(folder, path));
    const [innermost = this.folders[0]] = enclosing.sort((a, b) => b.length - a.length);
    return this.linterIn(innermost);
  }
}
