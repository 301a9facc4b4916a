import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import { decode } from "../../document/text-document.js";
import { applyEdits, isFixable, withoutOverlappingFixes } from "../../fix/apply-edits.js";
import { getOrCreate } from "../../text/collections.js";
import { escapeInvisible } from "../../text/escape.js";
import { pluralize } from "../../text/wording.js";
import { describeIoError, readRegularFile } from "../files/read-file.js";
import { displayPath, fromHereUp, isBelow, realPathOf } from "../files/paths.js";
import { removeAbandonedDrafts, replaceFile, resolveTarget } from "../files/write-file.js";
import type { Config } from "../config/config.js";
import type { LintRequest } from "../config/lint-request.js";
import { loadConfig } from "../config/load-config.js";
import type { Target } from "../files/discover.js";
import type { Project } from "../../sources/project.js";
import type { SourceFile } from "../../sources/source-file.js";
import { type Io, printMessage, rawOutput } from "../terminal/io.js";
import type { BaselineFile } from "./baseline.js";
import type { ConfigFindings } from "./config-findings.js";
import { fixFile, type LintTask, wantedFixes } from "./lint-file.js";

export class Fixer {
  private findings = 0;
  files = 0;
  private diffRoot: string;
  /** Where the files are without their links, or why they cannot be fixed, as it was before the first was. */
  private readonly resolved = new Map<string, { readonly target?: string; readonly failure?: unknown }>();

  constructor(
    private readonly io: Io,
    private readonly request: LintRequest,
    /** Its findings are not fixed. */
    private readonly baseline: BaselineFile | undefined,
    private readonly reportProblem: (sentence: string) => void,
    private readonly onWrite: ((path: string) => void) | undefined,
  ) {
    this.diffRoot = realPathOf(io.cwd);
  }

  /** To be called first. A patch must not lead upward or through links: it starts above the real paths of all files. */
  prepare(targets: readonly Target[], configFor: (path: string) => string | undefined): void {
    if (this.request.fix === undefined) return;
    const real = targets.map(({ path }) => realPathOf(path));
    if (this.request.fix === "write") {
      for (const folder of new Set(real.map((path) => dirname(path)))) removeAbandonedDrafts(folder);
      for (const target of targets.flatMap((each) => [each, ...(each.aliases ?? [])])) {
        this.resolve(target);
        const config = configFor(target.path);
        if (config !== undefined) this.resolve({ path: config });
      }
      return;
    }
    const folders = fromHereUp(this.diffRoot);
    const holdsAll = (folder: string) => real.every((path) => isBelow(folder, path));
    this.diffRoot = folders.find(holdsAll) ?? folders.at(-1) ?? this.diffRoot;
  }

  /** In a second run, the paths of the first count. */
  private resolve({ path, folder = dirname(path) }: Pick<Target, "path" | "folder">): void {
    getOrCreate(this.resolved, path, () => {
      try {
        return { target: resolveTarget(path, "", folder) };
      } catch (failure) {
        return { failure };
      }
    });
  }

  /** A file that is only in git, as in a sparse checkout, is not fixed; for staged files a diff can be shown. */
  mayFix({ read }: Target): boolean {
    const { changes } = this.request;
    return read === undefined || (changes !== undefined && "staged" in changes);
  }

  /** The bytes to lint: the fixed ones, unless they could not be written. */
  async fix(task: LintTask): Promise<Uint8Array> {
    const { file, path, bytes } = task;
    const fixed = await fixFile({ ...task, baseline: this.baseline });
    if (fixed === undefined) {
      if (path === undefined) this.passThrough(bytes);
      return bytes;
    }
    const result = await this.put(file, path, bytes, fixed.text);
    if (result !== undefined) this.findings += fixed.fixed;
    return result ?? bytes;
  }

  /** Fixes a project as one text; returns the bytes of the files that this changed. */
  async fixProject(
    task: LintTask,
    project: Project,
    bytesOf: (file: SourceFile) => Uint8Array,
  ): Promise<ReadonlyMap<SourceFile, Uint8Array>> {
    const fixed = await fixFile({ ...task, baseline: this.baseline });
    const texts = fixed && project.split(fixed.text);
    const written = new Map<SourceFile, Uint8Array>();
    for (const [file, text] of texts ?? []) {
      const { path, name, kind, document } = file;
      if (kind === "text" || text === document.text) continue;
      this.resolve({ path });
      const bytes = await this.put(name, path, bytesOf(file), text);
      if (bytes !== undefined) written.set(file, bytes);
    }
    if (fixed !== undefined && written.size > 0) this.findings += fixed.fixed;
    return written;
  }

