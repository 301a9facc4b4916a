import { isRunnable, type PackAnalysis } from "../analysis.js";
import { compareDiagnostics, compareText, type Diagnostic, severities } from "../diagnostic.js";
import { type Change, changeCatalogue, changeLevels, mapSides } from "./change.js";
import type { Difference, VersionFault } from "./compare.js";
import { placeOf } from "../document/node.js";
import { nodesAlong } from "../document/pointers.js";
import type { Pack } from "../pack/pack.js";
import { type ReporterName, reporters } from "../reporters/index.js";
import { escapeText, maxBytes, Page, signs } from "../reporters/markdown.js";
import { type FileReport, type ReporterOptions, worstSeverity } from "../reporters/report.js";
import { appendTo } from "../text/collections.js";
import { formatJson, neutralizeLogCommands } from "../text/escape.js";
import { runLines, traceJson } from "../text/format-trace.js";
import { toolInfo } from "../text/tool-info.js";
import { BadInput, capitalize, joinWords, pluralize } from "../text/wording.js";

export interface PackVersion {
  readonly file: string;
  /** With the revision, if it is not the file on the disk. */
  readonly shown: string;
  /** Absent if it did not have to be read. */
  readonly analysis?: PackAnalysis;
}

export interface ComparedPack {
  readonly file: string;
  readonly status: "changed" | "added" | "removed" | "same";
  readonly old: PackVersion | undefined;
  readonly new: PackVersion | undefined;
  /** Absent if nothing had to be compared. */
  readonly difference?: Difference;
}

interface Context {
  /** Whether the packs are compared with a commit, rather than two files. */
  readonly isAgainst: boolean;
  readonly isComplete: boolean;
  readonly rename?: (files: readonly FileReport[]) => readonly FileReport[];
}

export async function renderDiff(
  format: ReporterName | "html",
  packs: readonly ComparedPack[],
  { isAgainst, isComplete, rename = (files) => files }: Context,
): Promise<(options: ReporterOptions) => string> {
  if (format === "json") return () => diffJson(packs, isAgainst);
  if (format === "html") {
    const page = await drawDiff(packs);
    return () => page;
  }
  const sentences = packs.flatMap((pack) => summarySentences(pack, isAgainst));
  const hasNothing = packs.length === 0 && !isComplete;
  const summary = sentences.length > 0 || hasNothing ? sentences : [nothingChanged(packs)];
  if (format === "markdown") return ({ existingBytes }) => diffMarkdown(packs, isComplete, existingBytes);
  const reporter = await reporters[format]();
  const files = packs.flatMap(format === "pretty" ? reportsOfBothSides : reportOfNewSide);
  const rules = changeCatalogue.map(({ id, level, text }) => {
    return { id, summary: text, severity: severityOf(level), source: "promptpack, differences" };
  });
  const report = { tool: toolInfo, rules, files: rename(files), incomplete: !isComplete, summary };
  return (options) => {
    const text = reporter(report, { ...options, full: true });
    const log = summary.map((line) => `${neutralizeLogCommands(line)}\n`).join("");
    return format === "github" ? text + log : text;
  };
}

function severityOf(level: string) {
  return severities.find((each) => each === level) ?? (level.startsWith("breaking") ? "warning" : "info");
}

interface Finding extends Pick<Change | VersionFault, "side" | "level"> {
  readonly diagnostic: Diagnostic;
}

function findingsOf({ old, new: now, difference }: ComparedPack): readonly Finding[] {
  if (difference === undefined) return [];
  const findings = [...difference.versionFaults, ...difference.changes].flatMap((found) => {
    const { analysis } = (found.side === "old" ? old : now) ?? {};
    return analysis === undefined ? [] : toFinding(found, analysis.pack);
  });
  const rank = ({ level, diagnostic }: Finding): number =>
    severities.indexOf(diagnostic.severity) * changeLevels.length + changeLevels.indexOf(level ?? "breaking");
  return findings.sort(
    (a, b) =>
      rank(a) - rank(b) || compareText(a.side, b.side) || compareDiagnostics(a.diagnostic, b.diagnostic),
  );
}

