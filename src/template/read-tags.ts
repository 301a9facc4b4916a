import {
  blockEndedBy,
  BlockStack,
  correctTagFor,
  elseKeywords,
  endKeywords,
  maxTemplateErrors,
  truncateName,
} from "./blocks.js";
import {
  createReference,
  irregularReference,
  type Path,
  readPath,
  readStandalonePath,
  referenceOf,
  skipSpaces,
  standaloneReference,
} from "./path.js";
import { missingNameMessage, readUnclosedTag, type Tag, tagsOf } from "./tags.js";
import type { IrregularNames, Reference, Span, Template, TemplateError } from "./template.js";
import {
  isReferencePath,
  isSign,
  isThis,
  looksLikeProse,
  type Operand,
  operandsOf,
  parseBindings,
  partialName,
  type Token,
  tokensOf,
} from "./tokens.js";

const blockHelpers = new Set(["if", "unless", "each", "with", "for", "let", "inline"]);

const emptyTemplate: Template = { references: [], errors: [] };

/** Reads `{{name}}` and its relatives: blocks, filters, partials, comments. */
export function readTags(text: string, odd?: IrregularNames): Template {
  if (!text.includes("{{")) return emptyTemplate;
  const reader = new TagReader(text, odd);
  for (const tag of tagsOf(text)) {
    reader.read(tag);
    if (reader.hasTooManyErrors) return reader.result();
  }
  return reader.finish();
}

class TagReader {
  private readonly errors: TemplateError[] = [];
  private readonly blocks = new BlockStack();
  private readonly references: ReferenceCollector;

  constructor(
    private readonly text: string,
    private readonly odd: IrregularNames | undefined,
  ) {
    this.references = new ReferenceCollector(text, this.blocks, odd);
  }

  get hasTooManyErrors(): boolean {
    return this.errors.length + this.blocks.errors.length >= maxTemplateErrors;
  }

  finish(): Template {
    this.blocks.finish();
    return this.result();
  }

  result(): Template {
    const faults = [...this.errors];
    for (const fault of this.blocks.errors) faults.push(fault);
    return { references: this.references.found, errors: faults.sort((a, b) => a.start - b.start) };
  }

  read(tag: Tag): void {
    if (tag.kind === "comment") return;
    if (tag.kind === "unclosed") return this.readUnclosed(tag);
    const first = skipSpaces(this.text, tag.from, tag.to);
    const missing = missingNameMessage(this.text, first, tag.to);
    if (missing !== undefined) this.errors.push({ start: tag.start, end: tag.end, message: missing });
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
        if (!this.tryReadName(first, tag.to)) this.readOutput(tokensOf(this.text, first, tag.to));
    }
  }

  /** Whether the tag is nothing but a name, as most are: that takes no tokens. */
  private tryReadName(at: number, to: number): boolean {
    const odd = this.odd && irregularReference(this.text, at, to, this.odd);
    if (odd !== undefined) {
      this.references.add(odd, true);
      return true;
    }
    const path = readStandalonePath(this.text, at, to);
    if (path === undefined) return false;
    const name = this.text.slice(path.start, path.end);
    if (name === "else") return false;
    // A variable may be called `in` or `none`, too.
    this.references.addStandalone(path, isReferencePath(this.text, path) && !elseKeywords.has(name));
    return true;
  }

  private readUnclosed(tag: Tag): void {
    const unclosed = readUnclosedTag(this.text, tag);
    if (unclosed === undefined) return;
    const { error, sigil, path } = unclosed;
    this.errors.push(error);
    if (path === undefined) return;
    const name = this.text.slice(path.start, path.end);
    // Its block is taken for opened or closed: the author is told once.
    if (sigil === "#" || sigil === "^") {
      this.blocks.open({ ...error, name, changesContext: true, locals: [], alreadyReported: true });
    } else if (sigil === "/") {
      if (this.blocks.isOpen(name)) this.blocks.close(error, name);
    } else if (sigil !== "!") {
      const reference =
        sigil === ">" ? createReference("fragment", this.text, path, path) : this.references.resolve(path);
      this.references.found.push({ ...reference, local: true });
    }
  }

  private readOutput(tokens: readonly Token[]): void {
    const [first, second, third] = tokens;
    if (first?.kind === "path" && elseKeywords.has(first.text))
      return this.readElse(first.text, tokens.slice(1));
    const filtered = isSign(second, "|") && third?.kind === "path";
    if (first?.kind === "path" && (second === undefined || filtered))
      return this.references.addAll(operandsOf(tokens));
    if (tokens.some((token) => token.kind === "other")) return this.references.addNames(tokens);
    if (first?.kind === "path" && !blockHelpers.has(first.text)) this.references.addPhrase(tokens);
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
    this.references.addAll(operandsOf(tokens), !looksLikeProse(tokens));
  }

  /** `{{#if x}}`, `{{#each items as |item|}}`, `{{#section}}`, `{{^section}}`, `{{#> layout}}`. */
  private readOpening(tag: Tag, at: number, alreadyReported: boolean): void {
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
    const meant = correctTagFor(name, this.text.slice(path.start, tag.to).trimEnd(), this.blocks);
    if (meant !== undefined) return this.readMisusedOpening(tag, name, tokens, meant);
    const readable = tokens.every((token) => token.kind !== "other");
    if (!readable && !blockHelpers.has(name)) return this.blocks.allowClose(name);
    const { start, end } = tag;
    if (tokens.length === 0) {
      if (!blockHelpers.has(name)) this.references.addPath(path, true);
      return this.blocks.open({ start, end, name, changesContext: !inverted, locals: [], alreadyReported });
    }
    const { sources, locals } = parseBindings(tokens);
    const conditional = name.startsWith("if") || name.startsWith("unless");
    if (name === "if" || name === "unless") this.readCondition(tokens);
    else if (readable) this.references.addAll(operandsOf(sources));
    this.blocks.open({ start, end, name, changesContext: !conditional, locals });
  }

  private readMisusedOpening(tag: Tag, name: string, tokens: readonly Token[], meant: string): void {
    const { start, end } = tag;
    const written = truncateName(this.text.slice(start, end));
    this.errors.push({ start, end, message: `"${written}" is not a block: write "${truncateName(meant)}".` });
    const closed = blockEndedBy(name);
    if (closed !== undefined) return this.blocks.close(tag, closed);
    this.blocks.allowClose(name);
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
    const reference = first.kind === "path" ? this.references.resolve(first.path) : undefined;
    const inside = rest.filter((token) => token.start >= name.end);
    if (reference?.kind === "fragment") this.references.addInclusion(reference, inside.length > 0);
    else if (name.start < name.end)
      this.references.addInclusion(createReference("fragment", this.text, name, name), inside.length > 0);
    this.references.addAll(operandsOf(inside), false);
    if (block === undefined) return;
    const { start, end } = block;
    const opened = this.text.slice(name.start, name.end);
    this.blocks.open({ start, end, name: opened, changesContext: false, locals: [] });
  }
}

