import { detectFormat, type Document, type Format } from "../../document/document.js";
import { Key } from "../../document/node.js";
import { findNode } from "../../document/pointers.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { NameIndex } from "../../pack/name-index.js";
import { readPack } from "../../pack/read-pack.js";
import { resolveSpec } from "../../pack/spec-version.js";
import type { FileReport } from "../../reporters/report.js";
import { getOrCreate } from "../../text/collections.js";
import type { LintRequest } from "../config/lint-request.js";
import { ConfigError, type ConfigFault, loadConfig } from "../config/load-config.js";
import { mayHoldRoutes, routesBeside, type Target } from "../files/discover.js";
import { isSkippedBySearch, shouldLint } from "../files/find-files.js";
import { isBelow } from "../files/ignore-files.js";
import { displayPath } from "../files/paths.js";
import { openBaseline } from "../lint/apply-baseline.js";
import { describeFailure, FileLinter, fixSource, type UnreadSource } from "../lint/file-linter.js";
import { UsageError } from "../terminal/messages.js";
import { Stopwatch } from "../terminal/stopwatch.js";
import { bomLength } from "./editor-positions.js";
import type { OpenFile } from "./open-files.js";
import { type EditorEdit, TextDocument } from "./protocol.js";

/** What an editor is told of a file; nothing is found in one that is not to be linted. */
export type EditorOutcome =
  | { readonly kind: "linted"; readonly report: FileReport; readonly format: Format }
  | { readonly kind: "skipped" }
  | { readonly kind: "config"; readonly faults: readonly ConfigFault[] }
  | { readonly kind: "failed"; readonly sentences: readonly string[]; readonly cause: unknown };

/** Lints texts in the place of files. Settings are read anew each time: they may be what the user just changed. */
export class EditorLinter {
  private readonly stopwatch = new Stopwatch();

  constructor(
    private readonly cwd: string,
    private readonly request: LintRequest,
    /** The text that a file has in the editor, where it is open. */
    private readonly unsaved: (path: string) => string | undefined,
  ) {}

  /** Only what a search would find: editors ask about every YAML file there is. */
  async lint(path: string, text: string): Promise<EditorOutcome> {
    return catchFailure(path, async () => {
      if (!this.isLintable(path, text))
        return this.isConfig(path) ? await this.lintConfig(path, text) : { kind: "skipped" };
      const baseline = await openBaseline(this.request, this.cwd);
      const outcome = await this.linter().lint(await this.sourceOf(path, text), path);
      if (outcome.kind !== "linted") return outcome;
      const { report, format } = outcome.linted;
      return { kind: "linted", report: baseline?.apply([outcome.linted])[0] ?? report, format };
    });
  }

  /** The text with everything fixed that is certain. */
  async fix(path: string, text: string): Promise<string> {
    let fixed = text;
    await catchFailure(path, async () => {
      const baseline = await openBaseline(this.request, this.cwd);
      return this.linter().lint(await this.sourceOf(path, text), path, async (task) => {
        const result = await fixSource({ ...task, baseline: baseline });
        if (result !== undefined) fixed = text.slice(0, bomLength(text)) + result.after;
        return task.source.bytes;
      });
    });
    return fixed;
  }

  /** Where its names lead; nothing where the text cannot be read. */
  async namesIn(path: string, text: string): Promise<NameIndex | undefined> {
    if (!this.isLintable(path, text)) return undefined;
    const document = await this.read(path, text);
    const { root } = document;
    if (root?.kind !== "mapping") return undefined;
    return new NameIndex(readPack(document, root, resolveSpec(root, this.request.specVersion)));
  }

  /** The line on which the entry or item of a text begins. */
  async lineOf(path: string, text: string, pointer: string): Promise<number | undefined> {
    const { root, lines } = await this.read(path, text);
    const node = root && findNode(root, pointer);
    if (node?.kind !== "scalar") return undefined;
    return lines.position((node.key instanceof Key ? node.key : node).start).line;
  }

  private async read(path: string, text: string): Promise<Document> {
    const bytes = encodeText(text);
    return readDocumentLazily(bytes, detectFormat(path, bytes), this.request.limits);
  }

  private isLintable(path: string, text: string): boolean {
    return shouldLint(path, this.request.kind, () => encodeText(text)) && !isSkippedBySearch(path, this.cwd);
  }

  /** Whether it is the config that counts where it lies. */
  private isConfig(path: string): boolean {
    return this.linter().settings.configPathFor(path) === path;
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

  /** The configuration that a file of routes is a part of, with its other files as the editor has them. */
  private async routesOf(target: Target): Promise<UnreadSource["routes"]> {
    if (this.request.kind === "pack" || !mayHoldRoutes(target)) return undefined;
    const { RouteSets } = await import("../lint/route-sets.js");
    const beside = routesBeside(this.cwd);
    const sets = new RouteSets(
      [target],
      (folders, maxDepth) => beside(folders, maxDepth).map((other) => this.withOpenText(other)),
      this.request.limits,
    );
    return sets.of(target.path);
  }

  private withOpenText(target: Target): Target {
    const text = this.unsaved(target.path);
    return text === undefined ? target : { ...target, read: () => encodeText(text) };
  }
}

/** Whatever goes wrong with one file, the editor goes on. */
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

/** Lints what is open, once for as long as it stays as it is. */
export class LintCache {
  /** The folders that are open. */
  folders: readonly string[] = [];
  private readonly outcomes = new WeakMap<OpenFile, Promise<EditorOutcome>>();
  private readonly trials = new WeakMap<OpenFile, Map<string, Promise<boolean>>>();

  private readonly names = new WeakMap<TextDocument, Promise<NameIndex | undefined>>();

  constructor(private readonly linterIn: (folder: string | undefined) => EditorLinter) {}

  outcomeFor(file: OpenFile): Promise<EditorOutcome> {
    return getOrCreate(this.outcomes, file, () =>
      this.linterFor(file).lint(file.path, file.document.getText()),
    );
  }

  /** Whether edits do what they should. What they led to is not kept: there may be many to try. */
  tryEdits(
    file: OpenFile,
    edits: EditorEdit[],
    isRight: (after: EditorOutcome) => boolean,
  ): Promise<boolean> {
    const known = getOrCreate(this.trials, file, () => new Map());
    const key = JSON.stringify(edits);
    const text = () => TextDocument.applyEdits(file.document, edits);
    return getOrCreate(known, key, () => this.linterFor(file).lint(file.path, text()).then(isRight));
  }

  /** The text of a file with everything fixed that is certain. */
  fixedText(file: OpenFile): Promise<string> {
    return this.linterFor(file).fix(file.path, file.document.getText());
  }

  /** The names in a pack; nothing where a file is none that is linted, or cannot be read. */
  namesIn(file: OpenFile): Promise<NameIndex | undefined> {
    const { path, document } = file;
    return getOrCreate(this.names, document, () => this.linterFor(file).namesIn(path, document.getText()));
  }

  /** The line on which the entry or item of a text begins; nothing where something else is there. */
  lineOf(file: OpenFile, pointer: string): Promise<number | undefined> {
    return this.linterFor(file).lineOf(file.path, file.document.getText(), pointer);
  }

  /** Each folder is linted as if the command ran there. */
  private linterFor({ path }: OpenFile): EditorLinter {
    const holding = this.folders.filter((folder) => isBelow(folder, path));
    const innermost = holding.sort((a, b) => b.length - a.length)[0];
    return this.linterIn(innermost ?? this.folders[0]);
  }
}
