import { printParseErrorCode, visit } from "jsonc-parser";
import type { Note } from "../../diagnostic.js";
import type { Fault } from "../document.js";
import { maxFaults } from "../fault.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { unicodeSpaces } from "../typos.js";
import {
  endOfToken,
  findStringProblem,
  jsonFault,
  type JsonProblem,
  type LocatedProblem,
} from "./json-problems.js";

/** After this many errors that follow from others the text is not JSON at all. */
const maxFollowUpErrors = 10_000;

/** Thrown to leave the parser once enough problems are found. */
const stopParsing = new Error("enough");

/** The syntax errors that do not follow from others, in text order. */
export function findJsonFaults(text: string): Fault[] {
  const list = new ProblemList(text);
  try {
    visit(
      text,
      {
        onError: (code, offset, length) => list.add(printParseErrorCode(code), offset, length),
        onObjectBegin: (offset) => list.enter(offset),
        onObjectEnd: (offset) => list.leave(offset),
        onObjectProperty: (_, offset) => list.resume(offset),
        onArrayBegin: (offset) => list.enter(offset),
        onArrayEnd: (offset) => list.leave(offset),
        onLiteralValue: (_, offset) => list.resume(offset),
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    // Deep nesting exhausts the stack with a RangeError; the problems found before are still valid.
    if (error !== stopParsing && !(error instanceof RangeError)) throw error;
  }
  return list.faults();
}

class ProblemList {
  private readonly found = new Map<number, LocatedProblem>();
  private readonly brackets: OpenBrackets;
  private related: Fault["related"];
  /** Errors are ignored until the parser has recovered from the previous one. */
  private isRecovering = false;
  /** An unclosed string swallowed brackets, so the parser cannot recover. */
  private lostBrackets = false;
  /** A bracket is missing or was skipped: from here on, only errors within one token and extra commas are reported. */
  private isUnbalanced = false;
  private recoversAt = 0;
  private followUps = 0;
  private isAfterRoot = false;

  constructor(private readonly text: string) {
    this.brackets = new OpenBrackets(text);
  }

  add(code: string, offset: number, length: number): void {
    const isContained = singleTokenErrors.has(code);
    // A second one in a row is the closing quote of a text on several lines.
    if (code === "UnexpectedEndOfString")
      this.lostBrackets ||= this.isRecovering || unbalancesBrackets(this.text.slice(offset, offset + length));
    if (this.isRecovering && !isContained) {
      this.recoversAt = Math.max(this.recoversAt, offset + length);
      return this.countFollowUp();
    }
    const isRest = code === "InvalidSymbol" && this.isAfterRoot;
    const reported = toProblem(this.text, isRest ? "EndOfFileExpected" : code, offset, length);
    const problem = findKeyProblem(this.text, reported, this.brackets) ?? reported;
    if (this.isUnbalanced && !isContained && problem.problem !== "trailing-comma")
      return this.countFollowUp();
    if (isUnbalancing(this.text, problem)) this.isUnbalanced = true;
    if (!isContained && problem.problem !== "trailing-comma") {
      this.isRecovering = true;
      // After a single quote, strings and the text between them are swapped up to the end of the line.
      this.recoversAt = isHalfQuoted(this.text, problem) ? endOfLine(this.text, offset) : offset + length;
    }
    // After an earlier error, the parser may have skipped brackets.
    if (this.found.size === 0) this.related = this.relatedTo(problem);
    if (!this.found.has(problem.start)) this.found.set(problem.start, problem);
    if (this.found.size >= maxFaults || problem.problem === "yaml") throw stopParsing;
  }

  private relatedTo({ problem }: LocatedProblem): Fault["related"] {
    if (problem === "other-bracket" || problem === "open-list") return this.brackets.related(false);
    return problem === "close-object" || problem === "close-array" ? this.brackets.related(true) : undefined;
  }

  private countFollowUp(): void {
    if (++this.followUps > maxFollowUpErrors) throw stopParsing;
  }

  enter(offset: number): void {
    this.resume(offset);
    this.brackets.enter(offset);
  }

  leave(offset: number): void {
    this.brackets.leave(offset);
    this.isAfterRoot = this.brackets.depth === 0;
  }

  resume(offset: number): void {
    if (offset >= this.recoversAt && !this.lostBrackets) this.isRecovering = false;
  }

  faults(): Fault[] {
    const [first] = this.found.values();
    const problems = [...this.found.values()].sort((a, b) => a.start - b.start);
    return problems.map((found) => {
      const fault = jsonFault(this.text, found);
      return found === first ? { ...fault, related: this.related } : fault;
    });
  }
}

function unbalancesBrackets(swallowed: string): boolean {
  const count = (mark: string): number => swallowed.split(mark).length;
  return count("{") !== count("}") || count("[") !== count("]");
}

function isUnbalancing(text: string, { problem, end }: LocatedProblem): boolean {
  const isKeyOfCollection = () => /^\s{0,40}:\s{0,40}[[{]/.test(text.slice(end, end + 82));
  return unbalancingProblems.has(problem) || (problem === "key" && isKeyOfCollection());
}

const unbalancingProblems: ReadonlySet<JsonProblem> = new Set([
  "open-list",
  "open-object",
  "other-bracket",
  "template",
]);

/** Errors inside one token, which leave the rest of the text as it was. */
const singleTokenErrors: ReadonlySet<string> = new Set([
  "InvalidCommentToken",
  "InvalidUnicode",
  "InvalidEscapeCharacter",
  "InvalidCharacter",
]);

/** The problem behind a parser error, at the place where the author will look for it. */
function toProblem(text: string, code: string, offset: number, length: number): LocatedProblem {
  const end = length > 0 ? offset + length : offset;
  const at = (problem: JsonProblem): LocatedProblem => ({ problem, start: offset, end });
  switch (code) {
    case "InvalidCommentToken":
    case "UnexpectedEndOfComment":
      return at("comment");
    case "InvalidUnicode":
    case "InvalidEscapeCharacter":
    case "InvalidCharacter":
    case "UnexpectedEndOfString":
      return findStringProblem(text, offset) ?? at("symbol");
    case "PropertyNameExpected":
      return trailingComma(text, offset) ?? unquotedTemplate(text, offset) ?? at("key");
    case "ValueExpected":
      return text.trim() === "" ? at("empty") : (trailingComma(text, offset) ?? at("value"));
    case "ColonExpected":
      return at("colon");
    case "CommaExpected":
      return malformedNumber(text, offset) ?? missingBracket(text, offset) ?? at("comma");
    case "CloseBraceExpected":
      return at("close-object");
    case "CloseBracketExpected":
      return at("close-array");
    case "EndOfFileExpected":
      return at("rest");
    case "InvalidNumberFormat":
    case "UnexpectedEndOfNumber":
      return at("number");
    default:
      return classifyWord(text, offset);
  }
}

/** A missing bracket rather than a missing comma: before a bracket of the other kind, or before a key. */
function missingBracket(text: string, offset: number): LocatedProblem | undefined {
  const mark = text.charAt(offset);
  if (mark === "}" || mark === "]") return { problem: "other-bracket", start: offset, end: offset + 1 };
  if (mark !== ":") return undefined;
  const closing = lastNonSpaceBefore(text, offset);
  if (text.charAt(closing) !== '"') return undefined;
  return { problem: "open-object", start: openingQuote(text, closing), end: closing + 1 };
}

/** The start of the string that the parser has read up to this quote. */
function openingQuote(text: string, closing: number): number {
  let quote = closing;
  do quote = text.lastIndexOf('"', quote - 1);
  while (isEscaped(text, quote));
  return quote;
}

/** Whether an odd number of backslashes precedes the offset. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 92) first--;
  return (at - first) % 2 === 1;
}

function trailingComma(text: string, offset: number): LocatedProblem | undefined {
  if (!/[}\]]/.test(text.charAt(offset))) return undefined;
  const before = lastNonSpaceBefore(text, offset);
  return text.charAt(before) === ","
    ? { problem: "trailing-comma", start: before, end: before + 1 }
    : undefined;
}

function lastNonSpaceBefore(text: string, offset: number): number {
  let before = offset - 1;
  while (/\s/.test(text.charAt(before))) before--;
  return before;
}

/** The parser reads `{{name}}` as an object in an object. */
function unquotedTemplate(text: string, offset: number): LocatedProblem | undefined {
  const isTemplate = text.startsWith("{{", offset - 1);
  return isTemplate ? { problem: "template", start: offset - 1, end: offset + 1 } : undefined;
}

const unicodeSpaceRun = new RegExp(`[${unicodeSpaces}\\u200b\\ufeff]+`, "y");

function classifyWord(text: string, offset: number): LocatedProblem {
  const end = endOfToken(text, offset);
  const word = (problem: JsonProblem): LocatedProblem => ({ problem, start: offset, end });
  const endOfSpaces = endOfMatch(unicodeSpaceRun, text, offset);
  if (endOfSpaces !== undefined) return { problem: "space", start: offset, end: endOfSpaces };
  const mark = text.charAt(offset);
  const before = lastNonSpaceBefore(text, offset);
  if (before < 0) return word(looksLikeYaml(text) ? "yaml" : "start");
  if (mark === "#") return { problem: "comment", start: offset, end: endOfLine(text, offset) };
  if (/^\s*:/.test(text.slice(end, end + 40))) return word("key");
  if (text.charAt(before) === '"') {
    if (mark === "=") return word("colon");
    if (before === offset - 1 && /[\p{L}\p{N}]/u.test(mark)) return word("early-end");
  }
  if (/^[-+.]*[0-9]/.test(text.slice(offset, offset + 40))) return word("number");
  return malformedNumber(text, offset) ?? word("symbol");
}

/** Starts with a YAML marker or key, and contains no line of JSON or Markdown. */
function looksLikeYaml(text: string): boolean {
  const start = /^(?:\s*#[^\n]*\n)*\s*(?:---\s|%YAML\s|[\w$.-]+:(?:[\r\n]|$|[ \t](?!.*,\s*(?:\n|[\w"$]+:))))/;
  return start.test(text) && !/^[ \t]*(?:\{(?!\{)|`)/m.test(text);
}

/** The parser splits `01` and `0x1F` into a number and something after it. */
function malformedNumber(text: string, offset: number): LocatedProblem | undefined {
  if (!/\w/.test(text.charAt(offset))) return undefined;
  let start = offset;
  while (start > 0 && /[-+.\w]/.test(text.charAt(start - 1))) start--;
  if (start === offset || !/[-+.0-9]/.test(text.charAt(start))) return undefined;
  return { problem: "number", start, end: endOfToken(text, start) };
}

/** The real problem if a key lacks a quote, or is in a list that should have ended before it. */
function findKeyProblem(
  text: string,
  reported: LocatedProblem,
  brackets: OpenBrackets,
): LocatedProblem | undefined {
  const list = brackets.openList;
  if (list === undefined) return unopenedKey(text, reported) ?? unclosedKey(text, reported);
  const { problem, start } = reported;
  if (problem !== "open-object" && problem !== "comma") return undefined;
  const end = endOfToken(text, start);
  if (text.charAt(start) !== '"' || !isBeforeColon(text, end)) return undefined;
  const isOutdented = brackets.extraIndent(list, start) <= 0;
  return isOutdented || followsPlainItem(text, start) ? { problem: "open-list", start, end } : undefined;
}

/** Whether a key has only one of its two quotes. */
function isHalfQuoted(text: string, { problem, start, end }: LocatedProblem): boolean {
  return (
    problem === "key-end" || (problem === "key" && text.charAt(start) !== '"' && text.charAt(end - 1) === '"')
  );
}

/** `name": 1` */
function unopenedKey(text: string, { problem, start, end }: LocatedProblem): LocatedProblem | undefined {
  if (problem !== "symbol" || !startsEntry(text, start)) return undefined;
  if (text.charAt(end) !== '"' || !isBeforeColon(text, end + 1)) return undefined;
  return { problem: "key", start, end: end + 1 };
}

/** `"name: "text"`: the string ends where the value should start. */
function unclosedKey(text: string, { problem, start }: LocatedProblem): LocatedProblem | undefined {
  if (problem !== "early-end") return undefined;
  const quote = openingQuote(text, start - 1);
  if (!startsEntry(text, quote)) return undefined;
  const name = /^"[\w$-]+(?=:[ \t]*[[{]?[ \t]*"$)/.exec(text.slice(quote, start))?.[0];
  return name === undefined ? undefined : { problem: "key-end", start: quote, end: quote + name.length };
}

function startsEntry(text: string, at: number): boolean {
  return /[{,]/.test(text.charAt(lastNonSpaceBefore(text, at)));
}

function isBeforeColon(text: string, end: number): boolean {
  return /^\s*:/.test(text.slice(end, end + 40));
}

/** Whether the list item before is neither an object nor the start of one. */
function followsPlainItem(text: string, key: number): boolean {
  let before = lastNonSpaceBefore(text, key);
  if (text.charAt(before) === ",") before = lastNonSpaceBefore(text, before);
  return !/[[{}]/.test(text.charAt(before));
}

/** The indentation of a longer line is ignored. */
const maxLineLength = 400;

/** The open brackets of a JSON text, and the one that is probably not closed. */
class OpenBrackets {
  private readonly open: number[] = [];
  /** The first one whose closing bracket is indented less than its own line: that probably closes another one. */
  private suspect: number | undefined;
  /** The first one that ended without a closing bracket. */
  private unclosed: number | undefined;

  constructor(private readonly text: string) {}

  get depth(): number {
    return this.open.length;
  }

  /** The start of the innermost collection, if it is a list. */
  get openList(): number | undefined {
    const start = this.open.at(-1);
    return start !== undefined && this.text.charAt(start) === "[" ? start : undefined;
  }

  enter(offset: number): void {
    this.open.push(offset);
  }

  leave(offset: number): void {
    const opening = this.open.pop();
    if (opening === undefined) return;
    if (!/[\]}]/.test(this.text.charAt(offset))) {
      this.unclosed ??= opening;
      return;
    }
    if (this.extraIndent(opening, offset) < 0) this.suspect ??= opening;
  }

  /** Columns by which the line that starts at `offset` is indented deeper than that of a bracket; NaN within a line. */
  extraIndent(opening: number, offset: number): number {
    if (this.linePrefix(offset)?.trim() !== "") return NaN;
    return this.indentOf(offset) - this.indentOf(opening);
  }

  private indentOf(offset: number): number {
    return /^[ \t]*/.exec(this.linePrefix(offset) ?? "")?.[0].length ?? 0;
  }

  /** The innermost open bracket, or at the end of the text the one that is probably not closed. */
  related(isEnd: boolean): readonly Note[] | undefined {
    const start = isEnd ? (this.suspect ?? this.unclosed) : this.open.at(-1);
    if (start === undefined) return undefined;
    const message = start === this.suspect ? "probably this one, judging by the indentation" : "opened here";
    return [{ at: { pointer: "", start, end: start + 1 }, message }];
  }

  /** The text before an offset on its line, unless that is too long. */
  private linePrefix(offset: number): string | undefined {
    const before = this.text.slice(Math.max(offset - maxLineLength, 0), offset);
    const start = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
    return start === 0 && offset > maxLineLength ? undefined : before.slice(start);
  }
}
