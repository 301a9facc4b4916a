import { Blocks, mostFaults, shortened } from "./blocks.js";
import { skipSpaces } from "./characters.js";
import { bindings, isSign, operandsOf, partialName, readsLikeProse } from "./operands.js";
import { oddReference } from "./odd-names.js";
import { missingName } from "./missing-name.js";
import { lonePath, named, readPath } from "./path.js";
import { References } from "./references.js";
import { type Tag, tagsOf } from "./tags.js";
import type { OddNames, Span, Template, TemplateFault } from "./template.js";
import { isReference, isThis, type Token, tokensOf } from "./tokens.js";
import { readUnclosed } from "./unclosed.js";
import { closedBy, meantTag, otherwise } from "./wrong-opening.js";

const helpers = new Set(["if", "unless", "each", "with", "for", "let", "inline"]);

const nothing: Template = { references: [], faults: [] };

/** Reads `{{name}}` and its relatives: blocks, filters, partials, comments. */
export function readTags(text: string, odd?: OddNames): Template {
  if (!text.includes("{{")) return nothing;
  const reader = new TagReader(text, odd);
  for (const tag of tagsOf(text)) {
    reader.read(tag);
    if (reader.isHopeless) return reader.result();
  }
  return reader.finish();
}

class TagReader {
  private readonly faults: TemplateFault[] = [];
  private readonly blocks = new Blocks();
  private readonly references: References;

  constructor(
    private readonly text: string,
    private readonly odd: OddNames | undefined,
  ) {
    this.references = new References(text, this.blocks, odd);
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
    if (tag.kind === "comment") return;
    if (tag.kind === "unclosed") return this.readUnclosed(tag);
    const first = skipSpaces(this.text, tag.from, tag.to);
    const missing = missingName(this.text, first, tag.to);
    if (missing !== undefined) this.faults.push({ start: tag.start, end: tag.end, message: missing });
    switch (this.text.charAt(first)) {
      case "#":
      case "^":
        return this.readOpening(tag, first, missing !== undefined);
      case "/":
        return this.readClosing(tag, first + 1);
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
    const path = lonePath(this.text, at, to);
    if (path === undefined) return false;
    const name = this.text.slice(path.start, path.end);
    if (name === "else") return false;
    // A variable may be called `in` or `none`, too.
    this.references.addLone(path, isReference(this.text, path) && !otherwise.has(name));
    return true;
  }

  private readUnclosed(tag: Tag): void {
    const unclosed = readUnclosed(this.text, tag);
    if (unclosed === undefined) return;
    const { fault, sigil, path } = unclosed;
    this.faults.push(fault);
    if (path === undefined) return;
    const name = this.text.slice(path.start, path.end);
    // Its block is taken for opened or closed: the author is told once.
    if (sigil === "#" || sigil === "^") {
      this.blocks.open({ ...fault, name, ownContext: true, locals: [], excused: true });
    } else if (sigil === "/") {
      if (this.blocks.isOpen(name)) this.blocks.close(fault, name);
    } else if (sigil !== "!") {
      const reference = sigil === ">" ? named("fragment", this.text, path, path) : this.references.of(path);
      this.references.found.push({ ...reference, local: true });
    }
  }

  private readOutput(tokens: readonly Token[]): void {
    const [first, second, third] = tokens;
    if (first?.kind === "path" && otherwise.has(first.text))
      return this.readElse(first.text, tokens.slice(1));
    const filtered = isSign(second, "|") && third?.kind === "path";
    if (first?.kind === "path" && (second === undefined || filtered))
      return this.references.addAll(operandsOf(tokens));
    if (tokens.some((token) => token.kind === "other")) return this.references.addNames(tokens);
    if (first?.kind === "path" && !helpers.has(first.text)) this.references.addPhrase(tokens);
    // The first may be a helper, or what Jinja puts before an `if`.
    this.references.addAll(operandsOf(tokens), false);
  }

  private readElse(name: string, rest: readonly Token[]): void {
    if (name !== "else") return this.readCondition(rest);
    const helper = rest[0]?.kind === "path" ? rest[0].text : undefined;
    if (helper === "if" || helper === "unless") this.readCondition(rest.slice(1));
    else this.references.addAll(operandsOf(rest.slice(1)), false);
  }

  private readCondition(tokens: readonly Token[]): void {
    if (tokens.some((token) => token.kind === "other")) return;
    this.references.addAll(operandsOf(tokens), !readsLikeProse(tokens));
  }

  /** `{{#if x}}`, `{{#each items as |item|}}`, `{{#section}}`, `{{^section}}`, `{{#> layout}}`. */
  private readOpening(tag: Tag, at: number, excused: boolean): void {
    const inverted = this.text[at] === "^";
    const sign = skipSpaces(this.text, at + 1, tag.to);
    if (this.text[sign] === ">") return this.readPartial(sign + 1, tag.to, tag);
    const path = readPath(this.text, this.text[sign] === "*" ? sign + 1 : sign, tag.to);
    if (path === undefined) {
      if (!inverted && sign === tag.to) this.blocks.openNameless(tag);
      return;
    }
    const name = this.text.slice(path.start, path.end);
    const tokens = tokensOf(this.text, path.end, tag.to);
    const meant = meantTag(name, this.text.slice(path.start, tag.to).trimEnd(), this.blocks);
    if (meant !== undefined) return this.readWrongOpening(tag, name, tokens, meant);
    const readable = tokens.every((token) => token.kind !== "other");
    if (!readable && !helpers.has(name)) return this.blocks.excuseClosing(name);
    const { start, end } = tag;
    if (tokens.length === 0) {
      if (!helpers.has(name)) this.references.addPath(path, true);
      return this.blocks.open({ start, end, name, ownContext: !inverted, locals: [], excused });
    }
    const { sources, locals } = bindings(tokens);
    const conditional = name.startsWith("if") || name.startsWith("unless");
    if (name === "if" || name === "unless") this.readCondition(tokens);
    else if (readable) this.references.addAll(operandsOf(sources));
    this.blocks.open({ start, end, name, ownContext: !conditional, locals });
  }

  private readWrongOpening(tag: Tag, name: string, tokens: readonly Token[], meant: string): void {
    const { start, end } = tag;
    const written = shortened(this.text.slice(start, end));
    this.faults.push({ start, end, message: `"${written}" is not a block: write "${shortened(meant)}".` });
    const closed = closedBy(name);
    if (closed !== undefined) return this.blocks.close(tag, closed);
    this.blocks.excuseClosing(name);
    this.readElse(name, tokens);
  }

  private readClosing(tag: Tag, at: number): void {
    const start = skipSpaces(this.text, at, tag.to);
    if (start === tag.to) return this.blocks.closeAny();
    const path = readPath(this.text, start, tag.to);
    if (path === undefined || skipSpaces(this.text, path.end, tag.to) < tag.to) return;
    this.blocks.close(tag, this.text.slice(path.start, path.end));
  }

  /** `{{> name}}`, `{{> "name" key=value}}`; with a block, `{{#> name}}…{{/name}}`. */
  private readPartial(at: number, to: number, block?: Span): void {
    const [first, ...rest] = tokensOf(this.text, at, to);
    if (first === undefined || rest.some((token) => token.kind === "other")) return;
    const quoted = first.kind === "data" && "\"'".includes(this.text.charAt(first.start));
    if (!quoted && (first.kind !== "path" || isThis(this.text, first.path.head))) return;
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
