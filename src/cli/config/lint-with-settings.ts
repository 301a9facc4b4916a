import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import type { Analysis, Findings, LintSettings } from "../../analysis.js";
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

export interface ConfiguredResult extends Findings {
  readonly used: ReadonlySet<IgnoredFinding>;
}

export function lintWithSettings(
  analysis: Analysis,
  input: LintInput,
  { levels, ignoredFindings, properties }: Settings,
  options: Pick<LintSettings, "kind" | "inlineConfig" | "routes">,
): ConfiguredResult {
  const result = analysis.lint({ ...options, levels, properties, ...fileContext(input) });
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

export type OpenFlags = { readonly specVersion?: string | undefined } & Partial<Pick<ConfigFlags, "config">> &
  LimitFlags;

/** The findings of `lint` without other flags: comments and configs count. */
export async function lintOpenedPack(
  analysis: Analysis,
  input: LintInput,
  cwd: string,
  { config }: OpenFlags,
): Promise<readonly Diagnostic[]> {
  const resolver = new SettingsResolver(cwd, { preset: undefined, rules: new Map(), config });
  const settings = await resolver.settingsFor(input.path ?? resolve(cwd, input.file));
  return lintWithSettings(analysis, input, settings, { kind: "pack" }).kept;
}