  /** Fixes what linting revealed about configs, and removes it from the findings. Says whether it wrote any. */
  async fixConfigs(findings: ConfigFindings): Promise<boolean> {
    if (this.request.fix === undefined) return false;
    const before = this.files;
    for (const [config, found] of findings) {
      const fixed = new Set(await this.fixConfig(config, found));
      const left = found.filter((each) => !fixed.has(each));
      findings.set(config, left);
      this.findings += fixed.size;
    }
    return this.request.fix === "write" && this.files > before;
  }

  private async fixConfig(config: Config, found: readonly Diagnostic[]): Promise<readonly Diagnostic[]> {
    const { path, document } = config;
    const fixable = withoutOverlappingFixes(found.filter(isFixable).filter(wantedFixes(this.request)));
    if (fixable.length === 0) return [];
    const edits = fixable.flatMap(({ fix }) => fix.edits);
    try {
      const old = readRegularFile(path, document.text.length * 4);
      const { text } = decode(old);
      const after = applyEdits(text, edits);
      if (text !== document.text) return [];
      await loadConfig(path, this.io.cwd, () => new TextEncoder().encode(after));
      if (this.request.fix === "write")
        removeAbandonedDrafts(dirname(this.resolved.get(path)?.target ?? path));
      else if (!isBelow(this.diffRoot, realPathOf(path))) return [];
      return (await this.put(displayPath(path, this.io.cwd), path, old, after)) === undefined ? [] : fixable;
    } catch {
      // The config can no longer be read as it was, or could not be read with the fixes.
      return [];
    }
  }

  /** Copies unchanged standard input to standard output; input that is too large has been copied already. */
  passThrough(bytes: Uint8Array): void {
    const isWhole = bytes.length <= this.request.limits.maxBytes;
    if (isWhole && this.request.fix === "write") this.print(bytes);
  }

  get passThroughOversized(): ((bytes: Uint8Array) => Promise<boolean>) | undefined {
    if (this.request.fix !== "write") return undefined;
    const { stdout } = this.io;
    return async (bytes) => {
      this.print(bytes);
      await stdout.settle?.();
      return stdout.isLost !== true;
    };
  }

  summarize(): void {
    if (this.files === 0) return;
    const what = `${pluralize(this.findings, "finding")} in ${pluralize(this.files, "file")}`;
    if (this.request.fix === "write") printMessage(this.io, `Fixed ${what}.`);
    else {
      const cwd = realPathOf(this.io.cwd);
      const root = displayPath(this.diffRoot, cwd);
      const hint = this.diffRoot === cwd ? "" : ` Apply the diff in the folder "${root}".`;
      printMessage(this.io, `Would fix ${what}.${hint}`);
    }
  }

  /** Shows or writes a fixed text; returns its bytes, or undefined if it could not be written. */
  private async put(
    file: string,
    path: string | undefined,
    old: Uint8Array,
    after: string,
  ): Promise<Uint8Array | undefined> {
    const { text: before, hasBom } = decode(old);
    const bom = hasBom ? "\ufeff" : "";
    const bytes = new TextEncoder().encode(bom + after);
    if (this.request.fix === "show") {
      const { unifiedDiff } = await import("../../fix/unified-diff.js");
      const shown = displayPath(realPathOf(resolve(this.io.cwd, file)), this.diffRoot);
      this.print(unifiedDiff(shown, bom + before, bom + after), this.io.stdout);
    } else if (path === undefined) this.print(bytes);
    else if (!this.write(file, path, old, bytes)) return undefined;
    this.files++;
    return bytes;
  }

  private write(file: string, path: string, old: Uint8Array, content: Uint8Array): boolean {
    try {
      const { target, failure } = this.resolved.get(path) ?? {};
      if (target === undefined) throw failure;
      replaceFile(target, old, content);
      this.onWrite?.(path);
      return true;
    } catch (error) {
      this.reportProblem(`"${file}" ${describeIoError(error, "written")}.`);
      return false;
    }
  }

  /** Control characters in a pack must not reach a terminal. */
  private print(content: string | Uint8Array, stdout = rawOutput(this.io.stdout)): void {
    if (stdout.isTTY !== true) stdout.write(content);
    else {
      const text = Buffer.from(content)
        .toString()
        .replace(/\r(?=\n|$)/gu, "");
      stdout.write(text.replace(/[^\t\n]+/gu, escapeInvisible));
    }
  }
}
