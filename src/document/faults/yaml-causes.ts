import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { shown } from "../shown.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { findGluedSpace } from "../strange-space.js";
import {
  indentOf,
  isBareKey,
  lineAbove,
  lineAt,
  lineBefore,
  nextLine,
  type Line,
} from "../yaml/yaml-sections.js";
import { isItem, peerBefore } from "./yaml-list-items.js";
import { missingBlock } from "./yaml-unfinished-key.js";
import { missingColon } from "../yaml/yaml-misread-keys.js";
import { strangeSpaceIn } from "../yaml/yaml-strange-space.js";
import { tabMessage } from "../yaml/yaml-words.js";

/** What the parser stumbles over is often not what the author did: the mark that misled it, where one is to be seen. */
export function causeOf(text: string, fault: Fault): Fault {
  const line = lineAt(text, fault.start);
  const above = lineAbove(text, line);
  return (
    tabIn(text, line) ??
    strangeSpaceIn(text, line) ??
    markIn(text, line) ??
    gluedDashBefore(text, line) ??
    missingColonIn(text, line) ??
    (above && (strangeSpaceIn(text, above) ?? markIn(text, above))) ??
    (above && missingBlock(text, above)) ??
    unquotedIn(text, line, fault) ??
    (above && templateIn(text, above, fault)) ??
    templateUnderKey(text, fault) ??
    fault
  );
}

/** A mark at the start of a line that does not mean what it looks like. */
function markIn(text: string, line: Line): Fault | undefined {
  return gluedDashIn(text, line) ?? gluedSpaceIn(text, line) ?? bulletIn(text, line);
}

function tabIn(text: string, { body }: Line): Fault | undefined {
  return text.charAt(body) === "\t" ? faultAt(body, body + 1, tabMessage) : undefined;
}

function gluedSpaceIn(text: string, { body }: Line): Fault | undefined {
  const found = findGluedSpace(text, body);
  return found && faultAt(found.at, found.at + 1, found.message);
}

function bulletIn(text: string, { body }: Line): Fault | undefined {
  if (!/^[\u2022\u2013\u2014\u25cf] /.test(text.slice(body, body + 2))) return undefined;
  const bullet = shown(text.charAt(body));
  return faultAt(body, body + 1, `${bullet} does not start a list entry in YAML; write "-".`);
}

const gluedDash = /-[\p{L}_"'][^:#\r\n]*:(?=\s|$)/uy;

function gluedDashIn(text: string, { body }: Line): Fault | undefined {
  if (endOfMatch(gluedDash, text, body) === undefined) return undefined;
  const entry = shown(text.slice(body, endOfLine(text, body)).trimEnd());
  return faultAt(body, body + 1, `${entry} is not a list entry; put a space after "-".`);
}

/** To the parser that is a key, and the item after it stands among keys. */
function gluedDashBefore(text: string, line: Line): Fault | undefined {
  const peer = isItem(text, line) ? peerBefore(text, line) : undefined;
  return peer && gluedDashIn(text, peer);
}

function missingColonIn(text: string, { body }: Line): Fault | undefined {
  return missingColon(text, endOfMatch(dashes, text, body) ?? body);
}

const dashes = /(?:- +)*/y;

// A quote after a backslash opens nothing, and a name has an end: else each of them would be sought to the end of the line.
const quoted = /(?<!\\)"(?:[^"\\]|\\.)*"|'[^']*'/g;
const unquoted =
  /(?:[:,-]\s+|[[{]\s*)(\{\{|[\u2018-\u201f]|\*(?=\S{0,200}\s+[^\s#])|[[{](?=[^[\]{},:]*[\]}]\s*[^\s#,\]}:]))/u;

/** Text that starts before the fault with a mark which needs quotes, or with quotes that are none. */
function unquotedIn(text: string, { body }: Line, fault: Fault): Fault | undefined {
  const line = text.slice(body, endOfLine(text, body)).replace(quoted, (all) => "-".repeat(all.length));
  const match = unquoted.exec(line);
  if (match === null) return undefined;
  const [whole, mark = ""] = match;
  const start = body + match.index + whole.length - mark.length;
  if (start > fault.start) return undefined;
  const message = /[\u2018-\u201f]/.test(mark)
    ? `${shown(mark)} is not a quote in YAML; use straight quotes.`
    : `Text cannot start with ${shown(mark)} unless it is in quotes.`;
  return faultAt(start, start + mark.length, message);
}

/** A template without quotes whose text goes on below it; under lines further in, it may be text that lost its indentation. */
function templateIn(text: string, above: Line, fault: Fault): Fault | undefined {
  const before = lineBefore(text, above);
  if (before !== undefined && indentOf(before) > indentOf(above)) return undefined;
  const cause = unquotedIn(text, above, fault);
  return cause !== undefined && text.startsWith("{{", cause.start) ? cause : undefined;
}

/** A template that starts the lines under a key which lacks the "|" for text on several of them. */
function templateUnderKey(text: string, fault: Fault): Fault | undefined {
  const line = nextLine(text, lineAt(text, fault.start).start, text.length);
  const above = line && lineAbove(text, line);
  const key = above && startsTemplate(text, above) ? lineAbove(text, above) : above;
  if (key === undefined || !isBareKey(text, key)) return undefined;
  const first = nextLine(text, key.end, text.length);
  if (first === undefined || !startsTemplate(text, first)) return undefined;
  return faultAt(first.body, first.body + 2, templateWithoutBlock);
}

const templateWithoutBlock = 'Text cannot start with "{{" unless it is in quotes, or in a block after "|".';

function startsTemplate(text: string, { body }: Line): boolean {
  return text.startsWith("{{", body);
}
