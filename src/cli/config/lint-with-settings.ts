import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { lintFile, type LintFileOptions, type LintResult } from "../../lint-file.js";
import type { DocumentOptions } from "../../lint/lint-document.js";
import type { FileContext } from "../../rules/rule.js";
import { readWithin } from "../files/read-file.js";
import type { IgnoredFinding } from "./config.js";
import type { LimitFlags } from "./flags.js";
import { suppressByConfig } from "./ignored-findings.js";
import { type ConfigFlags, type Settings, SettingsResolver } from "./settings.js";

export interface LintInput {
  readonly file: string;
  /** Undefined for standard input, whatever its name. */
  readonly path: string | undefined;
  /** Called with each path that a rule looks for. */
  readonly onLookup?: ((path: string) => void) | undefined;
  /** Called with each question of a rule about another file, and the answer. */
  readonly onAnswer?: (
    question: keyof FileContext,
    name: string,
    answer: boolean | string | undefined,
  ) => void;
}

export interface ParsedInput extends LintInput {
  readonly document: Document;
}

export interface ConfiguredResult extends LintResult {
  readonly used: ReadonlySet<IgnoredFinding>;
}

export function lintWithSettings(
  input: ParsedInput,
  { levels, ignoredFindings, properties }: Settings,
  options: LintFileOptions,
): ConfiguredResult {
  const context = fileContext(input);
  const result = lintFile(input.file, input.document, { ...options, levels, properties, ...context });
  const { kept, suppressed, used } = suppressByConfig(result.kept, ignoredFindings);
  return { ...result, kept, suppressed: [...result.suppressed, ...suppressed], used };
}

/** Rules can look for other files unless the folder exists only in git, or not yet. */
export function fileContext({ path, onLookup, onAnswer }: LintInput): FileContext {
  if (path === undefined || !existsSync(dirname(path))) return {};
  const folder = dirname(path);
  const ask =
    <Answer extends boolean | string | undefined>(
      question: keyof FileContext,
      answerFor: (other: string) => Answer,
    ) =>
    (name: string): Answer => {
      const other = resolve(folder, name);
      onLookup?.(other);
      const answer = answerFor(other);
      onAnswer?.(question, name, answer);
      return answer;
    };
  return {
    fileExists: ask("fileExists", existsSync),
    readFileBeside: ask("readFileBeside", (other) => readWithin(folder, other)),
  };
}

export type OpenFlags = Pick<DocumentOptions, "specVersion"> &
  Partial<Pick<ConfigFlags, "config">> &
  LimitFlags;

/** The findings of `lint` without other flags: comments and configs count. */
export async function lintOpenedPack(
  opened: ParsedInput,
  cwd: string,
  { specVersion, config }: OpenFlags,
): Promise<readonly Diagnostic[]> {
  const resolver = new SettingsResolver(cwd, { preset: undefined, rules: new Map(), config });
  const settings = await resolver.settingsFor(opened.path ?? resolve(cwd, opened.file));
  return lintWithSettings(opened, settings, { specVersion, kind: "pack" }).kept;
}
