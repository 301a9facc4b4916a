import type { Span } from "../diagnostic.js";
import type { Format } from "../document/file-format.js";
import { skipLineBreak } from "../document/line-map.js";
import { endOfLine, endOfMatch, startOfLine } from "../document/scan-text.js";

/** Where in a pack somebody is typing. Found in the text alone, since a file that changes can rarely be read. */
export interface TypedPlace {
  /** The keys that lead there; `*` stands for an item of a list. */
  readonly path: readonly string[];
  /** A word on a line of its own may become a key or be a value. */
  readonly expects: "key" | "value" | "either";
  /** The key or value up to the cursor; in a text of several lines, only its last line. */
  readonly before: string;
  readonly word: Span;
  /** The quotation mark before the word. */
  readonly quote: string;
  /** The keys of the object around, with the text of their values. */
  readonly siblings: ReadonlyMap<string, string>;
  /** The unfinished part: without it, the rest of the file can usually be read. */
  readonly unfinished: Span;
}

export function typedPlaceAt(text: string, offset: number, format: Format): TypedPlace {
  const start = text.search(/\S/);
  const isFlow = format === "json" || text.charAt(start) === "{";
  return (isFlow ? flowPlace(text, start, offset, []) : undefined) ?? blockPlace(text, offset);
}

/** A key or a dash of block YAML. */
interface Level {
  readonly column: number;
  /** Undefined for a dash. */
  readonly key: string | undefined;
  /** The offset of its value. */
  readonly value: number;
}

/** No pack has a list in a list in a list. */
const maxDashes = 10;
const blanks = /[ \t]*/y;
const dash = /-(?:[ \t]+|(?=[\r\n]|$))/y;
const blockKey =
  /(?:"((?:[^"\\\r\n]|\\.)*)"|'((?:[^'\r\n]|'')*)'|([^\s"'{}[\],#][^:\r\n]*))[ \t]*:(?:[ \t]+|(?=[\r\n]|$))/y;

function levelsOf(text: string, start: number): readonly Level[] {
  const levels: Level[] = [];
  let at = endOfMatch(blanks, text, start) ?? start;
  while (levels.length < maxDashes) {
    const value = endOfMatch(dash, text, at);
    if (value === undefined) break;
    levels.push({ column: at - start, key: undefined, value });
    at = value;
  }
  blockKey.lastIndex = at;
  const [whole = "", double, single, plain] = blockKey.exec(text) ?? [];
  const key = double ?? single ?? plain?.trimEnd();
  return key === undefined ? levels : [...levels, { column: at - start, key, value: at + whole.length }];
}

function blockPlace(text: string, offset: number): TypedPlace {
  const start = startOfLine(text, offset);
  const own = levelsOf(text, start).filter(({ value }) => value <= offset && text[value - 1] !== ":");
  const inner = own.at(-1);
  const wordStart = Math.min(inner?.value ?? endOfMatch(blanks, text, start) ?? start, offset);
  const column = wordStart - start;
  const siblings = new Map<string, string>();
  const chain = [...own];
  let limit = own[0]?.column ?? column;
  for (let line = start; line > 0 && (limit > 0 || chain[0]?.key === undefined);) {
    line = startOfLine(text, line - 1);
    for (const level of levelsOf(text, line).toReversed()) {
      // A list may be indented as far as its key.
      const isOfList = level.column === limit && level.key !== undefined && chain[0]?.key === undefined;
      if (level.column < limit || (isOfList && chain.length > 0)) {
        chain.unshift(level);
        limit = level.column;
      } else if (chain.length === 0 && level.column === column) addSibling(text, level, siblings);
    }
  }
  for (const level of levelsBelow(text, offset, column)) addSibling(text, level, siblings);
  return (
    placeInValue(text, offset, chain) ?? {
      path: pathOf(chain),
      expects: inner?.key === undefined ? "either" : "value",
      ...wordAt(text, wordStart, offset),
      siblings,
      unfinished: isParent(text, start) ? { start, end: start } : { start, end: endOfLine(text, start) },
    }
  );
}

function pathOf(chain: readonly Level[]): readonly string[] {
  return chain.map(({ key }) => key ?? "*");
}

function addSibling(text: string, { key, value }: Level, siblings: Map<string, string>): void {
  if (key !== undefined) siblings.set(key, text.slice(value, endOfLine(text, value)).trim());
}

/** The keys below that are indented as far, up to the end of their object. */
function* levelsBelow(text: string, offset: number, column: number): Generator<Level> {
  for (const start of linesAfter(text, offset)) {
    const [level] = levelsOf(text, start);
    if (indentAt(text, start) < column || (level?.column === column && level.key === undefined)) return;
    if (level?.column === column) yield level;
  }
}

/** Whether the next line belongs to the entry that begins on this line. */
function isParent(text: string, start: number): boolean {
  for (const next of linesAfter(text, start)) return indentAt(text, next) > indentAt(text, start);
  return false;
}

