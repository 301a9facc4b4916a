import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic, Severity } from "../diagnostic.js";
import { newestVersion } from "../pack/spec.js";
import type { FileReport } from "../reporters/report.js";
import { docsBase } from "../tool.js";
import type { Config, IgnoredFinding } from "./config/config.js";
import type { Settings } from "./config/settings.js";
import { isGlob } from "./glob.js";
import { shownPath } from "./shown-path.js";

/**
 * Watches which entries of `ignore` silence something. One that names a file which was linted and silences
 * nothing there, or a file that is gone, is reported in the config file; one with a pattern may be for files that were
 * not linted now.
 */
export class StaleEntries {
  private readonly stale = new Map<Config, Map<IgnoredFinding, Diagnostic>>();

  private readonly seen = new Set<Config>();

  constructor(private readonly cwd: string) {}

  note({ config, levels, ignoredFindings }: Settings, used: ReadonlySet<IgnoredFinding>): void {
    const severity = levels.get("unused-suppression") ?? "warning";
    if (config === undefined || severity === "off") return;
    for (const entry of ignoredFindings) {
      if (used.has(entry) || isGlob(entry.file) || levels.get(entry.rule) === "off") continue;
      const nothing = `There is no finding of "${entry.rule}" at "${entry.pointer}" in "${entry.file}" to ignore`;
      this.add(config, entry, severity, `${nothing}: remove the entry.`);
    }
    if (this.seen.has(config)) return;
    this.seen.add(config);
    for (const entry of config.ignoredFindings) {
      if (!isPlainName(entry.file) || existsSync(resolve(config.folder, entry.file))) continue;
      this.add(
        config,
        entry,
        severity,
        `There is no file "${entry.file}" to ignore anything in: remove the entry.`,
      );
    }
  }

  private add(config: Config, entry: IgnoredFinding, severity: Severity, message: string): void {
    const found = this.stale.get(config) ?? new Map<IgnoredFinding, Diagnostic>();
    this.stale.set(config, found);
    found.set(entry, {
      rule: "unused-suppression",
      severity,
      message,
      pointer: entry.place,
      range: config.document.lines.range(entry.start, entry.end),
      ...(docsBase !== undefined && { docs: `${docsBase}/docs/rules/unused-suppression.md` }),
    });
  }

  /** One report per config file that has such entries. */
  reports(): readonly FileReport[] {
    return [...this.stale].map(([config, entries]) => ({
      file: shownPath(config.path, this.cwd),
      specVersion: newestVersion,
      diagnostics: config.ignoredFindings.flatMap((entry) => entries.get(entry) ?? []),
      suppressed: [],
      lines: config.document.lines,
      isSetup: true,
    }));
  }
}

/** Whether it surely means one file, and can be told in a sentence. */
function isPlainName(name: string): boolean {
  return name.length <= 200 && !/[*?![\]{}()]/u.test(name);
}
