import { lowerBound } from "./lower-bound.js";
import type { ScalarSource, ScalarStyle } from "./node.js";
import { mapBlock } from "./spell-block.js";
import { type ScalarMapper, mapDoubleQuoted, mapJsonString, mapPlain, mapSingleQuoted } from "./spell-flow.js";

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
