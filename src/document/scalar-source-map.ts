import { isLineBreak, lowerBound, skipLineBreak } from "./scan-text.js";
import type { ScalarSource, ScalarStyle, Span } from "./node.js";

/** Characters of a value, from its `index` on, and the part of the source that they come from. */
interface Run extends Span {
  readonly length: number;
  readonly index: number;
}

/** Maps the characters of a string value to the source, as runs that are either verbatim or written differently. */
export class ScalarSourceMap {
  private readonly runs: Run[] = [];
  private length = 0;

  private constructor(private readonly origin: number) {}

  static of(text: string, source: ScalarSource, valueLength: number): ScalarSourceMap {
    const map = new ScalarSourceMap(source.start);
    const isBlock = source.style === "literal" || source.style === "folded";
    // Every escape and fold is longer than its value, so equal lengths mean equal text.
    if (!isBlock && source.end - source.start === valueLength) map.addVerbatim(source.start, source.end);
    else mappersByStyle[source.style](map, text, source);
    return map;
  }

  addVerbatim(start: number, end: number): void {
    if (end > start) this.add(end - start, start, end);
  }

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

  /** The end of the source of the characters `from` to `to`. */
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

type ScalarMapper = (out: ScalarSourceMap, text: string, source: ScalarSource) => void;

const mappersByStyle: Readonly<Record<ScalarStyle, ScalarMapper>> = {
  plain: (out, text, source) => mapFlowLines(out, text, source, () => undefined),
  single: (out, text, source) =>
    mapFlowLines(out, text, source, (at) =>
      text.charAt(at) === "'" ? { length: 1, end: at + 2 } : undefined,
    ),
  double: (out, text, source) =>
    mapFlowLines(out, text, source, (at) => {
      if (text.charAt(at) !== "\\") return undefined;
      return isLineBreak(text.charCodeAt(at + 1))
        ? { length: 0, end: skipBreaks(text, at + 1, source.end).end }
        : readEscape(text, at);
    }),
  json: mapJsonString,
  literal: mapBlock,
  folded: mapBlock,
};

function mapJsonString(out: ScalarSourceMap, text: string, { start, end }: ScalarSource): void {
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
}

interface Escape {
  /** The length of its value. */
  readonly length: number;
  readonly end: number;
}

/** A line break and the white space around it fold into a space, or into one line break less. */
function mapFlowLines(
  out: ScalarSourceMap,
  text: string,
  { start, end }: ScalarSource,
  escapeAt: (at: number) => Escape | undefined,
): void {
  let from = start;
  let at = start;
  /** The end of the text without trailing white space. */
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
      const { breaks, end: next } = skipBreaks(text, at, end);
      // A single line break becomes a space; of several, the first is dropped.
      for (const lineBreak of breaks.slice(breaks.length === 1 ? 0 : 1))
        out.add(1, lineBreak, skipLineBreak(text, lineBreak));
      from = at = solid = next;
    } else {
      at++;
      if (code !== 32 && code !== 9) solid = at;
    }
  }
  out.addVerbatim(from, end);
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

/** The parser has accepted the escape, so it is a single letter, or `x`, `u` or `U` with its digits. */
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
function mapBlock(out: ScalarSourceMap, text: string, { style, start, end, indent }: ScalarSource): void {
  const isFolded = style === "folded";
  /** Line breaks since the last text, starting with that of its own line. */
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
    // A single line break that folds becomes a space; of several, the first is dropped.
    addBreaks(out, folds && breaks.length > 1 ? breaks.slice(1) : breaks);
    out.addVerbatim(textStart, line.end);
    breaks = [line];
    hasText = true;
    wasDeeper = isDeeper;
  }
  addBreaks(out, breaks);
}

function addBreaks(out: ScalarSourceMap, lines: readonly BlockLine[]): void {
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
