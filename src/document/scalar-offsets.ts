import { lowerBound } from "./lower-bound.js";
import type { ScalarSource } from "./node.js";
import { spellBlock } from "./spell-block.js";
import { spellEscaped, spellJson, spellPlain, spellSingle } from "./spell-flow.js";

/** How a string is spelled in the source: runs of characters that stand there as they are, and others that do not. */
export class Spelling {
  /** Of each run: its first index in the value, and where it starts and ends in the source. */
  private readonly indexes: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly parts: string[] = [];
  private length = 0;

  constructor(
    private readonly text: string,
    private readonly origin: number,
  ) {}

  static of(text: string, source: ScalarSource, valueLength: number): Spelling {
    const spelling = new Spelling(text, source.start);
    const isBlock = source.style === "literal" || source.style === "folded";
    // Every escape and fold is longer than what it means, so equal lengths mean equal text.
    if (!isBlock && source.end - source.start === valueLength) spelling.copy(source.start, source.end);
    else spell(spelling, text, source);
    return spelling;
  }

  /**
   * The whole text. Of a block scalar it is the text with all its trailing line breaks: the value, whose end was
   * clipped or stripped, starts with as many of them as it kept.
   */
  get value(): string {
    return this.parts.join("");
  }

  /** Characters that stand in the source as they are. */
  copy(start: number, end: number): void {
    if (end > start) this.put(this.text.slice(start, end), start, end);
  }

  /** Characters that the source spells in another way. */
  put(characters: string, start: number, end: number): void {
    this.indexes.push(this.length);
    this.starts.push(start);
    this.ends.push(end);
    this.parts.push(characters);
    this.length += characters.length;
  }

  start(index: number): number {
    if (this.length === 0) return this.origin;
    if (index >= this.length) return this.ends[this.ends.length - 1] ?? this.origin;
    const run = this.runOf(index);
    const start = this.starts[run] ?? 0;
    return this.isCopy(run) ? start + index - (this.indexes[run] ?? 0) : start;
  }

  /** The end of the part that spells `from` to `to`. */
  end(from: number, to: number): number {
    if (to <= from || this.length === 0) return this.start(from);
    const last = Math.min(to, this.length) - 1;
    const run = this.runOf(last);
    return this.isCopy(run) ? this.start(last) + 1 : (this.ends[run] ?? 0);
  }

  private isCopy(run: number): boolean {
    return (this.parts[run] ?? "").length === (this.ends[run] ?? 0) - (this.starts[run] ?? 0);
  }

  private runOf(index: number): number {
    return lowerBound(this.indexes, index + 1, (first) => first) - 1;
  }
}

function spell(spelling: Spelling, text: string, source: ScalarSource): void {
  const { style, start, end, indent } = source;
  switch (style) {
    case "plain":
      return spellPlain(spelling, text, start, end);
    case "single":
      return spellSingle(spelling, text, start, end);
    case "double":
      return spellEscaped(spelling, text, start, end);
    case "json":
      return spellJson(spelling, text, start, end);
    case "literal":
    case "folded":
      return spellBlock(spelling, text, start, end, indent, style === "folded");
  }
}