/** The starts of the lines below that are not blank. */
function* linesAfter(text: string, offset: number): Generator<number> {
  for (let end = endOfLine(text, offset); end < text.length;) {
    const start = skipLineBreak(text, end);
    end = endOfLine(text, start);
    if (text.slice(start, end).trim() !== "") yield start;
  }
}

function indentAt(text: string, start: number): number {
  return (endOfMatch(blanks, text, start) ?? start) - start;
}

/** A place between brackets, or in a text of several lines, that a key or dash of the chain begins. */
function placeInValue(text: string, offset: number, chain: readonly Level[]): TypedPlace | undefined {
  const start = startOfLine(text, offset);
  for (const [index, { key, value }] of chain.entries()) {
    const path = pathOf(chain.slice(0, index + 1));
    const rest = text.slice(value, endOfLine(text, value)).trim();
    const flow = /^[{[]/.test(rest) ? flowPlace(text, value, offset, path) : undefined;
    if (flow !== undefined) return flow;
    const isText = key === undefined ? /^[|>]/.test(rest) : rest !== "" && !/^[#&!{[]/.test(rest);
    if (value >= start || !isText) continue;
    const word = wordAt(text, Math.min(start + indentAt(text, start), offset), offset);
    const unfinished = { start, end: endOfLine(text, start) };
    return { path, expects: "value", ...word, quote: "", siblings: new Map(), unfinished };
  }
  return undefined;
}

const restOfWord = /[\w.-]*/y;

function wordAt(text: string, from: number, offset: number): Pick<TypedPlace, "before" | "word" | "quote"> {
  const first = text.charAt(from);
  const quote = from < offset && (first === '"' || first === "'") ? first : "";
  const start = from + quote.length;
  const end = endOfMatch(restOfWord, text, offset) ?? offset;
  return { before: text.slice(start, offset), word: { start, end }, quote };
}

interface Frame {
  readonly isList: boolean;
  readonly entries: Map<string, string>;
  /** Set after its colon. */
  key: string | undefined;
  scalar: string;
  /** Where the current entry or item begins. */
  entryStart: number;
}

const flowToken =
  /"(?:[^"\\\r\n]|\\.)*"?|'(?:[^'\r\n]|'')*'?|#[^\r\n]*|[{}[\],:]|[^\s{}[\],:"'#](?:[^{}[\],:\r\n]|:(?=[^\s,{}[\]]))*/g;

/** The place in JSON or between brackets; undefined if they are closed before it. */
function flowPlace(
  text: string,
  start: number,
  offset: number,
  outer: readonly string[],
): TypedPlace | undefined {
  const frames: Frame[] = [];
  const placeIn = (frame: Frame, wordStart: number) => ({
    frame,
    entryStart: frame.entryStart,
    path: [...outer, ...frames.flatMap(({ isList, key }) => (isList ? "*" : (key ?? [])))],
    expects: frame.isList || frame.key !== undefined ? ("value" as const) : ("key" as const),
    ...wordAt(text, wordStart, offset),
    siblings: frame.entries,
  });
  let place: ReturnType<typeof placeIn> | undefined;
  let entryEnd: number | undefined;
  flowToken.lastIndex = start;
  for (const { 0: token, index } of text.matchAll(flowToken)) {
    const frame = frames.at(-1);
    const isScalar = !/^[{}[\],:#]/.test(token);
    if (frame !== undefined && index + (isScalar ? token.length : 0) >= offset)
      place ??= placeIn(frame, Math.min(index, offset));
    if (token === "{" || token === "[") {
      const isList = token === "[";
      frames.push({ isList, entries: new Map(), key: undefined, scalar: "", entryStart: index + 1 });
    } else if (frame === undefined) return undefined;
    else if (token === ":") {
      frame.key = frame.scalar;
      frame.entries.set(frame.key, "");
    } else if (isScalar) {
      frame.scalar = token.trim().replace(/^["']|["']$/g, "");
      if (frame.key !== undefined) frame.entries.set(frame.key, frame.scalar);
    } else if (!token.startsWith("#")) {
      if (frame === place?.frame) entryEnd ??= index + (token === "," ? 1 : 0);
      frame.key = undefined;
      frame.entryStart = index + 1;
      if (token !== "," && (frames.pop() === place?.frame || frames.length === 0)) break;
    }
  }
  const open = frames.at(-1);
  if (open !== undefined) place ??= placeIn(open, offset);
  return place && { ...place, unfinished: unfinishedEntry(text, offset, place.entryStart, entryEnd) };
}

/** The part of an entry that is on the line of the cursor; nothing if the line opens a bracket. */
function unfinishedEntry(text: string, offset: number, entryStart: number, entryEnd = text.length): Span {
  const start = Math.max(entryStart, startOfLine(text, offset));
  const end = Math.min(entryEnd, endOfLine(text, offset));
  return /[{[]\s*$/.test(text.slice(start, end)) ? { start, end: start } : { start, end };
}
