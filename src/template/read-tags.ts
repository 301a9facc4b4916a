import { Blocks, mostFaults } from "./blocks.js";
import { BlockTags } from "./block-tags.js";
import { skipSpaces } from "./characters.js";
import { isSign, operandsOf, partialName } from "./operands.js";
import { oddReference } from "./odd-names.js";
import { named, readPath } from "./path.js";
import { References } from "./references.js";
import type { Syntax } from "./syntax.js";
import { type Tag, tagsOf } from "./tags.js";
import type { OddNames, Span, Template, TemplateFault } from "./template.js";
import { isReference, type Token, tokensOf } from "./tokens.js";
import { readUnclosed } from "./unclosed.js";
import { otherwise } from "./wrong-opening.js";

const nothing: Template = { references: [], faults: [] };

/** Reads `{{name}}` and its relatives: blocks, filters, partials, comments. */
export function readTags(text: string, syntax: Syntax): Template {
  if (!text.includes("{{")) return nothing;
  const reader = new TagReader(text, syntax);
  for (const tag of tagsOf(text)) {
    reader.read(tag);
    if (reader.isHopeless) return reader.result();
  }
  return reader.finish();
}

class TagReader {
  private readonly faults: TemplateFault[] = [];
  private readonly blocks: Blocks;
  private readonly references: References;
  private readonly blockTags: BlockTags;
  private readonly odd: OddNames | undefined;

  constructor(
    private readonly text: string,
    syntax: Syntax,
  ) {
    this.odd = syntax.oddNames?.();
    this.blocks = new Blocks(syntax);
    this.references = new References(text, this.blocks, this.odd);
    this.blockTags = new BlockTags(text, this.blocks, this.references);
  }

  get isHopeless(): boolean {
    return this.faults.length + this.blocks.faults.length >= mostFaults;
  }

  finish(): Template {
    this.blocks.finish();
    return this.result();
  }

  result(): Template {
    const faults = [...this.faults];
    for (const fault of this.blocks.faults) faults.push(fault);
    return { references: this.references.found, faults: faults.sort((a, b) => a.start - b.start) };
  }

  read(tag: Tag): void {
    if (tag.kind === "unclosed") return this.readUnclosed(tag);
    const first = skipSpaces(this.text, tag.from, tag.to);
    if (first === tag.to) return this.reportEmpty(tag);
    switch (this.text.charAt(first)) {
      case "#":
      case "^":
        return this.readOpening(tag, first);
      case "/":
        return this.blockTags.readClosing(tag, first + 1);
      case ">":
        return this.readPartial(first + 1, tag.to);
      case "&":
        return this.readOutput(tokensOf(this.text, first + 1, tag.to));
      default:
        if (!this.readName(first, tag.to)) this.readOutput(tokensOf(this.text, first, tag.to));
    }
  }

  /** Whether the tag is nothing but a name, as most are: that takes no tokens. */
  private readName(at: number, to: number): boolean {
    const odd = this.odd && oddReference(this.text, at, to, this.odd);
    if (odd !== undefined) {
      this.references.add(odd, true);
      return true;
    }
    const path = readPath(this.text, at, to);
    if (path === undefined || skipSpaces(this.text, path.end, to) < to) return false;
    const name = this.text.slice(path.start, path.end);
    if (name === "else") return false;
    // A variable may be called `in` or `none`, too.
    this.references.addPath(path, isReference(this.text, path) && !otherwise.has(name));
    return true;
  }

  private reportEmpty({ start, end }: Tag): void {
    this.faults.push({ start, end, message: 'There is no name between "{{" and "}}".' });
  }

  private readUnclosed(tag: Tag): void {
    const unclosed = readUnclosed(this.text, tag);
    if (unclosed === undefined) return;
    const { fault, sigil, path } = unclosed;
    this.faults.push(fault);
    if (path === undefined) return;
    const name = this.text.slice(path.start, path.end);
    if (sigil === "#" || sigil === "^") this.blocks.openUnread(fault, name);
    else if (sigil === "/") this.blocks.closeUnread(fault, name);
    else if (sigil !== "!") {
      const reference = sigil === ">" ? named("fragment", this.text, path, path) : this.references.of(path);
      this.references.found.push({ ...reference, local: true });
    }
  }

  /** `{{#if x}}`, `{{#> layout}}`. */
  private readOpening(tag: Tag, at: number): void {
    const sign = skipSpaces(this.text, at + 1, tag.to);
    if (this.text[sign] === ">") this.readPartial(sign + 1, tag.to, tag);
    else this.blockTags.readOpening(tag, at);
  }

  private readOutput(tokens: readonly Token[]): void {
    const [first, second, third] = tokens;
    if (first?.kind === "path" && otherwise.has(first.text))
      return this.blockTags.readElse(first.text, tokens.slice(1));
    const filtered = isSign(second, "|") && third?.kind === "path";
    if (first?.kind === "path" && (second === undefined || filtered))
      return this.references.addAll(operandsOf(tokens));
    if (tokens.some((token) => token.kind === "other")) return this.references.addNames(tokens);
    // The first may be a helper, or what Jinja puts before an `if`.
    this.references.addAll(operandsOf(tokens), false);
  }

  /** `{{> name}}`, `{{> "name" key=value}}`; with a block, `{{#> name}}…{{/name}}`. */
  private readPartial(at: number, to: number, block?: Span): void {
    const [first, ...rest] = tokensOf(this.text, at, to);
    if (first === undefined || rest.some((token) => token.kind === "other")) return;
    const quoted = first.kind === "data" && "\"'".includes(this.text.charAt(first.start));
    if (first.kind !== "path" && !quoted) return;
    const name = quoted ? { start: first.start + 1, end: first.end - 1 } : partialName(first, rest);
    const reference = first.kind === "path" ? this.references.of(first.path) : undefined;
    const inside = rest.filter((token) => token.start >= name.end);
    if (reference?.kind === "fragment") this.references.addInclusion(reference, inside.length > 0);
    else if (name.start < name.end)
      this.references.addInclusion(named("fragment", this.text, name, name), inside.length > 0);
    this.references.addAll(operandsOf(inside), false);
    if (block === undefined) return;
    const { start, end } = block;
    const opened = this.text.slice(name.start, name.end);
    this.blocks.open({ start, end, name: opened, ownContext: false, locals: [] });
  }
}
