import {
  type Event,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from "js-yaml";
import { type Comment, type Fault, faultAt, maxFaults, ParseError, quoteSource } from "../document.js";
import type { ScalarStyle, ScalarValue, Span } from "../node.js";
import {
  blankOut,
  commentsBetween,
  endOfLine,
  indentOf,
  type Line,
  lowerBound,
  nextLine,
} from "../scan-text.js";

/** A longer text is not parsed a second time. */
const maxReparseLength = 4 * 1024 * 1024;

/** Unlike libyaml, this parser rejects some line breaks and tabs; replacing each by a space keeps offsets. */
export function parseLeniently(text: string, maxDepth: () => number): Event[] | YAMLException {
  const outcome = tryParse(text, maxDepth());
  if (!(outcome instanceof YAMLException)) return outcome;
  if (outcome.reason !== "deficient indentation" || text.length > maxReparseLength) return outcome;
  // First all that look like it, then without those that turned out to be text.
  let parts = findRelaxableSpans(text);
  for (let tries = 0; tries < 2 && parts.length > 0; tries++) {
    const relaxed = tryParse(blankOut(text, parts), maxDepth());
    if (relaxed instanceof YAMLException) return relaxed;
    const outside = outsideScalars(parts, relaxed);
    if (outside.length === parts.length) return relaxed;
    parts = outside;
  }
  return outcome;
}

function tryParse(text: string, maxDepth: number): Event[] | YAMLException {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    if (error instanceof YAMLException) return error;
    throw error;
  }
}

const maxEntryDepth = 100;

/** Uses the fast parser, since most entries of a broken file are valid. */
export function parseIfValid(text: string): readonly Event[] | undefined {
  const outcome = parseLeniently(text, () => maxEntryDepth);
  return outcome instanceof YAMLException ? undefined : outcome;
}

/** Line breaks before closing brackets that are not indented further than their key, and tabs between tokens. */
function findRelaxableSpans(text: string): Span[] {
  const parts: Span[] = [];
  /** The line of each open bracket. Brackets in text may add some, but only above those that matter. */
  const open: Line[] = [];
  let endOfContent = 0;
  for (let line = nextLine(text, 0, text.length); line; line = nextLine(text, line.end, text.length)) {
    const code = maskQuotesAndComment(text, line);
    const opener = /[\]}]/.test(text.charAt(line.body)) ? open.at(-1) : undefined;
    if (opener && isAlignedWithOpener(text, opener, line))
      parts.push({ start: endOfContent, end: line.body });
    for (const tabs of tabsBetweenTokens(code, line)) parts.push(tabs);
    for (const [bracket] of code.matchAll(/[[\]{}]/g)) {
      if (bracket === "[" || bracket === "{") open.push(line);
      else open.pop();
    }
    endOfContent = line.start + code.trimEnd().length;
  }
  return parts;
}

/** Whether a bracket at the start of a line is in the column of the entry that it closes. */
function isAlignedWithOpener(text: string, opener: Line, bracket: Line): boolean {
  const column = indentOf(bracket);
  return indentOf(opener) <= column && /^(?:- +)*$/.test(text.slice(opener.body, opener.start + column));
}

function* tabsBetweenTokens(code: string, { start, body }: Line): Iterable<Span> {
  for (const { 0: blanks, index } of code.matchAll(/[ \t]+/g)) {
    const end = index + blanks.length;
    if (start + index > body && blanks.includes("\t")) yield { start: start + index, end: start + end };
  }
}

