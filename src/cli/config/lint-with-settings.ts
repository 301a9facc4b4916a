import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { lintFile, type LintFileOptions, type LintResult } from "../../lint-file.js";
import type { DocumentOptions } from "../../lint/lint-document.js";
import type { FileContext } from "../../rules/rule.js";
import type { IgnoredFinding } from "./config.js";
import { suppressByConfig } from "./ignored-findings.js";
import { type ConfigFlags, type Settings, SettingsResolver } from "./settings.js";

/** A file to lint, by whatever is known of its content. */
export interface LintInput {
  /** As it is reported. */
  readonly file: string;
  /** Where it lies; standard input lies nowhere, whatever its name. */
  readonly path: string | undefined;
  /** Is told which paths rules ask for. */
  readonly lookedFor?: ((path: string) => void) | undefined;
}

/** One that was read already. */
export interface ParsedInput extends LintInput {
  readonly document: Document;
}

/** What the rules, the comments and the config make of a file. */
export interface ConfiguredResult extends LintResult {
  readonly used: ReadonlySet<IgnoredFinding>;
}

/** What the rules and the comments leave over, the config may ignore. */
export function lintWithSettings(
  { file, path, document, lookedFor }: ParsedInput,
  { levels, ignoredFindings }: Settings,
  options: LintFileOptions,
): ConfiguredResult {
  const judged = lintFile(file, document, { ...options, levels, ...surroundingsOf(path, lookedFor) });
  const { kept, suppressed, used } = suppressByConfig(judged.kept, ignoredFindings);
  return { ...judged, kept, suppressed: [...judged.suppressed, ...suppressed], used };
}

export type OpenFlags = Pick<DocumentOptions, "specVersion"> & Partial<Pick<ConfigFlags, "config">>;

/** What `lint` says of a pack when it is given no flags but these: comments and configs count. */
export async function lintOpenedPack(
  opened: ParsedInput,
  cwd: string,
  { specVersion, config }: OpenFlags,
): Promise<readonly Diagnostic[]> {
  const source = new SettingsResolver(cwd, { preset: undefined, rules: new Map(), config });
  const settings = await source.settingsFor(opened.path ?? resolve(cwd, opened.file));
  return lintWithSettings(opened, settings, { specVersion, kind: "pack" }).kept;
}

/**
 * What a rule may ask of the files around one; nothing around standard input, which lies nowhere, nor where the whole
 * folder is only in git or not there yet. `lookedFor` is told each path before it is looked for.
 */
export function surroundingsOf(
  path: string | undefined,
  lookedFor: (path: string) => void = () => undefined,
): FileContext {
  if (path === undefined || !existsSync(dirname(path))) return {};
  const fileExists = (name: string) => {
    const other = resolve(dirname(path), name);
    lookedFor(other);
    return existsSync(other);
  };
  return { fileExists };
}
