import { EVENT_ID, parseEvents, YAMLException, type Event } from "js-yaml";
import { isBreak } from "./spell-flow.js";
import { endOfLine } from "./yaml-scan.js";
import { indentOf, lineAt, lineBefore, type Line } from "./yaml-sections.js";

/** Characters read again in all; a file with more brackets out of place than this allows is refused. */
const maxReread = 4 * 1024 * 1024;

/**
 * The parser wants a closing bracket indented further than the key of its collection, and no tab before a bracket.
 * Others, libyaml among them, do not. Where it refuses only that, blanks take the place of the line break or the tab,
 * one for one, so that every offset stays.
 */
export function parseRelaxed(text: string, maxDepth: () => number): Event[] {
  let relaxed = text;
  for (let reread = 0; ;) {
    const outcome = tryParse(relaxed, maxDepth());
    if (!(outcome instanceof YAMLException)) {
      if (relaxed !== text) requireOutside(text, relaxed, outcome);
      return outcome;
    }
    const at = outcome.mark?.position ?? 0;
    reread += text.length;
    const next = outcome.reason === deficient && reread <= maxReread ? relax(relaxed, at) : undefined;
    if (next === undefined) throw outcome;
    relaxed = next;
  }
}

function tryParse(text: string, maxDepth: number): Event[] | YAMLException {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    if (error instanceof YAMLException) return error;
    throw error;
  }
}

const deficient = "deficient indentation";

function relax(text: string, at: number): string | undefined {
  const line = lineAt(text, at);
  if (line.body !== at) return blankTab(text, line, at);
  if (!/[\]}]/.test(text.charAt(at)) || !isAligned(text, line)) return undefined;
  const from = endOfContent(text, line);
  return text.slice(0, from) + " ".repeat(at - from) + text.slice(at);
}

/** A tab that separates and does not indent. */
function blankTab(text: string, { body }: Line, at: number): string | undefined {
  const tab = text.lastIndexOf("\t", at);
  return tab > body ? `${text.slice(0, tab)} ${text.slice(tab + 1)}` : undefined;
}

/** Whether a bracket stands right under the start of the entry that it closes. */
function isAligned(text: string, bracket: Line): boolean {
  const column = indentOf(bracket);
  let line = lineBefore(text, bracket);
  for (let open = 1; line !== undefined; line = lineBefore(text, line)) {
    open -= opened(withoutText(text, line));
    if (open <= 0) break;
  }
  if (line === undefined || indentOf(line) > column) return false;
  return /^(?:- +)*$/.test(text.slice(line.body, line.start + column));
}

function opened(line: string): number {
  return (line.match(/[[{]/g)?.length ?? 0) - (line.match(/[\]}]/g)?.length ?? 0);
}

/** The end of what stands before a line, without blanks and comments. */
function endOfContent(text: string, line: Line): number {
  const before = lineBefore(text, line);
  return before === undefined ? line.start : before.start + withoutText(text, before).trimEnd().length;
}

const quoted = /(?<=[[{,:\s])(?:"(?:[^"\\]|\\.)*"|'[^']*')/g;

/** A line without its comment, and with nothing but dashes for what is in quotes. */
function withoutText(text: string, { start, body }: Line): string {
  const line = text.slice(start, endOfLine(text, body));
  return line.replace(quoted, (all) => "-".repeat(all.length)).replace(/\s#.*/, "");
}

/** In a scalar the parser was right: there a line break and a tab are text. */
function requireOutside(text: string, relaxed: string, events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) continue;
    const { valueStart: start, valueEnd: end } = event;
    if (text.slice(start, end) === relaxed.slice(start, end)) continue;
    let at = start;
    while (text.charAt(at) === relaxed.charAt(at)) at++;
    while (isBreak(text.charCodeAt(at)) || text.charAt(at) === " ") at++;
    YAMLException.throwAt(text, at, deficient);
  }
}
