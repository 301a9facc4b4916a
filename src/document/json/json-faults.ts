import { printParseErrorCode, visit } from "jsonc-parser";
import type { Finding } from "../../diagnostic.js";
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

/** Thrown to leave the parser when enough was found. */
const stopParsing = new Error("enough");

/** All syntax errors that can be told apart, in their order. */
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
    // A RangeError is a stack that deep nesting exhausted: what was found until then is still true.
    if (error !== stopParsing && !(error instanceof RangeError)) throw error;
  }
  return list.faults();
}

class ProblemList {
  private readonly found = new Map<number, LocatedProblem>();
  private readonly brackets: OpenBrackets;
  private related: Fault["related"];
  /** After an error the parser stumbles over what follows; until it finds its feet again, it is not believed. */
  private isRecovering = false;
  /** A string that is not closed took brackets with it: no structure can be believed any more. */
  private lostBrackets = false;
  /** A bracket is missing, or the parser passed over one: from here on only what two marks tell is believed. */
  private isUnbalanced = false;
  private recoversAt = 0;
  private followUps = 0;
  private isAfterRoot = false;

  constructor(private readonly text: string) {
    this.brackets = new OpenBrackets(text);
  }

  add(code: string, offset: number, length: number): void {
    const isContained = singleTokenErrors.has(code);
    // A second one in a row is the end of a text on several lines: its quote opens nothing.
    if (code === "UnexpectedEndOfString")
      this.lostBrackets ||= this.isRecovering || unbalancesBrackets(this.text.slice(offset, offset + length));
    if (this.isRecovering && !isContained) {
      this.recoversAt = Math.max(this.recoversAt, offset + length);
      return this.countFollowUp();
    }
    const isRest = code === "InvalidSymbol" && this.isAfterRoot;
    const said = toProblem(this.text, isRest ? "EndOfFileExpected" : code, offset, length);
    const problem = findKeyProblem(this.text, said, this.brackets) ?? said;
    if (this.isUnbalanced && !isContained && problem.problem !== "trailing-comma")
      return this.countFollowUp();
    if (isUnbalancing(this.text, problem)) this.isUnbalanced = true;
    if (!isContained && problem.problem !== "trailing-comma") {
      this.isRecovering = true;
      // Behind half a pair of quotes what is a string and what is not are the wrong way round.
      this.recoversAt = isHalfQuoted(this.text, problem) ? endOfLine(this.text, offset) : offset + length;
    }
    // Behind another mistake the parser may have passed over brackets.
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

/** What the parser says, at the place where its author looks for it. */
export function toProblem(text: string, code: string, offset: number, length: number): LocatedProblem {
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

/** Where a comma would not help: a bracket that closes something else, or a colon behind what should be a value. */
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

export function lastNonSpaceBefore(text: string, offset: number): number {
  let before = offset - 1;
  while (/\s/.test(text.charAt(before))) before--;
  return before;
}

/** `{{name}}` is an object in an object to the parser, text to the author. */
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

/** A marker or a key that is a line of its own, below comments perhaps; not a word before JSON, or JSON without its brace. */
function looksLikeYaml(text: string): boolean {
  const start = /^(?:\s*#[^\n]*\n)*\s*(?:---\s|%YAML\s|[\w$.-]+:(?:[\r\n]|$|[ \t](?!.*,\s*(?:\n|[\w"$]+:))))/;
  return start.test(text) && !/^[ \t]*(?:\{(?!\{)|`)/m.test(text);
}

/** `01` and `0x1F` are a number and something after it to the parser, one wrong number to the author. */
function malformedNumber(text: string, offset: number): LocatedProblem | undefined {
  if (!/\w/.test(text.charAt(offset))) return undefined;
  let start = offset;
  while (start > 0 && /[-+.\w]/.test(text.charAt(start - 1))) start--;
  if (start === offset || !/[-+.0-9]/.test(text.charAt(start))) return undefined;
  return { problem: "number", start, end: endOfToken(text, start) };
}

/** What the parser stumbles over where a key lacks a quote, or stands in a list that was to end before it. */
export function findKeyProblem(
  text: string,
  said: LocatedProblem,
  brackets: OpenBrackets,
): LocatedProblem | undefined {
  const list = brackets.openList;
  if (list === undefined) return unopenedKey(text, said) ?? unclosedKey(text, said);
  if (said.problem !== "open-object" && said.problem !== "comma") return undefined;
  const end = endOfToken(text, said.start);
  if (text.charAt(said.start) !== '"' || !isBeforeColon(text, end)) return undefined;
  const isFurtherOut = brackets.extraIndent(list, said.start) <= 0;
  return isFurtherOut || followsPlainItem(text, said.start)
    ? { problem: "open-list", start: said.start, end }
    : undefined;
}

/** Whether only one of the two quotes of a key is there. */
export function isHalfQuoted(text: string, { problem, start, end }: LocatedProblem): boolean {
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

/** Whether what comes before in the list is neither an object nor the start of one that lacks its bracket. */
function followsPlainItem(text: string, key: number): boolean {
  let before = lastNonSpaceBefore(text, key);
  if (text.charAt(before) === ",") before = lastNonSpaceBefore(text, before);
  return !/[[{}]/.test(text.charAt(before));
}

/** A line longer than this tells nothing by its indentation. */
const maxLineLength = 400;

/** The brackets of a JSON text that are open, and the one that the author forgot to close, or closed twice. */
export class OpenBrackets {
  private readonly open: number[] = [];
  /** The first one that a bracket further out closed: as a rule its own is missing, and the text ends one short. */
  private suspect: number | undefined;
  /** The first one that something else than a bracket ended. */
  private unclosed: number | undefined;

  constructor(private readonly text: string) {}

  get depth(): number {
    return this.open.length;
  }

  /** Where the list starts that is open here; nothing in an object. */
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

  /** Columns by which what starts a line is indented deeper than the line of a bracket before it. */
  extraIndent(opening: number, offset: number): number {
    if (this.linePrefix(offset)?.trim() !== "") return NaN;
    return this.indentOf(offset) - this.indentOf(opening);
  }

  private indentOf(offset: number): number {
    return /^[ \t]*/.exec(this.linePrefix(offset) ?? "")?.[0].length ?? 0;
  }

  /** The one that is still open here; at the end of the text, the one that the indentation tells. */
  related(isEnd: boolean): Finding["related"] {
    const start = isEnd ? (this.suspect ?? this.unclosed) : this.open.at(-1);
    if (start === undefined) return undefined;
    const message = start === this.suspect ? "probably this one, judging by the indentation" : "opened here";
    return [{ at: { pointer: "", start, end: start + 1 }, message }];
  }

  /** What stands before an offset on its line, unless that is very much. */
  private linePrefix(offset: number): string | undefined {
    const before = this.text.slice(Math.max(offset - maxLineLength, 0), offset);
    const start = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
    return start === 0 && offset > maxLineLength ? undefined : before.slice(start);
  }
}
