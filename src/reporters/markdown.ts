import type { Diagnostic } from "../diagnostic.js";
import { gravest, summarize, type FileReport, type Report, type Reporter } from "./report.js";
import { count } from "../words/wording.js";
import { summaryText, suppressedText } from "./summary-text.js";
import { traceLines } from "../text/trace-text.js";
import { visible } from "../text/visible-text.js";
import { isWebAddress } from "../text/web-address.js";

/** GitHub refuses a step summary above 1 MiB, its last line included, and draws no diagram above 50,000 characters. */
const mostBytes = 2 ** 20 - 1_000;
const longestDiagram = 50_000;
const signs = { error: "❌", warning: "⚠️", info: "ℹ️", none: "✅" };

/** A summary for people, made for `GITHUB_STEP_SUMMARY`. */
export const markdown: Reporter = (report, { bytesBefore = 0 }) => {
  const page = new Page(mostBytes - bytesBefore);
  const heading = `## ${signOf(report)} ${summaryText(report.files)}${suppressedText(report.files)}\n`;
  if (!page.add(heading)) return "";
  // The page is read without what was said on standard error.
  if (report.troubled === true) page.add("\nNot everything could be checked: the log says why.\n");
  table(page, report.files);
  for (const file of report.files) section(page, file);
  return page.end();
};

function signOf({ files, troubled }: Report): string {
  if (troubled === true) return signs.error;
  return files.length === 0 ? "–" : signs[gravest(files) ?? "none"];
}

/** Takes blocks while there is room. */
class Page {
  private readonly blocks: string[] = [];
  private left = 0;

  constructor(private room: number) {}

  /** False where the block has no room. */
  add(block: string): boolean {
    const size = Buffer.byteLength(block);
    if (size > this.room) return false;
    this.blocks.push(block);
    this.room -= size;
    return true;
  }

  leaveOut(findings: number): void {
    this.left += findings;
  }

  end(): string {
    if (this.left > 0) this.blocks.push(`\nNot shown here: ${count(this.left, "more problem")}.\n`);
    return this.blocks.join("");
  }
}

function table(page: Page, files: readonly FileReport[]): void {
  const faulty = files.filter((file) => file.diagnostics.length > 0);
  if (faulty.length === 0) return;
  page.add("\n| File | Errors | Warnings | Infos |\n| --- | ---: | ---: | ---: |\n");
  for (const file of faulty) {
    const { errors, warnings, infos } = summarize([file]);
    if (!page.add(`| ${escaped(file.file)} | ${errors} | ${warnings} | ${infos} |\n`)) return;
  }
}

/** As far as there is room: what came after a gap would be taken for the whole, or for another file's. */
function section(page: Page, { file, diagnostics, diagram }: FileReport): void {
  if (diagnostics.length === 0 && diagram === undefined) return;
  const isBegun = page.add(`\n### ${escaped(file)}\n${diagnostics.length > 0 ? "\n" : ""}`);
  const gap = isBegun ? diagnostics.findIndex((diagnostic) => !page.add(item(diagnostic))) : 0;
  if (gap !== -1) page.leaveOut(diagnostics.length - gap);
  else if (diagram !== undefined) page.add(drawn(diagram));
}

function item(diagnostic: Diagnostic): string {
  const { severity, message, rule, range, trace, docs } = diagnostic;
  const id = isWebAddress(docs) ? `[\`${rule}\`](<${docs}>)` : `\`${rule}\``;
  const line = `- **${severity}** ${range.start.line}:${range.start.column} ${escaped(message)} ${id}\n`;
  if (trace === undefined || trace.steps.length === 0) return line;
  const fence = fenced("text", traceLines(trace)).map((text) => `  ${text}\n`);
  return `${line}\n${fence.join("")}\n`;
}

function drawn(source: string): string {
  if (source.length > longestDiagram) return "\nThe workflow is too large to be drawn here.\n";
  const lines = source.replace(/\n$/, "").replaceAll("\t", "    ").split("\n");
  return `\n${fenced("mermaid", lines).join("\n")}\n`;
}

/** A fence longer than any run of backticks inside it. */
function fenced(language: string, lines: readonly string[]): string[] {
  const inside = lines.map(visible);
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
const insideLink = /(?<=@)|(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?<=#)(?=\d)/i;

/** Text that stays text, in a table cell too. Links are sought when escapes are read already: only an element parts them. */
function escaped(text: string): string {
  return visible(text).split(insideLink).map(escapedPart).join("<span></span>");
}

function escapedPart(text: string): string {
  return text.replace(/[&<>|`$\\*_[\]~#]/g, (character) => entities[character] ?? `\\${character}`);
}
