import { findHunks } from "../../fix/unified-diff.js";
import { type Paint, plainPaint } from "../../text/paint.js";
import { ruledTable, wrapSegments } from "../../text/terminal-text.js";

/** A fenced example, and the output below it. */
const fencedExample = /^(```(?!text)\w+\n)([^]*?)\n```$(?=(?:\n\n```text\n([^]*?)^```)?)/gmu;
const reportedLine = /^ *(\d+)(?::\d+| │)/gmu;

/** The page of a rule with only those lines of its examples that have a finding, or that differ between wrong and right. */
export function cutExamples(page: string): string {
  const [intro = "", wrong = "", right = "", details = ""] = page.split(/^(?=## (?:Wrong|Right|Details)$)/mu);
  return intro + cutSection(wrong, right) + cutSection(right, wrong) + details;
}

function cutSection(section: string, other: string): string {
  const others = [...other.matchAll(fencedExample)];
  let count = 0;
  return section.replace(fencedExample, (_, fence: string, body: string, output: string | undefined) => {
    const lines = body.split("\n");
    const otherBody = others[count++]?.[2];
    const hunks = findHunks(otherBody === undefined ? "" : `${otherBody}\n`, `${body}\n`);
    const changed = hunks.flatMap(({ newStart, newLines }) =>
      newLines === 0 ? newStart - 2 : [...lines.keys()].slice(newStart - 1, newStart - 1 + newLines),
    );
    // Without a change, the findings are in another of several files.
    const findings = changed.length === 0 ? [] : (output ?? "").matchAll(reportedLine);
    const reported = Array.from(findings, ([, number]) => Number(number) - 1);
    return `${fence}${cutLines(lines, [...changed, ...reported]).join("\n")}\n\`\`\``;
  });
}

/** Shorter examples are shown even if nothing in them matters. */
const maxContext = 10;

/** The lines that matter, each with its neighbours and the keys that hold it; the others become `…`. */
function cutLines(lines: readonly string[], indexes: readonly number[]): readonly string[] {
  if (indexes.length === 0) return lines.length > maxContext ? ["…"] : lines;
  const shown = new Set(indexes.flatMap((index) => [index - 1, index, index + 1]));
  for (const index of indexes) {
    let indent = indentOf(lines[index]);
    for (let above = index - 1; above >= 0; above--) {
      const outer = indentOf(lines[above]);
      if (outer.length >= indent.length) continue;
      shown.add(above);
      indent = outer;
    }
  }
  return lines.flatMap((line, index) => {
    if (shown.has(index) || (shown.has(index - 1) && shown.has(index + 1))) return line;
    return index === 0 || shown.has(index - 1) ? `${indentOf(line)}…` : [];
  });
}

const indentOf = (line = ""): string => /^ */u.exec(line)?.[0] ?? "";

/** A fence, a heading, a comment or an empty line; every other line is text. */
const blockMarker = /^(?:(`{3,}|~{3,})|#{1,6} +(.*)|<!--.*-->$|$)/u;
const listItem = /^(?:[-*+]|\d+\.) /u;

/** Markdown for the terminal: headings stand out, code is indented as it is, paragraphs fill the width. */
export function renderPage(markdown: string, paint: Paint, width: number): string {
  const shown: string[] = [];
  let paragraph: string[] = [];
  let fence: string | undefined;
  const endParagraph = () => {
    const isTable = paragraph[0]?.startsWith("|") === true;
    const lines = isTable ? tableLines(paragraph) : wrapSegments(splitWords(paragraph.join(" ")), width);
    shown.push(...(isTable ? lines : lines.map((line) => paintMarks(line, paint))));
    paragraph = [];
  };
  for (const line of markdown.trim().split(/\r?\n/u)) {
    if (fence !== undefined) {
      if (line.startsWith(fence)) fence = undefined;
      else shown.push(line === "" ? "" : paint.dim(`    ${line}`));
      continue;
    }
    const marked = blockMarker.exec(line);
    if (marked !== null || listItem.test(line)) endParagraph();
    if (marked === null) paragraph.push(line);
    else if (marked[1] !== undefined) fence = marked[1];
    else if (marked[2] !== undefined) shown.push(paint.bold(marked[2]));
    else if (line === "") shown.push("");
  }
  endParagraph();
  return shown.join("\n") + "\n";
}

function tableLines(rows: readonly string[]): readonly string[] {
  const cellText = (cell: string) => paintMarks(splitWords(cell).join(" "), plainPaint);
  const cellsOf = (row: string) => row.split("|").slice(1, -1).map(cellText);
  return ruledTable(rows.filter((row) => !/^[|:\s-]+$/u.test(row)).map(cellsOf));
}

/** Words to wrap: code is one, and a character without width marks emphasis. Web addresses of links are kept. */
function splitWords(text: string): readonly string[] {
  const marked = text.replace(
    /`[^`]*`|(\*\*?)(?! )([^*]+)(?<! )\1|\[([^\]]*)\]\(([^)\s]*)\)/gu,
    (whole, _stars, stressed?: string, words?: string, address?: string) => {
      if (stressed !== undefined) return stressed.replace(/\S+/gu, "\u200c$&\u200c");
      if (words === undefined) return whole;
      return /^https?:/u.test(address ?? "") ? `${words} (${address})` : words;
    },
  );
  return marked.match(/(?:`[^`]*`|\S)+/gu) ?? [];
}

function paintMarks(text: string, { bold, code }: Paint): string {
  const painted = text.replace(/`([^`]*)`/gu, (_, words: string) => code(words));
  return painted.replace(/\u200c([^\u200c]*)\u200c/gu, (_, words: string) => bold(words));
}
