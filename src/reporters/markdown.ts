import type { Diagnostic } from "../diagnostic.js";
import { escapeInvisible, isWebUrl } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import { pluralize } from "../text/wording.js";
import {
  type FileReport,
  type Report,
  type Reporter,
  summarize,
  summaryText,
  suppressedText,
  worstSeverity,
} from "./report.js";

/** GitHub refuses a step summary above 1 MiB, its last line included, and draws no diagram above 50,000 characters. */
const maxBytes = 2 ** 20 - 1_000;
const maxDiagramLength = 50_000;
const signs = { error: "❌", warning: "⚠️", info: "ℹ️", none: "✅" };

/** A summary for people, made for `GITHUB_STEP_SUMMARY`. */
export const markdown: Reporter = (report, { existingBytes = 0 }) => {
  const page = new Page(maxBytes - existingBytes);
  const heading = `## ${statusSign(report)} ${summaryText(report.files)}${suppressedText(report.files)}\n`;
  if (!page.add(heading)) return "";
  // The page is read without what was said on standard error.
  if (report.incomplete === true) page.add("\nNot everything could be checked: the log says why.\n");
  addTable(page, report.files);
  for (const file of report.files) addFileSection(page, file);
  return page.toText();
};

function statusSign({ files, incomplete }: Report): string {
  if (incomplete === true) return signs.error;
  return files.length === 0 ? "–" : signs[worstSeverity(files) ?? "none"];
}

/** Takes blocks while there is room. */
class Page {
  private readonly blocks: string[] = [];
  private omitted = 0;

  constructor(private bytesLeft: number) {}

  /** False where the block has no room. */
  add(block: string): boolean {
    const size = Buffer.byteLength(block);
    if (size > this.bytesLeft) return false;
    this.blocks.push(block);
    this.bytesLeft -= size;
    return true;
  }

  omit(findings: number): void {
    this.omitted += findings;
  }

  toText(): string {
    if (this.omitted > 0) this.blocks.push(`\nNot shown here: ${pluralize(this.omitted, "more problem")}.\n`);
    return this.blocks.join("");
  }
}

function addTable(page: Page, files: readonly FileReport[]): void {
  const faulty = files.filter((file) => file.diagnostics.length > 0);
  if (faulty.length === 0) return;
  page.add("\n| File | Errors | Warnings | Infos |\n| --- | ---: | ---: | ---: |\n");
  for (const file of faulty) {
    const { errors, warnings, infos } = summarize([file]);
    if (!page.add(`| ${escapeText(file.file)} | ${errors} | ${warnings} | ${infos} |\n`)) return;
  }
}

/** As far as there is room: what came after a gap would be taken for the whole, or for another file's. */
function addFileSection(page: Page, { file, diagnostics, diagram }: FileReport): void {
  if (diagnostics.length === 0 && diagram === undefined) return;
  const isBegun = page.add(`\n### ${escapeText(file)}\n${diagnostics.length > 0 ? "\n" : ""}`);
  const gap = isBegun ? diagnostics.findIndex((diagnostic) => !page.add(findingItem(diagnostic))) : 0;
  if (gap !== -1) page.omit(diagnostics.length - gap);
  else if (diagram !== undefined) page.add(diagramBlock(diagram));
}

function findingItem(diagnostic: Diagnostic): string {
  const { severity, message, rule, range, trace, docs } = diagnostic;
  const id = isWebUrl(docs) ? `[\`${rule}\`](<${docs}>)` : `\`${rule}\``;
  const line = `- **${severity}** ${range.start.line}:${range.start.column} ${escapeText(message)} ${id}\n`;
  if (trace === undefined || trace.steps.length === 0) return line;
  const fence = fenced("text", traceLines(trace)).map((text) => `  ${text}\n`);
  return `${line}\n${fence.join("")}\n`;
}

function diagramBlock(source: string): string {
  if (source.length > maxDiagramLength) return "\nThe workflow is too large to be drawn here.\n";
  const lines = source.replace(/\n$/, "").replaceAll("\t", "    ").split("\n");
  return `\n${fenced("mermaid", lines).join("\n")}\n`;
}

/** A fence longer than any run of backticks inside it. */
function fenced(language: string, lines: readonly string[]): string[] {
  const inside = lines.map(escapeInvisible);
  let longest = 2;
  for (const line of inside) {
    for (const run of line.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  }
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...inside, fence];
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "|": "&#124;",
  "`": "&#96;",
  $: "&#36;",
};

/** Inside of what is made a link or a mention without any markup: addresses, `@name`, `#1`. */
const autolinkBreaks = /(?<=@)|(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?<=#)(?=\d)/i;

/** Text that stays text, in a table cell too. Links are sought when escapes are read already: only an element parts them. */
function escapeText(text: string): string {
  return escapeInvisible(text).split(autolinkBreaks).map(escapePart).join("<span></span>");
}

function escapePart(text: string): string {
  return text.replace(/[&<>|`$\\*_[\]~#]/g, (character) => entities[character] ?? `\\${character}`);
}
