import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { endOfLine } from "../scan-text.js";
import { textKeys } from "../text-keys.js";
import {
  blockAbove,
  indentOf,
  type Line,
  lineAt,
  lineBefore,
  nextLine,
  writtenIn,
} from "../yaml/yaml-sections.js";
import { opensText } from "./yaml-unfinished-key.js";

/** Said of `Note: ...` in a block of text that lost its indentation, and with that ends the block: below it, the text goes on. */
export function slippedLine(text: string, line: Line): Fault | undefined {
  const head = opensText(text, line) ? blockAbove(text, line) : undefined;
  const [, key = ""] = /^(?:- +)*(\w+):/.exec(head === undefined ? "" : writtenIn(text, head)) ?? [];
  if (head === undefined || !textKeys.has(key)) return undefined;
  const first = nextLine(text, head.end, line.start);
  const below = nextLine(text, line.end, text.length);
  if (first === undefined || below === undefined || indentOf(below) !== indentOf(first)) return undefined;
  if (isEntry(writtenIn(text, line), writtenIn(text, below))) return undefined;
  const message = `This line ends the text of "${key}"; indent it to keep it in the text.`;
  return faultAt(line.body, endOfLine(text, line.body), message);
}

/** Whether a line like `Third:` has the entries or items below it for its value, or opens a bracket or quote for it. */
function isEntry(line: string, below: string): boolean {
  if (/:\s+(?:["'[]|\{(?!\{))/.test(line)) return true;
  return /:(?:\s+&\S+)?$/.test(line) && /^(?:-|["']?[\w.$-]+["']?:)(?:\s|$)/.test(below);
}

/** The same of the line right above what the parser takes for something else than text. */
export function slipAbove(text: string, { start }: Fault): Fault | undefined {
  const above = lineBefore(text, lineAt(text, start));
  return above && slippedLine(text, above);
}
