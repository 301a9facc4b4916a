import type { Diagnostic } from "../diagnostic.js";
import { escapeInvisible, fenced, isWebUrl } from "../text/escape.js";
import { isEmptyTrace, traceLines } from "../text/format-trace.js";
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

/** GitHub rejects a step summary above 1 MiB, and draws no diagram above 50,000 characters. */
export const maxBytes = 2 ** 20 - 1_000;
const maxDiagramLength = 50_000;
export const signs = { error: "❌", warning: "⚠️", info: "ℹ️", none: "✅" };

export const markdown: Reporter = (report, { existingBytes = 0 }) => {
  const page = new Page(maxBytes - existingBytes);
  const heading = `## ${statusSign(report)} ${summaryText(report.files)}${suppressedText(report.files)}\n`;
  if (!page.add(heading)) return "";
  // Readers of the page do not see standard error.
  if (report.incomplete === true) page.add("\nNot everything could be checked: the log says why.\n");
  addTable(page, report.files);
  for (const file of report.files) addFileSection(page, file);
  return page.toText();
};

function statusSign({ files, incomplete }: Report): string {
  if (incomplete === true) return signs.error;
  return files.length === 0 ? "–" : signs[worstSeverity(files) ?? "none"];
}

export class Page {
  private readonly blocks: string[] = [];
  omittedFindings = 0;

  constructor(
    private bytesLeft: number,
    private readonly noun = "problem",
  ) {}

  /** Returns whether there was room for the block. */
  add(block: string): boolean {
    const size = Buffer.byteLength(block);
    if (size > this.bytesLeft) return false;
    this.blocks.push(block);
    this.bytesLeft -= size;
    return true;
  }

  toText(): string {
    const omitted = pluralize(this.omittedFindings, `more ${this.noun}`);
    return this.blocks.join("") + (this.omittedFindings > 0 ? `\nNot shown here: ${omitted}.\n` : "");
  }
}

function addTable(page: Page, files: readonly FileReport[]): void {
  const filesWithFindings = files.filter((file) => file.diagnostics.length > 0);
  if (filesWithFindings.length === 0) return;
  page.add("\n| File | Errors | Warnings | Infos |\n| --- | ---: | ---: | ---: |\n");
  for (const file of filesWithFindings) {
    const { errors, warnings, infos } = summarize([file]);
    if (!page.add(`| ${escapeText(file.file)} | ${errors} | ${warnings} | ${infos} |\n`)) return;
  }
}

/** Stops at the first block without room: later ones would look like the complete list, or like another file's. */
function addFileSection(page: Page, { file, diagnostics, diagram }: FileReport): void {
  if (diagnostics.length === 0 && diagram === undefined) return;
  const hasHeading = page.add(`\n### ${escapeText(file)}\n${diagnostics.length > 0 ? "\n" : ""}`);
  const gap = hasHeading ? diagnostics.findIndex((diagnostic) => !page.add(findingItem(diagnostic))) : 0;
  if (gap !== -1) page.omittedFindings += diagnostics.length - gap;
  else if (diagram !== undefined) page.add(diagramBlock(diagram));
}

function findingItem(diagnostic: Diagnostic): string {
  const { severity, message, rule, range, trace, docs } = diagnostic;
  const id = isWebUrl(docs) ? `[\`${rule}\`](<${docs}>)` : `\`${rule}\``;
  const line = `- **${severity}** ${range.start.line}:${range.start.column} ${escapeText(message)} ${id}\n`;
  if (trace === undefined || isEmptyTrace(trace)) return line;
  const fence = fenced("text", traceLines(trace)).map((text) => `  ${text}\n`);
  return `${line}\n${fence.join("")}\n`;
}

function diagramBlock(source: string): string {
  if (source.length > maxDiagramLength) return "\nThe workflow is too large to be drawn here.\n";
  const lines = source.replace(/\n$/, "").replaceAll("\t", "    ").split("\n");
  return `\n${fenced("mermaid", lines).join("\n")}\n`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "|": "&#124;",
  "`": "&#96;",
  $: "&#36;",
};

/** Positions inside what GitHub links without markup: addresses, `@name`, `#1`. */
const autolinkBreaks = /(?<=@)|(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?<=#)(?=\d)/i;

/** GitHub looks for links after it has decoded escapes, so only an element breaks them up. */
export function escapeText(text: string): string {
  return escapeInvisible(text)
    .split(autolinkBreaks)
    .map((part) => part.replace(/[&<>|`$\\*_[\]~#]/g, (character) => entities[character] ?? `\\${character}`))
    .join("<span></span>");
}
