import { readFileSync } from "node:fs";
import { type RuleGroup, ruleGroups, rules } from "../../rules/index.js";
import type { RuleInfo } from "../../rules/rule-info.js";
import { nearestName } from "../../text/names.js";
import { loadPaint, type Paint } from "../../text/paint.js";
import { wrapSegments, wrapText } from "../../text/terminal-text.js";
import { unknownRuleMessage } from "../../text/wording.js";
import { requireFormat } from "../config/flags.js";
import { rulePagePath } from "../files/paths.js";
import { type Io, shouldUseColor } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";

/** A column of fewer characters is harder to read than lines that are broken anywhere. */
const minSummaryWidth = 20;

export function listRules(io: Io, format: string): number {
  requireFormat("rules", format);
  if (format === "json") {
    const list = rules.map(({ id, severity, summary, source, fix }) => ({
      id,
      severity,
      summary,
      source,
      fix,
    }));
    io.stdout.write(JSON.stringify(list, null, 2) + "\n");
    return 0;
  }
  const { columns } = io.stdout;
  // Where there is no terminal, each rule is a line to be searched for, and there are no others.
  const list = columns ? ruleGroups.map((group) => groupText(group, columns)).join("\n") : ruleLines(rules);
  io.stdout.write(list);
  return 0;
}

const groupText = ({ title, rules: members }: RuleGroup, columns: number): string =>
  `${title}\n${ruleLines(members, columns)}`;

const idWidth = Math.max(...rules.map(({ id }) => id.length));
const summaryIndent = idWidth + "  warning  ".length;

function ruleLines(members: readonly RuleInfo[], columns = Infinity): string {
  const room = Math.max(columns - summaryIndent, minSummaryWidth);
  const lines = members.flatMap(({ id, severity, summary, fix }) => {
    const mark = fix === undefined ? "" : fix === "safe" ? " [fix]" : " [unsafe fix]";
    const [first = "", ...more] = wrapText(summary + mark, room);
    const head = `${id.padEnd(idWidth)}  ${severity.padEnd(7)}  ${first}`;
    return [head, ...more.map((line) => " ".repeat(summaryIndent) + line)];
  });
  return lines.map((line) => line + "\n").join("");
}

/** Longer lines are hard to read, however wide the terminal is. */
const maxPageWidth = 80;

/** Reports write ids in brackets, and people with capitals. */
export async function explainRule(io: Io, written: string, color: boolean | undefined): Promise<number> {
  const id = written.replace(/^\[(.*)\]$/u, "$1").toLowerCase();
  const ids = rules.map((rule) => rule.id);
  if (!ids.includes(id)) throw new UsageError(unknownRuleMessage(written, ids, () => nearestName(id, ids)));
  const page = readFileSync(rulePagePath(id), "utf8");
  const width = Math.min(io.stdout.columns || maxPageWidth, maxPageWidth);
  const paint = await loadPaint({ color: shouldUseColor(color, io), links: false });
  io.stdout.write(renderPage(page, paint, width));
  return 0;
}

/** Where a fence, a heading, a comment or nothing stands; every other line is text. */
const blockMarker = /^(?:(`{3,}|~{3,})|#{1,6} +(.*)|<!--.*-->$|$)/u;
/** A line of text that does not go on with the one before it: an item of a list, or the row of a table. */
const startsNewBlock = /^(?:[-*+|]|\d+\.) /u;

/** A rule's page for the terminal: headings stand out, code is indented as it is, paragraphs fill the width. */
export function renderPage(markdown: string, { bold, dim }: Paint, width: number): string {
  const shown: string[] = [];
  let paragraph: string[] = [];
  let fence: string | undefined;
  const endParagraph = () => {
    shown.push(...wrapSegments(splitWords(plainText(paragraph.join(" "))), width));
    paragraph = [];
  };
  for (const line of markdown.trim().split(/\r?\n/u)) {
    if (fence !== undefined) {
      if (line.startsWith(fence)) fence = undefined;
      else shown.push(line === "" ? "" : dim(`    ${line}`));
      continue;
    }
    const marked = blockMarker.exec(line);
    if (marked !== null || startsNewBlock.test(line)) endParagraph();
    if (marked === null) paragraph.push(line);
    else if (marked[1] !== undefined) fence = marked[1];
    else if (marked[2] !== undefined) shown.push(bold(marked[2]));
    else if (line === "") shown.push("");
  }
  endParagraph();
  return shown.join("\n") + "\n";
}

/** Without the marks of emphasis and links; an address is kept where it leads out of the package. */
function plainText(text: string): string {
  return text.replace(
    /`[^`]*`|(\*\*?)(?! )([^*]+)(?<! )\1|\[([^\]]*)\]\(([^)\s]*)\)/gu,
    (whole, _stars, stressed?: string, words?: string, address?: string) => {
      if (words === undefined) return stressed ?? whole;
      return /^https?:/u.test(address ?? "") ? `${words} (${address})` : words;
    },
  );
}

/** The words of a text, code of several words being one. Its quotes stay: `:` would not be seen without. */
function splitWords(text: string): readonly string[] {
  return text.match(/(?:`[^`]*`|\S)+/gu) ?? [];
}
