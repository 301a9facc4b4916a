import { type ChangeInfo, changeCatalogue } from "../../diff/catalogue.js";
import { type RuleGroup, ruleGroups, rules } from "../../rules/index.js";
import type { RuleInfo } from "../../rules/rule-info.js";
import { nearestName } from "../../text/names.js";
import { loadPaint, type Paint } from "../../text/paint.js";
import { wrapSegments, wrapText } from "../../text/terminal-text.js";
import { unknownRuleMessage } from "../../text/wording.js";
import { requireFormat } from "../config/flags.js";
import { readPackageFile } from "../files/package-files.js";
import { type Io, shouldUseColor } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";

/** A narrower column is harder to read than lines that overflow. */
const minSummaryWidth = 20;

export function listRules(io: Io, format: string): number {
  requireFormat("rules", format);
  if (format === "json") {
    const keys = ["id", "severity", "summary", "source", "fix", "since"];
    io.stdout.write(JSON.stringify(rules, keys, 2) + "\n");
    return 0;
  }
  const { columns } = io.stdout;
  // Outside a terminal, each rule is one line, and there are no headings, for tools such as grep.
  const groupText = (group: RuleGroup) => `${group.title}\n${ruleLines(group.rules, columns)}`;
  io.stdout.write(columns ? ruleGroups.map(groupText).join("\n") : ruleLines(rules));
  return 0;
}

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

/** Longer lines are hard to read. */
const maxPageWidth = 80;

/** The page of a rule, or what `diff` reports under this id. Also accepts it in brackets, as in reports, or with capitals. */
export async function explainRule(io: Io, written: string, color: boolean | undefined): Promise<number> {
  const id = written.replace(/^\[(.*)\]$/u, "$1").toLowerCase();
  const change = changeCatalogue.find((each) => each.id === id);
  const ids = [...rules, ...changeCatalogue].map((each) => each.id);
  if (!ids.includes(id)) throw new UsageError(unknownRuleMessage(written, ids, () => nearestName(id, ids)));
  const page = change === undefined ? readPackageFile(`docs/rules/${id}.md`) : changePage(change);
  const width = Math.min(io.stdout.columns || maxPageWidth, maxPageWidth);
  const paint = await loadPaint({ color: shouldUseColor(color, io), links: false });
  io.stdout.write(renderPage(page, paint, width));
  return 0;
}

function changePage({ id, level, text }: ChangeInfo): string {
  return [`# ${id}`, text, `**Level:** ${level}.`, "See docs/diff.md."].join("\n\n");
}

/** A fence, a heading, a comment or an empty line; every other line is text. */
const blockMarker = /^(?:(`{3,}|~{3,})|#{1,6} +(.*)|<!--.*-->$|$)/u;
/** A list item or a table row, which does not continue the line before it. */
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

/** Without emphasis and links; the addresses of web pages are kept. */
function plainText(text: string): string {
  return text.replace(
    /`[^`]*`|(\*\*?)(?! )([^*]+)(?<! )\1|\[([^\]]*)\]\(([^)\s]*)\)/gu,
    (whole, _stars, stressed?: string, words?: string, address?: string) => {
      if (words === undefined) return stressed ?? whole;
      return /^https?:/u.test(address ?? "") ? `${words} (${address})` : words;
    },
  );
}

/** Code counts as one word and keeps its backticks: a lone `:` would be overlooked without them. */
function splitWords(text: string): readonly string[] {
  return text.match(/(?:`[^`]*`|\S)+/gu) ?? [];
}
