import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { applyComments } from "../apply-comments.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { readDocumentLazily } from "../document/read-lazily.js";
import { lintDocument } from "../lint.js";
import { PointerIndex } from "../pointer-index.js";
import type { FileReport, Suppressed } from "../reporters/report.js";
import type { SuppressedByComment, Suppression } from "../suppress.js";
import { docsBase } from "../tool.js";
import type { IgnoredFinding } from "./config/config.js";
import type { Settings } from "./config/settings.js";
import { formatOfBytes } from "./format-of-bytes.js";
import type { LintRequest } from "./lint-request.js";
import type { Stopwatch } from "./stopwatch.js";

export interface Source {
  /** As it is reported. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Where the file lies; standard input lies nowhere. */
  readonly path: string | undefined;
}

export interface Linted {
  readonly report: FileReport;
  readonly document: Document;
  readonly levels: Settings["levels"];
  /** The entries of the config's `ignore` that silenced something here. */
  readonly usedEntries: ReadonlySet<IgnoredFinding>;
}

/** Everything that happens to one file, from its bytes to what is reported of it. */
export async function lintSource(
  source: Source,
  settings: Settings,
  request: LintRequest,
  watch: Stopwatch,
): Promise<Linted> {
  const { file, bytes, path } = source;
  const format = formatOfBytes(file, bytes);
  const document = await watch.timeAsync("parse", () => readDocumentLazily(bytes, format, request.limits));
  const { specVersion, diagnostics } = lintDocument(document, {
    severityOf: (rule) => settings.levels.get(rule.id) ?? rule.severity,
    specVersion: request.specVersion,
    docsBase,
    ...(path !== undefined && { fileExists: (name) => existsSync(resolve(dirname(path), name)) }),
    ...(request.stats && { around: (name, work) => watch.time(name, work) }),
  });
  const commented: Suppression = request.inlineConfig
    ? applyComments(document, diagnostics, settings.levels, docsBase)
    : { kept: diagnostics, suppressed: [] };
  const configured = suppressByConfig(commented.kept, settings.ignoredFindings);
  return {
    document,
    levels: settings.levels,
    usedEntries: configured.used,
    report: {
      file,
      specVersion,
      diagnostics: configured.kept,
      suppressed: [...commented.suppressed.map(byComment), ...configured.suppressed],
      lines: document.lines,
    },
  };
}

function byComment({ diagnostic, reason }: SuppressedByComment): Suppressed {
  return { diagnostic, by: "comment", ...(reason !== undefined && { reason }) };
}

/** Takes out what the config ignores. */
export function suppressByConfig(diagnostics: readonly Diagnostic[], entries: readonly IgnoredFinding[]) {
  const index = new PointerIndex<IgnoredFinding>();
  for (const entry of entries) if (entry.rule !== "parse-error") index.add(entry.rule, entry.pointer, entry);
  const kept: Diagnostic[] = [];
  const suppressed: Suppressed[] = [];
  const used = new Set<IgnoredFinding>();
  for (const diagnostic of diagnostics) {
    const covering = index.covering(diagnostic.rule, diagnostic.pointer);
    for (const entry of covering) used.add(entry);
    const reason = covering.find((entry) => entry.reason !== undefined)?.reason;
    if (covering.length === 0) kept.push(diagnostic);
    else suppressed.push({ diagnostic, by: "config", ...(reason !== undefined && { reason }) });
  }
  return { kept, suppressed, used };
}