const quotedScalar = /(?<=[[{,:\s])(?:"(?:[^"\\]|\\.)*"|'[^']*')/g;

export function maskQuotesAndComment(text: string, { start, body }: Line): string {
  const line = text.slice(start, endOfLine(text, body));
  return line.replace(quotedScalar, (all) => "-".repeat(all.length)).replace(/\s#.*/, "");
}

/** The parts outside every scalar; parts and events are in text order. */
function outsideScalars(parts: readonly Span[], events: readonly Event[]): Span[] {
  const scalars = events.flatMap((event) =>
    event.type === EVENT_ID.SCALAR && event.valueStart >= 0 ? event : [],
  );
  return parts.filter(({ start, end }) => {
    const next = scalars[lowerBound(scalars, start + 1, ({ valueEnd }) => valueEnd)];
    return next === undefined || next.valueStart >= end;
  });
}

export const scalarStyles: Readonly<Record<ScalarEvent["style"], ScalarStyle>> = {
  [SCALAR_STYLE.PLAIN]: "plain",
  [SCALAR_STYLE.SINGLE_QUOTED]: "single",
  [SCALAR_STYLE.DOUBLE_QUOTED]: "double",
  [SCALAR_STYLE.LITERAL_BLOCK]: "literal",
  [SCALAR_STYLE.FOLDED_BLOCK]: "folded",
};

export function scalarText(text: string, event: ScalarEvent): string {
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast) checkEscapes(text, event);
  return getScalarValue(text, event);
}

const escapes = /\\(?:U([0-9a-fA-F]{8})|[\s\S])/g;

/** The parser accepts escapes above the last code point. */
function checkEscapes(text: string, event: ScalarEvent): void {
  for (const match of text.slice(event.valueStart, event.valueEnd).matchAll(escapes)) {
    const digits = match[1];
    if (digits === undefined || Number.parseInt(digits, 16) <= 0x10ffff) continue;
    const start = event.valueStart + match.index;
    const message = `${quoteSource(match[0])} is not a character of Unicode.`;
    throw ParseError.syntaxErrorAt({ start, end: start + match[0].length }, message);
  }
}

/** The value of a scalar in the core schema of YAML 1.2. A tag that its text does not fit is ignored. */
export function resolveScalar(characters: string, isPlain: boolean, tag = ""): ScalarValue {
  const type = typesByTag.get(tag);
  if (type === undefined) return isPlain ? resolvePlain(characters) : characters;
  const value = resolvePlain(characters);
  return (value === null ? "null" : typeof value) === type ? value : characters;
}

const typesByTag: ReadonlyMap<string, string> = new Map([
  ["str", "string"],
  ["!", "string"],
  ["null", "null"],
  ["bool", "boolean"],
  ["int", "number"],
  ["float", "number"],
]);

function resolvePlain(characters: string): ScalarValue {
  if (!/^[-+.0-9~nNtTfF]|^$/.test(characters)) return characters;
  const word = wordValues.get(characters);
  if (word !== undefined) return word;
  const value = number.test(characters) ? Number(characters) : NaN;
  // A number that is too large stays text, as it is written.
  return Number.isFinite(value) ? value : characters;
}

const number = /^(?:[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|0(?:o[0-7]+|x[0-9a-fA-F]+))$/;

const wordValues: ReadonlyMap<string, ScalarValue> = new Map([
  ...all(null, "", "~", "null", "Null", "NULL"),
  ...all(true, "true", "True", "TRUE"),
  ...all(false, "false", "False", "FALSE"),
  ...all(NaN, ".nan", ".NaN", ".NAN"),
  ...all(Infinity, ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"),
  ...all(-Infinity, "-.inf", "-.Inf", "-.INF"),
]);

function all(value: ScalarValue, ...words: readonly string[]): [string, ScalarValue][] {
  return words.map((word) => [word, value]);
}

const coreTag = /^!(?:!|<tag:yaml\.org,2002:)(str|null|bool|int|float|merge)>?$/;

export function coreTagName(text: string, event: ScalarEvent): string | undefined {
  if (event.tagStart < 0) return undefined;
  const raw = text.slice(event.tagStart, event.tagEnd);
  return raw === "!" ? raw : coreTag.exec(raw)?.[1];
}

/** `!Never tell`: unless the file declares tags, an unknown tag is probably the first word of a text. */
export function findUnknownTags(text: string, events: readonly Event[]): Fault[] {
  const faults: Fault[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT && event.directives.some(({ kind }) => kind === "tag")) break;
    if (event.type !== EVENT_ID.SCALAR || event.tagStart < 0) continue;
    const { tagStart: start, tagEnd: end } = event;
    const tag = text.slice(start, end);
    if (scalarStyles[event.style] !== "plain" || !/^![^!<]/.test(tag)) continue;
    const message = `The tag ${quoteSource(tag)} is not known; remove it, or put text that starts with "!" in quotes.`;
    if (faults.push(faultAt(start, end, message)) === maxFaults) break;
  }
  return faults;
}

export function* findComments(text: string, events: readonly Event[]): Iterable<Comment> {
  let at = 0;
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) continue;
    const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
    yield* commentsBetween(text, at, event.valueStart);
    at = isQuoted ? event.valueEnd + 1 : event.valueEnd;
  }
  yield* commentsBetween(text, at, text.length);
}
