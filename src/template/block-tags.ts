import { type Blocks, shortened } from "./blocks.js";
import { skipSpaces } from "./characters.js";
import { bindings, operandsOf, readsLikeProse } from "./operands.js";
import { readPath } from "./path.js";
import type { References } from "./references.js";
import type { Span } from "./template.js";
import { type Token, tokensOf } from "./tokens.js";
import { closedBy, meantTag } from "./wrong-opening.js";

export const helpers: ReadonlySet<string> = new Set(["if", "unless", "each", "with", "for", "let", "inline"]);

/** A tag of a block; what is inside ends at `to`. */
export interface BlockTag extends Span {
  readonly to: number;
}

/** Reads the tags that open, part and close blocks, whatever their delimiters are. */
export class BlockTags {
  constructor(
    private readonly text: string,
    private readonly blocks: Blocks,
    private readonly references: References,
  ) {}

  /** `{{#if x}}`, `{{#each items as |item|}}`, `{{#section}}`, `{{^section}}`. */
  readOpening(tag: BlockTag, at: number): void {
    const inverted = this.text[at] === "^";
    const sign = skipSpaces(this.text, at + 1, tag.to);
    const path = readPath(this.text, this.text[sign] === "*" ? sign + 1 : sign, tag.to);
    if (path === undefined) return;
    const name = this.text.slice(path.start, path.end);
    const tokens = tokensOf(this.text, path.end, tag.to);
    const meant = meantTag(name, this.text.slice(path.start, tag.to).trimEnd(), this.blocks);
    if (meant !== undefined) return this.readWrongOpening(tag, name, tokens, meant);
    const readable = tokens.every((token) => token.kind !== "other");
    if (!readable && !helpers.has(name)) return this.blocks.excuseClosing(name);
    const { start, end } = tag;
    if (tokens.length === 0) {
      if (!helpers.has(name)) this.references.addPath(path, true);
      return this.blocks.open({ start, end, name, ownContext: !inverted, locals: [] });
    }
    const { sources, locals } = bindings(tokens);
    const conditional = name.startsWith("if") || name.startsWith("unless");
    if (name === "if" || name === "unless") this.readCondition(tokens);
    else if (readable) this.references.addAll(operandsOf(sources));
    this.blocks.open({ start, end, name, ownContext: !conditional, locals });
  }

  /** `{{else}}`, `{{else if x}}`, `{{elif x}}`. */
  readElse(name: string, rest: readonly Token[]): void {
    if (name !== "else") return this.readCondition(rest);
    const helper = rest[0]?.kind === "path" ? rest[0].text : undefined;
    if (helper === "if" || helper === "unless") this.readCondition(rest.slice(1));
    else this.references.addAll(operandsOf(rest.slice(1)), false);
  }

  readClosing(tag: BlockTag, at: number): void {
    const start = skipSpaces(this.text, at, tag.to);
    if (start === tag.to) return this.blocks.closeAny();
    const path = readPath(this.text, start, tag.to);
    if (path === undefined || skipSpaces(this.text, path.end, tag.to) < tag.to) return;
    this.blocks.close(tag, this.text.slice(path.start, path.end));
  }

  private readWrongOpening(tag: BlockTag, name: string, tokens: readonly Token[], meant: string): void {
    const { start, end } = tag;
    const written = shortened(this.text.slice(start, end));
    this.blocks.faults.push({
      start,
      end,
      message: `"${written}" opens no block: write "${shortened(meant)}".`,
    });
    const closed = closedBy(name);
    if (closed !== undefined) return this.blocks.close(tag, closed);
    this.blocks.excuseClosing(name);
    this.readElse(name, tokens);
  }

  private readCondition(tokens: readonly Token[]): void {
    if (tokens.some((token) => token.kind === "other")) return;
    this.references.addAll(operandsOf(tokens), !readsLikeProse(tokens));
  }
}
