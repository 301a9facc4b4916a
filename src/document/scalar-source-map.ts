import { isLineBreak, lowerBound, skipLineBreak } from "./line-map.js";
import type { ScalarSource, ScalarStyle } from "./node.js";

/** Receives, of the characters of a value in their order, how many each part of the source spells. */
interface RunCollector {
  addVerbatim(start: number, end: number): void;
  add(length: number, start: number, end: number): void;
}

type ScalarMapper = (out: RunCollector, text: string, source: ScalarSource) => void;

const backslash = 92;
const singleQuote = 39;

const mapPlain: ScalarMapper = (out, text, source) => {
  mapFlowLines(out, text, source, () => undefined);
};

const mapSingleQuoted: ScalarMapper = (out, text, source) => {
  mapFlowLines(out, text, source, (at) => {
    if (text.charCodeAt(at) !== singleQuote) return undefined;
    return { length: 1, end: at + 2 };
  });
};

const mapDoubleQuoted: ScalarMapper = (out, text, source) => {
  mapFlowLines(out, text, source, (at) => {
    if (text.charCodeAt(at) !== backslash) return undefined;
    if (isLineBreak(text.charCodeAt(at + 1)))
      return { length: 0, end: skipBreaks(text, at + 1, source.end).end };
    return readEscape(text, at);
  });
};

const mapJsonString: ScalarMapper = (out, text, { start, end }) => {
  let from = start;
  let at = text.indexOf("\\", start);
  while (at !== -1 && at < end) {
    out.addVerbatim(from, at);
    const escape = readEscape(text, at);
    out.add(escape.length, at, escape.end);
    from = escape.end;
    at = text.indexOf("\\", from);
  }
  out.addVerbatim(from, end);
};

interface Escape {
  /** Of what it means. */
  readonly length: number;
  readonly end: number;
}

/** Text on one or more lines: a line break and the white space around it fold into a space or fewer breaks. */
function mapFlowLines(
  out: RunCollector,
  text: string,
  { start, end }: ScalarSource,
  escapeAt: (at: number) => Escape | undefined,
): void {
  let from = start;
  let at = start;
  /** The end of the text that trailing white space does not reach. */
  let solid = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    const escape = escapeAt(at);
    if (escape !== undefined) {
      out.addVerbatim(from, at);
      if (escape.length > 0) out.add(escape.length, at, escape.end);
      from = at = solid = escape.end;
    } else if (isLineBreak(code)) {
      out.addVerbatim(from, solid);
      from = at = solid = mapFold(out, text, at, end);
    } else {
      at++;
      if (code !== 32 && code !== 9) solid = at;
    }
  }
  out.addVerbatim(from, end);
}

/** One line break means a space; of several, the first means nothing and each other one a line break. */
function mapFold(out: RunCollector, text: string, at: number, end: number): number {
  const { breaks, end: next } = skipBreaks(text, at, end);
  for (const start of breaks.slice(breaks.length === 1 ? 0 : 1))
    out.add(1, start, skipLineBreak(text, start));
  return next;
}

function skipBreaks(text: string, start: number, end: number): { breaks: number[]; end: number } {
  const breaks: number[] = [];
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (isLineBreak(code)) {
      breaks.push(at);
      at = skipLineBreak(text, at);
    } else if (code === 32 || code === 9) at++;
    else break;
  }
  return { breaks, end: at };
}

/** The parser has accepted the escape: what is not a single letter is `x`, `u` or `U` with its digits. */
function readEscape(text: string, at: number): Escape {
  const start = at + 2;
  const end = start + (digitsAfter.get(text.charAt(at + 1)) ?? 0);
  return { length: Number.parseInt(text.slice(start, end), 16) > 0xffff ? 2 : 1, end };
}

const digitsAfter: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

interface BlockLine {
  readonly start: number;
  /** Before the line break. */
  readonly end: number;
  readonly next: number;
}

