import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { lintFile, type LintFileOptions, type LintResult } from "../../lint-file.js";
import type { DocumentOptions } from "../../lint/lint-document.js";
import type { FileContext } from "../../rules/rule.js";
import { readWithin } from "../files/read-file.js";
import type { IgnoredFinding } from "./config.js";
import { suppressByConfig } from "./ignored-findings.js";
import { type ConfigFlags, type Settings, SettingsResolver } from "./settings.js";

/** A file to lint, read or not. */
export interface LintInput {
  /** As shown in reports. */
  readonly file: string;
  /** Undefined for standard input, whatever its name. */
  readonly path: string | undefined;
  /** Called with each path that a rule looks for. */
  readonly onLookup?: ((path: string) => void) | undefined;
}

export interface ParsedInput extends LintInput {
  readonly document: Document;
}

export interface ConfiguredResult extends LintResult {
  /** The entries of the config that suppressed a finding. */
  readonly used: ReadonlySet<IgnoredFinding>;
}

/** Applies the rules, suppression comments and the config to a file. */
export function lintWithSettings(
  { file, path, document, onLookup }: ParsedInput,
  { levels, ignoredFindings, properties }: Settings,
  options: LintFileOptions,
): ConfiguredResult {
  const context = fileContext(path, onLookup);
  const result = lintFile(file, document, { ...options, levels, properties, ...context });
  const { kept, suppressed, used } = suppressByConfig(result.kept, ignoredFindings);
  return { ...result, kept, suppressed: [...result.suppressed, ...suppressed], used };
}

/** Rules can look for other files unless the folder exists only in git, or not yet. */
function fileContext(path: string | undefined, onLookup?: (path: string) => void): FileContext {
  if (path === undefined || !existsSync(dirname(path))) return {};
  const folder = dirname(path);
  const lookUp = (name: string) => {
    const other = resolve(folder, name);
    onLookup?.(other);
    return other;
  };
  return {
    fileExists: (name) => existsSync(lookUp(name)),
    readFileBeside: (name) => readWithin(folder, lookUp(name)),
  };
}

export type OpenFlags = Pick<DocumentOptions, "specVersion"> & Partial<Pick<ConfigFlags, "config">>;

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
