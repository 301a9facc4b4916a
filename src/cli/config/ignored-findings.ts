import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic, Severity, Suppression } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { placeOf } from "../../document/node.js";
import { findNode } from "../../document/pointers.js";
import type { FileReport } from "../../reporters/report.js";
import { unusedSuppressionFinding, unusedSuppressionLevel } from "../../suppress/suppress.js";
import { SuppressionIndex } from "../../suppress/suppression-index.js";
import { getOrCreate } from "../../text/collections.js";
import { newestSpecVersion } from "../../text/tool-info.js";
import { isSparseCheckout } from "../files/find-files.js";
import { isGlob } from "../files/glob.js";
import { displayPath } from "../files/paths.js";
import type { Config, IgnoredFinding } from "./config.js";
import { stripLeadingDotSlash } from "./load-config.js";
import type { Settings } from "./settings.js";

interface SuppressionByConfig extends Suppression {
  readonly used: ReadonlySet<IgnoredFinding>;
}

/** Takes out what the config ignores. */
export function suppressByConfig(
  diagnostics: readonly Diagnostic[],
  entries: readonly IgnoredFinding[],
): SuppressionByConfig {
  const silencers = new SuppressionIndex<IgnoredFinding>();
  for (const entry of entries) silencers.add(entry.rule, entry.pointer, entry);
  const used = new Set<IgnoredFinding>();
  return { ...silencers.apply(diagnostics, "config", (entry) => used.add(entry)), used };
}

/**
 * Watches which entries of `ignore` silence something. One that names a file which was linted and silences nothing there,
 * perhaps because another config counts there, or a file that is gone, is reported in the config file; one with a pattern
 * may be for files that were not linted now.
 */
export class StaleEntries {
  private readonly stale = new Map<Config, Map<IgnoredFinding, Diagnostic>>();

  private readonly severityByConfig = new Map<Config, Severity>();

  /** The config that counts for each file that was linted, by its path. */
  private readonly configByPath = new Map<string, Config>();

  constructor(private readonly cwd: string) {}

  record(
    { path, config, levels, ignoredFindings }: Settings,
    used: ReadonlySet<IgnoredFinding>,
    astray: ReadonlySet<IgnoredFinding>,
  ): void {
    const severity = unusedSuppressionLevel(levels);
    if (config !== undefined) this.configByPath.set(path, config);
    if (config === undefined || severity === "off") return;
    for (const entry of ignoredFindings) {
      if (used.has(entry) || isGlob(entry.file) || entry.file.endsWith("/")) continue;
      const { rule, pointer, file } = entry;
      const message = astray.has(entry)
        ? `There is no "${pointer}" in "${file}": correct the pointer, or remove the entry.`
        : `"${rule}" reports nothing at "${pointer}" in "${file}": remove the entry.`;
      this.add(config, entry, "rule", severity, message);
    }
    if (!this.severityByConfig.has(config)) this.severityByConfig.set(config, severity);
  }

  /** The finding is about one key of the entry. */
  private add(
    config: Config,
    entry: IgnoredFinding,
    key: "file" | "rule",
    severity: Severity,
    message: string,
  ): void {
    const found = getOrCreate(this.stale, config, () => new Map());
    const at = placeOf(entry.node.get(key) ?? entry.node);
    found.set(entry, unusedSuppressionFinding(config.document, severity, { at, message }));
  }

  /** One report per config file that has such entries. */
  reports(): readonly FileReport[] {
    for (const [config, severity] of this.severityByConfig) {
      for (const entry of config.ignoredFindings) {
        const message = isPlainName(entry.file) ? this.fileFault(config, entry.file) : undefined;
        if (message !== undefined) this.add(config, entry, "file", severity, message);
      }
    }
    return [...this.stale].map(([config, entries]) => ({
      file: displayPath(config.path, this.cwd),
      specVersion: newestSpecVersion,
      diagnostics: config.ignoredFindings.flatMap((entry) => entries.get(entry) ?? []),
      suppressed: [],
      lines: config.document.lines,
      isConfigFile: true,
    }));
  }

  /** Why there is nothing that a name could mean. */
  private fileFault({ folder, path: own }: Config, name: string): string | undefined {
    const path = resolve(folder, stripLeadingDotSlash(name));
    const nearer = this.configByPath.get(path);
    if (nearer !== undefined && nearer.path !== own) {
      const [config, file] = [displayPath(nearer.path, this.cwd), displayPath(path, nearer.folder)];
      return `Only the config "${config}" counts for "${name}": move the entry there, with the file "${file}".`;
    }
    if (!existsSync(path))
      return isSparseCheckout(folder) ? undefined : `The file "${name}" does not exist: remove the entry.`;
    if (name.endsWith("/") || !statSync(path).isDirectory()) return undefined;
    return `"${name}" is a folder: write "${name}/" for the files in it.`;
  }
}

/** The entries for a file whose pointer leads nowhere in it, as after a rename. */
export function findDanglingEntries(
  { root }: Document,
  { ignoredFindings }: Settings,
): ReadonlySet<IgnoredFinding> {
  return new Set(
    ignoredFindings.filter(({ pointer }) => root !== undefined && findNode(root, pointer) === undefined),
  );
}

/** Whether it surely means one file or folder, and can be told in a sentence. */
function isPlainName(name: string): boolean {
  return name.length <= 200 && !/[*?![\]{}()]/u.test(name);
}
