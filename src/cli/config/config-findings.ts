import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic, Finding, Severity } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { placeOf } from "../../document/node.js";
import { findNode } from "../../document/pointers.js";
import { toDiagnostic } from "../../lint/collect-diagnostics.js";
import type { FileReport } from "../../reporters/report.js";
import type { LintingRule } from "../../rules/rule.js";
import { unusedSuppression } from "../../rules/unused-suppression.js";
import {
  isSilent,
  PointerSuppressor,
  type SilentRules,
  unusedSuppressionLevel,
} from "../../suppress/suppress.js";
import { appendTo, getOrCreate } from "../../text/collections.js";
import { newestSpecVersion } from "../../text/tool-info.js";
import { isSparseCheckout } from "../files/find-files.js";
import { isGlob } from "../files/glob.js";
import { displayPath } from "../files/paths.js";
import type { Config, IgnoredFinding } from "./config.js";
import { stripLeadingDotSlash } from "./config-values.js";
import type { Settings } from "./settings.js";

/** Findings about config files that come from linting packs; configs are not linted themselves. */
export class ConfigFindings extends Map<Config, Diagnostic[]> {
  add(config: Config, rule: LintingRule, severity: Severity, finding: Finding): void {
    appendTo(this, config, toDiagnostic(config.document, rule, severity, finding));
  }

  reports(cwd: string): readonly FileReport[] {
    return [...this].map(([config, diagnostics]) => ({
      file: displayPath(config.path, cwd),
      specVersion: newestSpecVersion,
      diagnostics,
      suppressed: [],
      lines: config.document.lines,
      isConfigFile: true,
    }));
  }
}

/** An entry of `ignore` that suppresses nothing in a file, though its rule could have reported there. */
export interface StaleEntry {
  readonly index: number;
  /** Whether its pointer does not exist, as after a rename. */
  readonly isDangling: boolean;
}

/** Suppresses what the entries of `ignore` say. */
export function configSuppressor(entries: readonly IgnoredFinding[]): PointerSuppressor<IgnoredFinding> {
  const suppressor = new PointerSuppressor<IgnoredFinding>("config");
  for (const entry of entries) suppressor.add(entry.rule, entry.pointer, entry);
  return suppressor;
}

export function staleEntriesOf(
  { root }: Document,
  unused: readonly IgnoredFinding[],
  silent: SilentRules,
): readonly StaleEntry[] {
  const stale = unused.filter(({ rule }) => !isSilent(silent, rule));
  return stale.map(({ index, pointer }) => ({
    index,
    isDangling: root !== undefined && findNode(root, pointer) === undefined,
  }));
}

interface CheckedFile {
  readonly settings: Settings;
  readonly staleEntries: readonly StaleEntry[];
}

/**
 * Reports the entries of `ignore` that suppress nothing in the file that they name, or whose file does not exist. An entry
 * with a pattern may be for files that were not linted this time.
 */
export function reportStaleEntries(
  findings: ConfigFindings,
  files: readonly CheckedFile[],
  cwd: string,
): void {
  const stale = new Map<IgnoredFinding, { readonly severity: Severity; readonly message: string }>();
  const severities = new Map<Config, Severity>();
  const configByPath = new Map<string, Config>();
  for (const { settings, staleEntries } of files) {
    const { path, config, levels } = settings;
    const severity = unusedSuppressionLevel(levels);
    if (config === undefined) continue;
    configByPath.set(path, config);
    if (severity === "off") continue;
    getOrCreate(severities, config, () => severity);
    for (const { index, isDangling } of staleEntries) {
      const entry = config.ignoredFindings[index];
      if (entry !== undefined && !isGlob(entry.file) && !entry.file.endsWith("/"))
        stale.set(entry, { severity, message: staleMessage(entry, isDangling) });
    }
  }
  for (const [config, severity] of severities) {
    for (const entry of config.ignoredFindings) {
      const { file, node } = entry;
      const message = isPlainName(file) ? missingFileMessage(config, file, configByPath, cwd) : undefined;
      const found = message === undefined ? stale.get(entry) : { severity, message };
      if (found === undefined) continue;
      const at = placeOf(node.get(message === undefined ? "rule" : "file") ?? node);
      findings.add(config, unusedSuppression, found.severity, { at, message: found.message });
    }
  }
}

function staleMessage({ rule, pointer, file }: IgnoredFinding, isDangling: boolean): string {
  return isDangling
    ? `There is no "${pointer}" in "${file}": correct the pointer, or remove the entry.`
    : `"${rule}" reports nothing at "${pointer}" in "${file}": remove the entry.`;
}

function missingFileMessage(
  config: Config,
  name: string,
  configByPath: ReadonlyMap<string, Config>,
  cwd: string,
): string | undefined {
  const path = resolve(config.folder, stripLeadingDotSlash(name));
  const nearer = configByPath.get(path);
  if (nearer !== undefined && nearer.path !== config.path) {
    const [shown, file] = [displayPath(nearer.path, cwd), displayPath(path, nearer.folder)];
    return `Only the config "${shown}" counts for "${name}": move the entry there, with the file "${file}".`;
  }
  if (!existsSync(path))
    return isSparseCheckout(config.folder)
      ? undefined
      : `The file "${name}" does not exist: remove the entry.`;
  if (name.endsWith("/") || !statSync(path).isDirectory()) return undefined;
  return `"${name}" is a folder: write "${name}/" for the files in it.`;
}

/** Whether it is certainly a name, not a pattern, and short enough for a message. */
function isPlainName(name: string): boolean {
  return name.length <= 200 && !/[*?![\]{}()]/u.test(name);
}
