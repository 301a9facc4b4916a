import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { endOfLine } from "../scan-text.js";
import { multilineTextKeys } from "../text-keys.js";
import {
  blockScalarAbove,
  indentOf,
  type Line,
  lineAt,
  previousLine,
  nextLine,
  lineContent,
} from "../yaml/yaml-sections.js";
import { looksLikeProse } from "./yaml-unfinished-key.js";

/** Said of `Note: ...` in a block of text that lost its indentation, and with that ends the block: below it, the text goes on. */
export function findOutdentedTextLine(text: string, line: Line): Fault | undefined {
  const head = looksLikeProse(text, line) ? blockScalarAbove(text, line) : undefined;
  const [, key = ""] = /^(?:- +)*(\w+):/.exec(head === undefined ? "" : lineContent(text, head)) ?? [];
  if (head === undefined || !multilineTextKeys.has(key)) return undefined;
  const first = nextLine(text, head.end, line.start);
  const below = nextLine(text, line.end, text.length);
  if (first === undefined || below === undefined || indentOf(below) !== indentOf(first)) return undefined;
  if (isEntryWithValue(lineContent(text, line), lineContent(text, below))) return undefined;
  const message = `This line ends the text of "${key}"; indent it to keep it in the text.`;
  return faultAt(line.body, endOfLine(text, line.body), message);
}

/** Whether a line like `Third:` has the entries or items below it for its value, or opens a bracket or quote for it. */
function isEntryWithValue(line: string, below: string): boolean {
  if (/:\s+(?:["'[]|\{(?!\{))/.test(line)) return true;
  return /:(?:\s+&\S+)?$/.test(line) && /^(?:-|["']?[\w.$-]+["']?:)(?:\s|$)/.test(below);
}

/** The same of the line right above what the parser takes for something else than text. */
export function findOutdentedLineAbove(text: string, { start }: Fault): Fault | undefined {
  const above = previousLine(text, lineAt(text, start));
  return above && findOutdentedTextLine(text, above);
}
