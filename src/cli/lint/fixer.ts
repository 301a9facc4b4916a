import { dirname, resolve } from "node:path";
import { decode } from "../../document/text-document.js";
import { escapeInvisible } from "../../text/escape.js";
import { pluralize } from "../../text/wording.js";
import type { Baseline } from "./baseline.js";
import { isBelow } from "../files/ignore-files.js";
import { describeIoError } from "../files/read-file.js";
import { displayPath, realPathOf } from "../files/paths.js";
import { replaceFile } from "../files/write-file.js";
import type { LintRequest } from "../config/lint-request.js";
import type { Target } from "../files/discover.js";
import { type Io, rawOutput } from "../terminal/io.js";
import { printMessage } from "../terminal/messages.js";
import { fixSource, type LintSource, type LintTask } from "./file-linter.js";

/** Fixes the sources of a run, or shows how that would change them. */
export class Fixer {
  private findings = 0;
  private files = 0;
  /** The diff names files from here. */
  private diffRoot: string;

  constructor(
    private readonly io: Io,
    private readonly request: LintRequest,
    /** What is not to be fixed. */
    private readonly baseline: Baseline | undefined,
    private readonly reportProblem: (sentence: string) => void,
    private readonly onWrite: ((path: string) => void) | undefined,
  ) {
    this.diffRoot = realPathOf(io.cwd);
  }

  /**
   * Tells which files may be fixed. No patch may lead upward or through a link, so it is made for a folder that holds all
   * of them where they really are.
   */
  chooseDiffRoot(paths: readonly string[]): void {
    if (this.request.fix !== "show") return;
    const real = paths.map(realPathOf);
    const isOutside = (path: string) => !isBelow(this.diffRoot, path);
    while (real.some(isOutside) && dirname(this.diffRoot) !== this.diffRoot)
      this.diffRoot = dirname(this.diffRoot);
  }

  /** Not what a sparse checkout keeps from the disk; but of what is staged, a diff can be shown. */
  mayFix({ read }: Target): boolean {
    const { changes } = this.request;
    return read === undefined || (changes !== undefined && "staged" in changes);
  }

  /** The bytes that are to be linted: the fixed ones, unless they could not be written. */
  async fix(task: LintTask): Promise<Uint8Array> {
    const { source } = task;
    const fixed = await fixSource({ ...task, baseline: this.baseline });
    if (fixed === undefined) {
      this.passThrough(source);
      return source.bytes;
    }
    const mark = decode(source.bytes).hasBom ? "\ufeff" : "";
    const text = mark + fixed.after;
    const bytes = new TextEncoder().encode(text);
    if (this.request.fix === "show") await this.showDiff(source.file, mark + fixed.before, text);
    else if (source.path === undefined) this.print(text);
    else if (!this.write(source.file, source.path, source.bytes, bytes)) return source.bytes;
    this.findings += fixed.fixed;
    this.files++;
    return bytes;
  }

  /** Standard input that stays as it is goes on to standard output, byte for byte; what is too large was passed on at once. */
  passThrough({ path, bytes }: LintSource): void {
    const isWhole = bytes.length <= this.request.limits.maxBytes;
    if (path === undefined && isWhole && this.request.fix === "write") this.print(bytes);
  }

  /** Where the bytes of standard input go that are too many to be fixed; nothing where only a report is wanted. */
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
    else printMessage(this.io, `Would fix ${what}.${this.whereToApply()}`);
  }

  private whereToApply(): string {
    const cwd = realPathOf(this.io.cwd);
    return this.diffRoot === cwd ? "" : ` Apply the diff in the folder "${displayPath(this.diffRoot, cwd)}".`;
  }

  private async showDiff(file: string, before: string, after: string): Promise<void> {
    const { unifiedDiff } = await import("../../fix/unified-diff.js");
    const path = realPathOf(resolve(this.io.cwd, file));
    this.print(unifiedDiff(displayPath(path, this.diffRoot), before, after), this.io.stdout);
  }

  private write(file: string, path: string, old: Uint8Array, content: Uint8Array): boolean {
    try {
      replaceFile(path, old, content);
      this.onWrite?.(path);
      return true;
    } catch (error) {
      this.reportProblem(`"${file}" ${describeIoError(error, "written")}.`);
      return false;
    }
  }

  /** Exactly as it is, but to a terminal, which control characters in a pack must not reach. */
  private print(content: string | Uint8Array, stdout = rawOutput(this.io.stdout)): void {
    if (stdout.isTTY !== true) stdout.write(content);
    else stdout.write(Buffer.from(content).toString().split("\n").map(visibleLine).join("\n"));
  }
}

function visibleLine(line: string): string {
  return line.replace(/\r$/u, "").split("\t").map(escapeInvisible).join("\t");
}
