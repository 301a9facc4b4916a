import { lowerBound } from "./lower-bound.js";
import type { ScalarSource, ScalarStyle } from "./node.js";
import { spellBlock } from "./spell-block.js";
import { type Spell, spellEscaped, spellJson, spellPlain, spellSingle } from "./spell-flow.js";

const spellers: Readonly<Record<ScalarStyle, Spell>> = {
  plain: spellPlain,
  single: spellSingle,
  double: spellEscaped,
  json: spellJson,
  literal: spellBlock,
  folded: spellBlock,
};

/** Characters of a value, from its `index` on, and the part of the source that spells them. */
interface Run {
  readonly characters: string;
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** How a string is spelled in the source: runs of characters that stand there as they are, and others that do not. */
export class Spelling {
  private readonly runs: Run[] = [];
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
    else spellers[source.style](spelling, text, source);
    return spelling;
  }

  /**
   * The whole text. Of a block scalar it is the text with all its trailing line breaks: the value, whose end was
   * clipped or stripped, starts with as many of them as it kept.
   */
  get value(): string {
    return this.runs.map(({ characters }) => characters).join("");
  }

  /** Characters that stand in the source as they are. */
  copy(start: number, end: number): void {
    if (end > start) this.put(this.text.slice(start, end), start, end);
  }

  /** Characters that the source spells in another way. */
  put(characters: string, start: number, end: number): void {
    this.runs.push({ characters, index: this.length, start, end });
    this.length += characters.length;
  }

  start(index: number): number {
    const run = this.runOf(index);
    if (run === undefined) return this.origin;
    if (index >= this.length) return run.end;
    return isCopy(run) ? run.start + index - run.index : run.start;
  }

  /** The end of the part that spells `from` to `to`. */
  end(from: number, to: number): number {
    const last = Math.min(to, this.length) - 1;
    const run = this.runOf(last);
    if (to <= from || run === undefined) return this.start(from);
    return isCopy(run) ? this.start(last) + 1 : run.end;
  }

  private runOf(index: number): Run | undefined {
    return this.runs[lowerBound(this.runs, index + 1, (run) => run.index) - 1];
  }
}

function isCopy({ characters, start, end }: Run): boolean {
  return characters.length === end - start;
}
