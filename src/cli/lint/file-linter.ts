import { RuleFailure } from "../../diagnose/lint-document.js";
import { parseError } from "../../rules/parse-error.js";
import { ConfigError } from "../config/load-config.js";
import { SettingsResolver, type Settings } from "../config/settings.js";
import { describeIoError, FileError } from "../files/read-file.js";
import type { LintedFile } from "../report/linted.js";
import type { LintRequest } from "../request/lint-request.js";
import type { Stopwatch } from "../terminal/stopwatch.js";
import type { LintInput } from "../config/judge-by-settings.js";
import { lintSource, type LintSource, type LintTask } from "./lint-source.js";

/** A source whose bytes are read when its settings say that it is to be linted. */
export interface UnreadSource extends LintInput, Pick<LintSource, "routes"> {
  readonly bytes: () => Uint8Array;
}

/** What became of one file: it was linted, it is not to be, or sentences say why it could not be. */
export type LintOutcome =
  | { readonly kind: "linted"; readonly linted: LintedFile; readonly settings: Settings }
  | { readonly kind: "skipped"; readonly by: string }
  | { readonly kind: "failed"; readonly sentences: readonly string[]; readonly cause: unknown };

/** A file that nobody could read must not pass as clean. */
const hiddenParseError =
  'cannot be parsed, and "parse-error", which would say why, is off: turn it on, or ignore the file';

/** Lints files by the settings of each. Whatever goes wrong with one, the others are still linted. */
export class FileLinter {
  readonly settings: SettingsResolver;

  constructor(
    cwd: string,
    private readonly request: LintRequest,
    private readonly stopwatch: Stopwatch,
  ) {
    this.settings = new SettingsResolver(cwd, request);
  }

  /** Whether a file is to be skipped; where its config is broken, that is told when it is linted. */
  async ignores(path: string): Promise<boolean> {
    try {
      return (await this.settings.settingsFor(path)).ignoredBy !== undefined;
    } catch {
      return false;
    }
  }

  /** `path` decides on the settings; `fix` may change the bytes before they are linted. */
  async lint(source: UnreadSource, path: string, fix?: (task: LintTask) => Promise<Uint8Array>): Promise<LintOutcome> {
    try {
      const settings = await this.settings.settingsFor(path);
      if (settings.ignoredBy !== undefined) return { kind: "skipped", by: settings.ignoredBy };
      const { request, stopwatch } = this;
      const read = { ...source, bytes: stopwatch.time("read files", source.bytes) };
      const task = { source: read, settings, request, stopwatch };
      const ready = fix === undefined ? task : { ...task, source: { ...read, bytes: await fix(task) } };
      const linted = await lintSource(ready);
      if (linted.hasFaults && settings.levels.get(parseError.id) === "off") throw new FileError(hiddenParseError);
      return { kind: "linted", linted, settings };
    } catch (error) {
      return { kind: "failed", sentences: describeFailure(source.file, error), cause: error };
    }
  }
}

/** Why a file could not be linted, in one sentence or several. */
export function describeFailure(file: string, error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.lines;
  if (error instanceof FileError) return [`"${file}" ${describeIoError(error)}.`];
  const rule = error instanceof RuleFailure ? ` in the rule "${error.rule}"` : "";
  const cause: unknown = error instanceof RuleFailure ? error.cause : error;
  const detail = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/u, "");
  return [
    `"${file}" caused an internal error${rule}: ${detail}. Please report it, with the file if you can.`,
  ];
}
