import type { Paint } from "../../text/paint.js";
import { wrapSegments } from "../../text/wrap-text.js";

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
