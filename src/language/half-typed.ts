import type { Span } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Format } from "../document/file-format.js";
import {
  blankOut,
  endOfLine,
  endOfMatch,
  indentOf,
  type Line,
  lineAt,
  nextLine,
  previousLine,
  startOfLine,
} from "../document/scan-text.js";

/**
 * Where in a pack somebody is typing. Found in the text alone, since a file that changes can rarely be read, and mostly in
 * the lines above that are indented less. The tolerant parser of `yaml` takes 50 times as long, as it needs the whole text:
 * 0.1 s for each key at 100 kB, 0.7 s at 1 MB. Deep nesting exhausts its stack.
 */
export interface TypedPlace {
  /** The keys that lead there; `*` stands for an item of a list. */
  readonly path: readonly string[];
  /** A word on a line of its own may become a key or be a value. */
  readonly expects: "key" | "value" | "either";
  /** The key or value up to the cursor; in a text of several lines, only its last line. */
  readonly before: string;
  readonly word: Span;
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

/** Also after tabs, which brackets may contain. */
function bodyOf(text: string, { body }: Line): number {
  return endOfMatch(blanks, text, body) ?? body;
}

function levelsOf(text: string, line: Line): readonly Level[] {
  const { start } = line;
  const levels: Level[] = [];
  let at = bodyOf(text, line);
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
  const line = lineAt(text, offset);
  const next = nextLine(text, line.end, text.length);
  const own = levelsOf(text, line).filter(({ value }) => value <= offset && text[value - 1] !== ":");
  const inner = own.at(-1);
  const wordStart = Math.min(inner?.value ?? bodyOf(text, line), offset);
  const column = wordStart - line.start;
  const siblings = new Map<string, string>();
  const addSibling = ({ key, value }: Level) => {
    if (key !== undefined) siblings.set(key, restOfLine(text, value));
  };
  const chain = [...own];
  let limit = own[0]?.column ?? column;
  let above = previousLine(text, line);
  for (; above && (limit > 0 || chain[0]?.key === undefined); above = previousLine(text, above)) {
    for (const level of levelsOf(text, above).toReversed()) {
      // A list may be indented as far as its key.
      const isOfList = level.column === limit && level.key !== undefined && chain[0]?.key === undefined;
      if (level.column < limit || (isOfList && chain.length > 0)) {
        chain.unshift(level);
        limit = level.column;
      } else if (chain.length === 0 && level.column === column) addSibling(level);
    }
  }
  for (let below = next; below && indentOf(below) >= column; below = nextLine(text, below.end, text.length)) {
    const [level] = levelsOf(text, below);
    if (level?.column !== column) continue;
    if (level.key === undefined) break;
    addSibling(level);
  }
  // Without its key, the block below could not be read.
  const isParent = next !== undefined && indentOf(next) > indentOf(line);
  return (
    placeInValue(text, offset, line, chain) ?? {
      path: pathOf(chain),
      expects: inner?.key === undefined ? "either" : "value",
      ...wordAt(text, wordStart, offset),
      siblings,
      unfinished: { start: line.start, end: isParent ? line.start : endOfLine(text, line.start) },
    }
  );
}

function restOfLine(text: string, start: number): string {
  return text.slice(start, endOfLine(text, start)).trim();
}

function pathOf(chain: readonly Level[]): readonly string[] {
  return chain.map(({ key }) => key ?? "*");
}

/** A place between brackets, or in a text of several lines, that a key or dash of the chain begins. */
function placeInValue(
  text: string,
  offset: number,
  line: Line,
  chain: readonly Level[],
): TypedPlace | undefined {
  for (const [index, { key, value }] of chain.entries()) {
    const path = pathOf(chain.slice(0, index + 1));
    const rest = restOfLine(text, value);
    const flow = /^[{[]/.test(rest) ? flowPlace(text, value, offset, path) : undefined;
    if (flow !== undefined) return flow;
    const isText = key === undefined ? /^[|>]/.test(rest) : rest !== "" && !/^[#&!{[]/.test(rest);
    if (value >= line.start || !isText) continue;
    const word = wordAt(text, Math.min(bodyOf(text, line), offset), offset);
    const unfinished = { start: line.start, end: endOfLine(text, line.start) };
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

const maxRepairs = 4;

/** Blanks lines that cannot be read, so that the rest of the file can be, and everything in it keeps its place. */
export function readHalfTyped(text: string, read: (text: string) => Document): Document {
  let document = read(text);
  for (let repairs = 0; document.root === undefined && repairs < maxRepairs; repairs++) {
    const tried: Document[] = [];
    for (const repaired of repairedTexts(document)) {
      tried.push(read(repaired));
      if (tried.at(-1)?.root !== undefined) break;
    }
    const [best] = tried.sort((a, b) => progressOf(b) - progressOf(a));
    if (best === undefined) break;
    document = best;
  }
  return document;
}

function progressOf({ root, faults }: Document): number {
  return root === undefined ? (faults[0]?.start ?? 0) : Infinity;
}

/** Without a comma at the fault, the line above it, or its own line: a key without a colon is noticed on the next. */
function* repairedTexts({ text, lines, faults: [fault] }: Document): Generator<string> {
  if (fault === undefined) return;
  if (text.charAt(fault.start) === ",") yield blankOut(text, [{ start: fault.start, end: fault.start + 1 }]);
  const before = text.slice(0, fault.start).trimEnd();
  const own = lines.position(fault.start).line;
  const above = lines.position(Math.max(0, before.length - 1)).line;
  for (const line of new Set([above === own ? own - 1 : above, own])) {
    const start = lines.offset({ line, column: 1 });
    const length = lines.line(line)?.trimEnd().length ?? 0;
    if (length > 0) yield blankOut(text, [{ start, end: start + length }]);
  }
}