function toFinding(found: Change | VersionFault, { document }: Pack): Finding {
  const { rule, level, side, at, message, traces: runs } = found;
  const diagnostic = {
    rule,
    severity: found.level === null ? found.severity : severityOf(found.level),
    message,
    pointer: at.pointer,
    ...document.lines.locate(at),
    // Without places, which may be those of the other file.
    ...(runs && { trace: traceJson(runs[side]) }),
    change: { ...(level !== null && { level }), runs },
  };
  return { side, level, diagnostic };
}

function reportOf(version: PackVersion | undefined, diagnostics: readonly Diagnostic[]) {
  if (version?.analysis === undefined) return [];
  const { document, spec, project } = version.analysis;
  const own = version.file;
  const revision = version.shown.slice(own.length);
  const byFile = new Map<string, Diagnostic[]>(diagnostics.length === 0 ? [[own, []]] : []);
  for (const { file = own, ...found } of diagnostics) appendTo(byFile, file, found);
  return [...byFile].map(([name, found]) => {
    const source = project?.files.find((each) => each.name === name);
    const lines = source === undefined ? document.lines : source.document.lines;
    return { file: name + revision, specVersion: spec.version, diagnostics: found, suppressed: [], lines };
  });
}

function reportsOfBothSides(compared: ComparedPack): readonly FileReport[] {
  const findings = findingsOf(compared);
  return (["new", "old"] as const).flatMap((side) => {
    const own = findings.filter((finding) => finding.side === side).map(({ diagnostic }) => diagnostic);
    return reportOf(compared[side], own);
  });
}

/** Everything in the new file: what is gone is placed at the nearest value around it that still exists. */
function reportOfNewSide(compared: ComparedPack): readonly FileReport[] {
  const pack = compared.new?.analysis?.pack;
  if (pack === undefined) return [];
  const diagnostics = findingsOf(compared).map(({ side, diagnostic }) => {
    if (side === "new") return diagnostic;
    const around = nodesAlong(pack.root, diagnostic.pointer).at(-1);
    const { start, end } =
      around === undefined || around === pack.root ? { start: 0, end: 0 } : placeOf(around);
    const { file: _, ...found } = diagnostic;
    return { ...found, ...pack.document.lines.locate({ start, end }) };
  });
  return reportOf(compared.new, diagnostics);
}

/** `3 changes: 1 breaking, 1 behaviour, 1 compatible. Version 1.2.0 → 1.3.0; this needs 2.0.0.` */
function summarySentences(compared: ComparedPack, isAgainst: boolean): readonly string[] {
  const { file, status, difference } = compared;
  if (status === "same") return [];
  const lead = isAgainst ? `${file}: ` : "";
  if (difference === undefined) return [`${lead}${status}.`];
  const isPart = difference.behaviour?.compared === false;
  const note = isPart ? ["There are too many runs to compare them all: others may differ, too."] : [];
  return [[lead + changesText(difference), ...versionSentence(difference), ...note].join(" ")];
}

function nothingChanged(packs: readonly ComparedPack[]): string {
  return packs.length === 1 ? "No changes." : `No changes in ${pluralize(packs.length, "pack")}.`;
}

function changesText({ changes, requiredBump }: Difference): string {
  if (changes.length === 0)
    return requiredBump === "none" ? "No changes." : "No change was found that others rely on.";
  const counts = changeLevels.flatMap((level) => {
    const count = changes.filter((change) => change.level === level).length;
    return count === 0 ? [] : `${count} ${level}`;
  });
  return `${pluralize(changes.length, "change")}: ${counts.join(", ")}.`;
}

function versionSentence({ oldVersion, newVersion, versionFaults }: Difference): readonly string[] {
  const fault = versionFaults.find(({ rule }) => rule === "version-not-raised");
  if (oldVersion === newVersion && fault === undefined) return [];
  const step =
    oldVersion === newVersion
      ? `${oldVersion} is unchanged`
      : `${oldVersion ?? "none"} → ${newVersion ?? "none"}`;
  return [`Version ${step}${fault === undefined ? "" : `; this needs ${fault.needed}`}.`];
}

