import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic, Finding, Severity, Suppression } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { placeOf } from "../../document/node.js";
import { findNode } from "../../document/pointers.js";
import { unusedSuppression } from "../../rules/linting-rules.js";
import { unusedSuppressionLevel } from "../../suppress/suppress.js";
import { SuppressionIndex } from "../../suppress/suppression-index.js";
import { getOrCreate } from "../../text/collections.js";
import { isSparseCheckout } from "../files/discover.js";
import { isGlob } from "../files/glob.js";
import { displayPath } from "../files/paths.js";
import { type Config, type IgnoredFinding, stripLeadingDotSlash } from "./config.js";
import type { ConfigFindings } from "./config-findings.js";
import type { Settings } from "./settings.js";

/** Removes the findings that the config ignores; `used` are the entries that did. */
export function suppressByConfig(
  diagnostics: readonly Diagnostic[],
  entries: readonly IgnoredFinding[],
): Suppression & { readonly used: ReadonlySet<IgnoredFinding> } {
  const index = new SuppressionIndex<IgnoredFinding>();
  for (const entry of entries) index.add(entry.rule, entry.pointer, entry);
  const used = new Set<IgnoredFinding>();
  return { ...index.apply(diagnostics, "config", (entry) => used.add(entry)), used };
}

interface StaleEntry extends Finding {
  readonly severity: Severity;
}

/**
 * Collects the entries of `ignore` that suppress nothing in the file that they name, or whose file does not exist, and reports
 * them in the config file. An entry with a pattern may be for files that were not linted this time.
 */
export class StaleEntries {
  private readonly stale = new Map<Config, Map<IgnoredFinding, StaleEntry>>();
  private readonly severityByConfig = new Map<Config, Severity>();
  private readonly configByPath = new Map<string, Config>();

  constructor(private readonly cwd: string) {}

  /** `dangling` are the entries whose pointer does not exist. */
  record(
    { path, config, levels, ignoredFindings }: Settings,
    used: ReadonlySet<IgnoredFinding>,
    dangling: ReadonlySet<IgnoredFinding>,
  ): void {
    const severity = unusedSuppressionLevel(levels);
    if (config !== undefined) this.configByPath.set(path, config);
    if (config === undefined || severity === "off") return;
    for (const entry of ignoredFindings) {
      if (used.has(entry) || isGlob(entry.file) || entry.file.endsWith("/")) continue;
      const { rule, pointer, file } = entry;
      const message = dangling.has(entry)
        ? `There is no "${pointer}" in "${file}": correct the pointer, or remove the entry.`
        : `"${rule}" reports nothing at "${pointer}" in "${file}": remove the entry.`;
      this.add(config, entry, "rule", severity, message);
    }
    if (!this.severityByConfig.has(config)) this.severityByConfig.set(config, severity);
  }

  addTo(findings: ConfigFindings): void {
    for (const [config, severity] of this.severityByConfig) {
      for (const entry of config.ignoredFindings) {
        const message = isPlainName(entry.file) ? this.describeMissingFile(config, entry.file) : undefined;
        if (message !== undefined) this.add(config, entry, "file", severity, message);
      }
    }
    for (const [config, entries] of this.stale) {
      for (const entry of config.ignoredFindings) {
        const found = entries.get(entry);
        if (found !== undefined) findings.add(config, unusedSuppression, found.severity, found);
      }
    }
  }

  private add(
    config: Config,
    entry: IgnoredFinding,
    key: "file" | "rule",
    severity: Severity,
    message: string,
  ): void {
    const findings = getOrCreate(this.stale, config, () => new Map());
    const at = placeOf(entry.node.get(key) ?? entry.node);
    findings.set(entry, { at, message, severity });
  }

  private describeMissingFile(config: Config, name: string): string | undefined {
    const path = resolve(config.folder, stripLeadingDotSlash(name));
    const nearer = this.configByPath.get(path);
    if (nearer !== undefined && nearer.path !== config.path) {
      const [shown, file] = [displayPath(nearer.path, this.cwd), displayPath(path, nearer.folder)];
      return `Only the config "${shown}" counts for "${name}": move the entry there, with the file "${file}".`;
    }
    if (!existsSync(path))
      return isSparseCheckout(config.folder)
        ? undefined
        : `The file "${name}" does not exist: remove the entry.`;
    if (name.endsWith("/") || !statSync(path).isDirectory()) return undefined;
    return `"${name}" is a folder: write "${name}/" for the files in it.`;
  }
}

/** The entries whose pointer does not exist in their file, as after a rename. */
export function findDanglingEntries(
  { root }: Document,
  { ignoredFindings }: Settings,
): ReadonlySet<IgnoredFinding> {
  if (root === undefined) return new Set();
  return new Set(ignoredFindings.filter(({ pointer }) => findNode(root, pointer) === undefined));
}

/** Whether it is certainly a name, not a pattern, and short enough for a message. */
function isPlainName(name: string): boolean {
  return name.length <= 200 && !/[*?![\]{}()]/u.test(name);
}
