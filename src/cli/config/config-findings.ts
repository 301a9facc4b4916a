import type { Diagnostic, Finding, Severity } from "../../diagnostic.js";
import { toDiagnostic } from "../../lint/collect-diagnostics.js";
import type { FileReport } from "../../reporters/report.js";
import type { LintingRule } from "../../rules/rule.js";
import { appendTo } from "../../text/collections.js";
import { newestSpecVersion } from "../../text/tool-info.js";
import { displayPath } from "../files/paths.js";
import type { Config } from "./config.js";

/** Findings about config files that come from linting packs; configs are not linted themselves. */
export class ConfigFindings {
  private readonly found = new Map<Config, Diagnostic[]>();

  add(config: Config, rule: LintingRule, severity: Severity, finding: Finding): void {
    appendTo(this.found, config, toDiagnostic(config.document, rule, severity, finding));
  }

  entries(): readonly (readonly [Config, readonly Diagnostic[]])[] {
    return [...this.found];
  }

  remove(config: Config, diagnostics: ReadonlySet<Diagnostic>): void {
    this.found.set(config, this.found.get(config)?.filter((each) => !diagnostics.has(each)) ?? []);
  }

  reports(cwd: string): readonly FileReport[] {
    return [...this.found].map(([config, diagnostics]) => ({
      file: displayPath(config.path, cwd),
      specVersion: newestSpecVersion,
      diagnostics,
      suppressed: [],
      lines: config.document.lines,
      isConfigFile: true,
    }));
  }
}