function diffJson(packs: readonly ComparedPack[], isAgainst: boolean): string {
  const objects = packs.map((compared) => {
    const { status, old, new: now, difference } = compared;
    const side = (version: PackVersion | undefined, number: string | null | undefined) =>
      version === undefined ? null : { file: version.file, version: number ?? null };
    return {
      status: isAgainst ? status : undefined,
      old: side(old, difference?.oldVersion),
      new: side(now, difference?.newVersion),
      requiredBump: difference?.requiredBump ?? "none",
      changes: findingsOf(compared).map((finding) => changeJson(finding, compared[finding.side]?.file)),
      behaviour: difference?.behaviour ?? null,
    };
  });
  return formatJson(isAgainst ? { packs: objects } : objects[0]);
}

function changeJson({ side, level, diagnostic }: Finding, file: string | undefined): object {
  const { rule, severity, message, pointer, range, change } = diagnostic;
  const runs = change?.runs;
  return {
    rule,
    level,
    severity,
    message,
    side,
    file: diagnostic.file ?? file,
    line: range.start.line,
    column: range.start.column,
    pointer,
    traces: runs && mapSides(runs, traceJson),
  };
}

function diffMarkdown(packs: readonly ComparedPack[], isComplete: boolean, existingBytes = 0): string {
  const page = new Page(maxBytes - existingBytes, "change");
  const worst = worstSeverity(packs.flatMap(reportsOfBothSides)) ?? "none";
  const counted = (["changed", "added", "removed"] as const).flatMap((status) => {
    const count = packs.filter((pack) => pack.status === status).length;
    return count === 0 ? [] : `${pluralize(count, "pack")} ${status}`;
  });
  const title = counted.length === 0 ? nothingChanged(packs).slice(0, -1) : joinWords(counted, "and");
  if (!page.add(`## ${signs[isComplete ? worst : "error"]} ${title}\n`)) return "";
  // Readers of the page do not see standard error.
  if (!isComplete) page.add("\nNot everything could be compared: the log says why.\n");
  for (const compared of packs) {
    const [sentence] = summarySentences(compared, false);
    if (sentence === undefined) continue;
    if (!page.add(`\n### ${escapeText(compared.file)}\n\n${escapeText(capitalize(sentence))}\n`)) break;
    const rows = findingsOf(compared);
    if (rows.length === 0 || !page.add("\n| Level | Change | Place |\n| --- | --- | --- |\n")) continue;
    const gap = rows.findIndex((row) => !page.add(tableRow(row, compared)));
    if (gap !== -1) page.omittedFindings += rows.length - gap;
  }
  return page.toText();
}

function tableRow({ side, level, diagnostic }: Finding, compared: ComparedPack): string {
  const { rule, severity, message, range, file } = diagnostic;
  const runs = runLines(diagnostic).map((line) => `<br>${escapeText(line)}`);
  const version = side === "old" ? `${escapeText(compared.old?.shown ?? "")}, ` : "";
  const source = file === undefined ? "" : `${escapeText(file)}, `;
  const place = `${version}${source}line ${range.start.line}`;
  return `| **${level ?? severity}** | ${escapeText(message)} \`${rule}\`${runs.join("")} | ${place} |\n`;
}

async function drawDiff(packs: readonly ComparedPack[]): Promise<string> {
  const [compared, ...more] = packs.length === 1 ? packs : packs.filter(({ status }) => status === "changed");
  if (compared?.difference === undefined || more.length > 0) {
    const found = more.length === 0 ? "none" : String(more.length + 1);
    throw new BadInput(`A picture shows one pack that has changed, and here are ${found}: name one.`);
  }
  const { drawOverlay } = await import("../drawing/overlay.js");
  const findings = findingsOf(compared);
  const inputOf = (side: Change["side"]) => {
    const { shown = compared.file, analysis } = compared[side] ?? {};
    if (analysis === undefined || !isRunnable(analysis))
      throw new BadInput(`"${shown}" cannot be drawn: it has no workflow with states.`);
    const { pack, facts } = analysis;
    const own = findings.filter((finding) => finding.side === side && finding.level !== null);
    return { pack, facts, diagnostics: own.map(({ diagnostic }) => diagnostic) };
  };
  return drawOverlay(inputOf("old"), inputOf("new"));
}
