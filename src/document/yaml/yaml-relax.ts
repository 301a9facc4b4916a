import { EVENT_ID, parseEvents, YAMLException, type Event } from "js-yaml";
import type { Span } from "../node.js";
import { isBreak } from "../spell-flow.js";
import { isUnder, outOfPlace, outsideScalars, withoutText } from "./yaml-out-of-place.js";
import { lineAt, lineBefore, type Line } from "./yaml-sections.js";

/** Characters read again in all, where brackets must be looked at one by one; with more of them a file is refused. */
const maxReread = 4 * 1024 * 1024;

/**
 * The parser wants a closing bracket indented further than the key of its collection, and no tab before a bracket.
 * Others, libyaml among them, do not. Where it refuses only that, blanks take the place of the line break or the tab,
 * one for one, so that every offset stays.
 */
export function parseRelaxed(text: string, maxDepth: () => number): Event[] {
  const outcome = tryParse(text, maxDepth());
  if (!(outcome instanceof YAMLException)) return outcome;
  if (outcome.reason !== deficient) throw outcome;
  return parseAtOnce(text, maxDepth) ?? parseOneByOne(text, maxDepth);
}

/** All brackets at once that look like it, and once more without those that were text. Nothing where that does not do. */
function parseAtOnce(text: string, maxDepth: () => number): Event[] | undefined {
  if (text.length > maxReread) return undefined;
  let parts = outOfPlace(text);
  for (let tries = 0; tries < 2 && parts.length > 0; tries++) {
    const outcome = tryParse(blanked(text, parts), maxDepth());
    if (outcome instanceof YAMLException) return undefined;
    const outside = outsideScalars(parts, outcome);
    if (outside.length === parts.length) return outcome;
    parts = outside;
  }
  return undefined;
}

function blanked(text: string, parts: readonly Span[]): string {
  let at = 0;
  let result = "";
  for (const { start, end } of parts) {
    result += text.slice(at, start) + " ".repeat(end - start);
    at = end;
  }
  return result + text.slice(at);
}

function parseOneByOne(text: string, maxDepth: () => number): Event[] {
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

function isAligned(text: string, bracket: Line): boolean {
  let line = lineBefore(text, bracket);
  for (let open = 1; line !== undefined; line = lineBefore(text, line)) {
    open -= opened(withoutText(text, line));
    if (open <= 0) break;
  }
  return line !== undefined && isUnder(text, line, bracket);
}

function opened(line: string): number {
  return (line.match(/[[{]/g)?.length ?? 0) - (line.match(/[\]}]/g)?.length ?? 0);
}

/** The end of what stands before a line, without blanks and comments. */
function endOfContent(text: string, line: Line): number {
  const before = lineBefore(text, line);
  return before === undefined ? line.start : before.start + withoutText(text, before).trimEnd().length;
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