/** The lines of a `|` or `>` scalar, with all its trailing line breaks. */
const mapBlock: ScalarMapper = (out, text, { style, start, end, indent }) => {
  const isFolded = style === "folded";
  /** Line breaks since the last text, that of its own line first. */
  let breaks: BlockLine[] = [];
  let hasText = false;
  let wasDeeper = false;
  let at = start;
  while (at < end) {
    const line = blockLineAt(text, at, end);
    at = line.next;
    const textStart = indent < 0 ? line.end : skipIndent(text, line, indent);
    if (textStart >= line.end) {
      breaks.push(line);
      continue;
    }
    const isDeeper = isFolded && (text.charCodeAt(textStart) === 32 || text.charCodeAt(textStart) === 9);
    const folds = isFolded && hasText && !isDeeper && !wasDeeper;
    // One that folds means a space; of several, the first means nothing.
    addBreaks(out, folds && breaks.length > 1 ? breaks.slice(1) : breaks);
    out.addVerbatim(textStart, line.end);
    breaks = [line];
    hasText = true;
    wasDeeper = isDeeper;
  }
  addBreaks(out, breaks);
};

function addBreaks(out: RunCollector, lines: readonly BlockLine[]): void {
  for (const line of lines) out.add(1, line.end, line.next);
}

function blockLineAt(text: string, start: number, limit: number): BlockLine {
  let end = start;
  while (end < limit && !isLineBreak(text.charCodeAt(end))) end++;
  return { start, end, next: end < limit ? skipLineBreak(text, end) : end };
}

function skipIndent(text: string, line: BlockLine, indent: number): number {
  let at = line.start;
  while (at < line.end && at < line.start + indent && text.charCodeAt(at) === 32) at++;
  return at;
}

const mappersByStyle: Readonly<Record<ScalarStyle, ScalarMapper>> = {
  plain: mapPlain,
  single: mapSingleQuoted,
  double: mapDoubleQuoted,
  json: mapJsonString,
  literal: mapBlock,
  folded: mapBlock,
};

/** So many characters of a value, from its `index` on, and the part of the source that spells them. */
interface Run {
  readonly length: number;
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** How a string is spelled in the source: runs of characters that stand there as they are, and others that do not. */
export class ScalarSourceMap {
  private readonly runs: Run[] = [];
  private length = 0;

  constructor(private readonly origin: number) {}

  static of(text: string, source: ScalarSource, valueLength: number): ScalarSourceMap {
    const spelling = new ScalarSourceMap(source.start);
    const isBlock = source.style === "literal" || source.style === "folded";
    // Every escape and fold is longer than what it means, so equal lengths mean equal text.
    if (!isBlock && source.end - source.start === valueLength) spelling.addVerbatim(source.start, source.end);
    else mappersByStyle[source.style](spelling, text, source);
    return spelling;
  }

  /** Characters that stand in the source as they are. */
  addVerbatim(start: number, end: number): void {
    if (end > start) this.add(end - start, start, end);
  }

  /** Characters that the source spells in another way. */
  add(length: number, start: number, end: number): void {
    this.runs.push({ length, index: this.length, start, end });
    this.length += length;
  }

  start(index: number): number {
    const run = this.runOf(index);
    if (run === undefined) return this.origin;
    if (index >= this.length) return run.end;
    return isVerbatim(run) ? run.start + index - run.index : run.start;
  }

  /** The end of the part that spells `from` to `to`. */
  end(from: number, to: number): number {
    const last = Math.min(to, this.length) - 1;
    const run = this.runOf(last);
    if (to <= from || run === undefined) return this.start(from);
    return isVerbatim(run) ? this.start(last) + 1 : run.end;
  }

  private runOf(index: number): Run | undefined {
    return this.runs[lowerBound(this.runs, index + 1, (run) => run.index) - 1];
  }
}

function isVerbatim({ length, start, end }: Run): boolean {
  return length === end - start;
}
