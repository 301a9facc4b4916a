import { BlockTags, helpers } from "./block-tags.js";
import { type Blocks, shortened } from "./blocks.js";
import { closingBrace, skipSpaces } from "./characters.js";
import { operandsOf } from "./operands.js";
import { readPath } from "./path.js";
import type { References } from "./references.js";
import type { Syntax } from "./syntax.js";
import { tokensOf } from "./tokens.js";
import { meantTag, otherwise } from "./wrong-opening.js";

/**
 * The tags of blocks among placeholders: `${#if x}`, `${else}`, `${/if}`. A shell has `${#name}` too, and much that is no
 * template has `{#name}`. So a block is what is closed further on, or what a `$` with a helper says by itself.
 */
export class PlaceholderBlocks {
  private readonly tags: BlockTags;
  private foundClosings: ReadonlyMap<string, number> | undefined;

  constructor(
    private readonly text: string,
    private readonly syntax: Syntax,
    private readonly isMarked: boolean,
    private readonly blocks: Blocks,
    private readonly references: References,
  ) {
    this.tags = new BlockTags(text, blocks, references);
  }

  /** Reads the tag at `start`, whose inside begins at `first`; false when it is none of a block. */
  read(start: number, first: number): boolean {
    const sigil = this.text.charAt(first);
    const isPlain = !"#^/".includes(sigil) || sigil === "";
    if (isPlain && !this.blocks.areOpen) return false;
    const to = closingBrace(this.text, first, this.syntax.open);
    if (to === undefined) return !isPlain && this.isMarked && this.readUnclosed(start, first);
    const tag = { start, end: to + 1, to };
    const known = this.references.found.length;
    if (isPlain) {
      if (!this.readInside(first, to)) return false;
    } else if (sigil === "/") {
      if (!this.isMarked && !this.blocks.isOpen(this.text.slice(first + 1, to).trim())) return false;
      this.tags.readClosing(tag, first + 1);
    } else {
      if (!this.isOpening(first + 1, to)) return false;
      this.tags.readOpening(tag, first);
    }
    if (!this.isMarked) this.references.doubtAfter(known);
    return true;
  }

  /** `${else}`, `${else if x}`, `${../name}`. */
  private readInside(first: number, to: number): boolean {
    const [word, ...rest] = tokensOf(this.text, first, to);
    if (word?.kind !== "path") return false;
    if (otherwise.has(word.text)) this.tags.readElse(word.text, rest);
    else if (word.relative) this.references.addAll(operandsOf([word]));
    else return false;
    return true;
  }

  private isOpening(at: number, to: number): boolean {
    const path = readPath(this.text, skipSpaces(this.text, at, to), to);
    if (path === undefined) return false;
    const name = this.text.slice(path.start, path.end);
    if ((this.closings.get(name) ?? -1) > to) return true;
    if (!this.isMarked) return false;
    const hasOperand = skipSpaces(this.text, path.end, to) < to;
    return (helpers.has(name) && hasOperand) || meantTag(name, name, this.blocks) !== undefined;
  }

  private readUnclosed(start: number, first: number): boolean {
    const path = readPath(this.text, skipSpaces(this.text, first + 1, this.text.length), this.text.length);
    if (path === undefined) return false;
    const name = this.text.slice(path.start, path.end);
    const isClosing = this.text[first] === "/";
    if (!(isClosing ? this.blocks.isOpen(name) : helpers.has(name))) return false;
    const written = shortened(this.text.slice(start, path.end));
    const fault = { start, end: path.end, message: `The tag "${written}" is not closed: add "}".` };
    this.blocks.faults.push(fault);
    if (isClosing) this.blocks.closeUnread(fault, name);
    else this.blocks.openUnread(fault, name);
    return true;
  }

  /** For each name, where the last tag stands that closes a block of it. */
  private get closings(): ReadonlyMap<string, number> {
    if (this.foundClosings !== undefined) return this.foundClosings;
    const { text, syntax } = this;
    const closings = new Map<string, number>();
    const wanted = `${syntax.open}/`;
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
      const from = at + wanted.length;
      const close = closingBrace(text, from, syntax.open);
      if (close !== undefined) closings.set(text.slice(from, close).trim(), at);
    }
    return (this.foundClosings = closings);
  }
}