/** Longer ones are no name. */
const maxPhraseLength = 100;
const plainWord = /^[A-Za-z_]\w*$/;

/** What the tags of a template refer to: where it stands decides whether a name is one of the pack. */
class ReferenceCollector {
  readonly found: Reference[] = [];

  constructor(
    private readonly text: string,
    private readonly blocks: BlockStack,
    private readonly odd: IrregularNames | undefined,
  ) {}

  /** A fragment: what it reads may be given to it, or be what its block is about. */
  addInclusion(reference: Reference, hasArguments: boolean): void {
    const scoped = hasArguments || this.blocks.inChangedContext;
    this.found.push(scoped ? { ...reference, scoped } : reference);
  }

  addAll(operands: Iterable<Operand>, certain = true): void {
    for (const operand of operands) this.addPath(operand.token.path, certain && operand.certain);
  }

  /** Of a tag that cannot be read it is not known what it does with the names in it; they may be used. */
  addNames(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.kind !== "path") continue;
      const reference = this.resolve(token.path);
      if (reference.kind === "name" && reference.local !== true)
        this.found.push({ ...reference, local: true });
    }
  }

  /** `{{customer name}}`, which may stand for a variable called `customer_name`. */
  addPhrase(tokens: readonly Token[]): void {
    const first = tokens[0];
    const last = tokens.at(-1);
    if (first === undefined || last === undefined || this.blocks.inChangedContext) return;
    if (last.end - first.start > maxPhraseLength) return;
    const words = tokens.map(({ start, end }) => this.text.slice(start, end));
    const phrase = { start: first.start, end: last.end };
    const name = this.text.slice(phrase.start, phrase.end);
    if (words.length > 1 && words.every((word) => plainWord.test(word)) && words.join(" ") === name)
      this.found.push({ ...createReference("name", this.text, phrase, phrase), local: true, words });
  }

  addPath(path: Path, certain: boolean): void {
    this.add(this.resolve(path), certain);
    this.addKeys(path);
  }

  /** Of a path that has a tag to itself. */
  addStandalone(path: Path, certain: boolean): void {
    this.add(standaloneReference(this.text, path, this.odd), certain);
    this.addKeys(path);
  }

  private addKeys({ head, second, keys }: Path): void {
    if (second !== undefined && !this.blocks.inChangedContext && isThis(this.text, head)) this.addKey(second);
    for (const key of keys) this.addKey(key);
  }

  private addKey(key: Span): void {
    const name = this.text.slice(key.start, key.end);
    if (!this.blocks.isLocal(name))
      this.found.push({ ...createReference("name", this.text, key, key), local: true });
  }

  add(reference: Reference, certain: boolean): void {
    if (reference.kind === "artifact") this.found.push(reference);
    else if (reference.kind === "fragment") this.addInclusion(reference, false);
    else if (!this.blocks.isLocal(reference.name)) {
      const { name } = reference;
      const sure = certain && !this.blocks.inChangedContext && !endKeywords.has(name) && name !== "this";
      this.found.push(sure ? reference : { ...reference, local: true });
    }
  }

  resolve(path: Path): Reference {
    return referenceOf(this.text, path, this.odd);
  }
}
