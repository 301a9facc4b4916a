import type { Span } from "../diagnostic.js";
import { appendTo } from "../text/collections.js";
import {
  createReference,
  type IrregularNames,
  irregularReference,
  maxTemplateErrors,
  type Path,
  readPath,
  readStandalonePath,
  type Reference,
  referenceOf,
  skipSpaces,
  standaloneReference,
  type Template,
  type TemplateError,
  truncateName,
} from "./path.js";
import { missingNameMessage, readUnclosedTag, type Tag, tagsOf } from "./tags.js";
import {
  isReferencePath,
  isSign,
  isThis,
  looksLikeProse,
  operandsOf,
  parseBindings,
  partialName,
  type Token,
  tokensOf,
} from "./tokens.js";

const blockHelpers = new Set(["if", "unless", "each", "with", "for", "let", "inline"]);
const elseKeywords: ReadonlySet<string> = new Set(["else", "elif", "elseif", "elsif"]);
/** Names of blocks and their ends in other languages, too. */
const keywords: ReadonlySet<string> = new Set([
  ...[...elseKeywords, "this", "end", "endif", "endfor", "endeach", "endunless", "endwith"],
]);

export function readTags(text: string, irregular?: IrregularNames): Template {
  return new TagReader(text, irregular).readAll();
}

class TagReader {
  private readonly errors: TemplateError[] = [];
  private readonly blocks = new BlockStack(this.errors);
  private readonly found: Reference[] = [];

  constructor(
    private readonly text: string,
    private readonly irregular: IrregularNames | undefined,
  ) {}

  readAll(): Template {
    const { errors, found, blocks } = this;
    for (const tag of tagsOf(this.text)) {
      this.read(tag);
      if (errors.length >= maxTemplateErrors) break;
    }
    if (errors.length < maxTemplateErrors) blocks.finish();
    return { references: found, errors: errors.sort((a, b) => a.start - b.start) };
  }

  private read(tag: Tag): void {
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

  /** The fast path for a tag that is just a name: no tokens are needed. */
  private tryReadName(at: number, to: number): boolean {
    const named = this.irregular && irregularReference(this.text, at, to, this.irregular);
    if (named !== undefined) {
      this.addReference(named, true);
      return true;
    }
    const path = readStandalonePath(this.text, at, to);
    if (path === undefined || this.text.slice(path.start, path.end) === "else") return false;
    // A variable may also be called `in` or `none`.
    this.addReference(standaloneReference(this.text, path, this.irregular), isReferencePath(this.text, path));
    this.addKeys(path);
    return true;
  }

  private readUnclosed(tag: Tag): void {
    const unclosed = readUnclosedTag(this.text, tag);
    if (unclosed === undefined) return;
    const { error, sigil, path } = unclosed;
    this.errors.push(error);
    if (path === undefined) return;
    const name = this.text.slice(path.start, path.end);
    // Opens or closes the block anyway, so that its counterpart is not reported as well.
    if (sigil === "#" || sigil === "^") {
      this.blocks.open({ tag: error, name, changesContext: true, locals: [], alreadyReported: true });
    } else if (sigil === "/") {
      if (this.blocks.openNames.has(name)) this.blocks.close(error, name);
    } else if (sigil !== "!") {
      const reference =
        sigil === ">" ? createReference("fragment", this.text, path, path) : this.resolve(path);
      this.found.push({ ...reference, local: true });
    }
  }

  private readOutput(tokens: readonly Token[]): void {
    const [first, second, third] = tokens;
    if (first?.kind === "path" && elseKeywords.has(first.text))
      return this.readElse(first.text, tokens.slice(1));
    const filtered = isSign(second, "|") && third?.kind === "path";
    if (first?.kind === "path" && (second === undefined || filtered)) return this.addOperands(tokens);
    if (tokens.some((token) => token.kind === "other")) return this.addNames(tokens);
    // The first name may be a helper.
    this.addOperands(tokens, false);
  }

  private readElse(name: string, rest: readonly Token[]): void {
    const before = this.found.length;
    const helper = rest[0]?.kind === "path" ? rest[0].text : undefined;
    if (name !== "else") this.readCondition(rest);
    else if (helper === "if" || helper === "unless") this.readCondition(rest.slice(1));
    else this.addOperands(rest.slice(1), false);
    this.markOpening(before);
  }

  private readCondition(tokens: readonly Token[]): void {
    if (tokens.some((token) => token.kind === "other")) return;
    this.addOperands(tokens, !looksLikeProse(tokens));
  }

  /** `{{#if x}}`, `{{#each items as |item|}}`, `{{#section}}`, `{{^section}}`, `{{#> layout}}`. */
  private readOpening(tag: Tag, at: number, alreadyReported: boolean): void {
    const inverted = this.text[at] === "^";
    const sign = skipSpaces(this.text, at + 1, tag.to);
    if (this.text[sign] === ">") return this.readPartial(sign + 1, tag.to, tag);
    const path = readPath(this.text, this.text[sign] === "*" ? sign + 1 : sign, tag.to);
    if (path === undefined) {
      if (!inverted && sign === tag.to)
        this.blocks.open({ tag, name: "", changesContext: true, locals: [], alreadyReported: true });
      return;
    }
    const name = this.text.slice(path.start, path.end);
    const tokens = tokensOf(this.text, path.end, tag.to);
    const readable = tokens.every((token) => token.kind !== "other");
    if (!readable && !blockHelpers.has(name)) return this.blocks.allowClose(name);
    if (tokens.length === 0) {
      const before = this.found.length;
      if (!blockHelpers.has(name)) this.addPath(path, true);
      this.markOpening(before);
      return this.blocks.open({ tag, name, changesContext: !inverted, locals: [], alreadyReported });
    }
    const { sources, locals } = parseBindings(tokens);
    const conditional = name.startsWith("if") || name.startsWith("unless");
    const before = this.found.length;
    if (name === "if" || name === "unless") this.readCondition(tokens);
    else if (readable) this.addOperands(sources);
    const tested = this.markOpening(before);
    this.blocks.open({ tag, name, changesContext: !conditional, locals, tested });
  }

  private markOpening(from: number): readonly Reference[] {
    const opening = this.found.splice(from).map((reference) => ({ ...reference, opensBlock: true as const }));
    for (const reference of opening) this.found.push(reference);
    return opening;
  }

  private readClosing(tag: Tag, at: number): void {
    const start = skipSpaces(this.text, at, tag.to);
    if (start === tag.to) return void this.blocks.closeAny();
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
    const resolved = first.kind === "path" ? this.resolve(first.path) : undefined;
    const named = createReference("fragment", this.text, name, name);
    const reference = resolved?.kind === "fragment" ? resolved : named;
    const args = rest.filter((token) => token.start >= name.end);
    if (reference.name !== "") this.addInclusion(reference, args.length > 0);
    this.addOperands(args, false);
    if (block !== undefined)
      this.blocks.open({ tag: block, name: named.name, changesContext: false, locals: [] });
  }

  /** The names a fragment reads may come from its arguments or its block. */
  private addInclusion(reference: Reference, hasArguments: boolean): void {
    const scoped = hasArguments || this.blocks.inChangedContext;
    this.found.push(scoped ? { ...reference, scoped } : reference);
  }

  private addOperands(tokens: readonly Token[], certain = true): void {
    for (const operand of operandsOf(tokens)) this.addPath(operand.path, certain && operand.certain);
  }

  /** The names in a tag that cannot be parsed may be references. */
  private addNames(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.kind !== "path") continue;
      const reference = this.resolve(token.path);
      if (reference.kind === "name" && reference.local !== true)
        this.found.push({ ...reference, local: true });
    }
  }

  private addPath(path: Path, certain: boolean): void {
    this.addReference(this.resolve(path), certain);
    this.addKeys(path);
  }

  private addKeys({ head, second, keys }: Path): void {
    if (second !== undefined && !this.blocks.inChangedContext && isThis(this.text, head)) this.addKey(second);
    for (const key of keys) this.addKey(key);
  }

  private addKey(key: Span): void {
    const name = this.text.slice(key.start, key.end);
    if (!this.blocks.locals.has(name))
      this.found.push({ ...createReference("name", this.text, key, key), local: true });
  }

  private addReference(reference: Reference, certain: boolean): void {
    if (reference.kind === "artifact") {
      this.found.push(this.blocks.tested(reference));
    } else if (reference.kind === "fragment") this.addInclusion(reference, false);
    else if (!this.blocks.locals.has(reference.name)) {
      const isCertain = certain && !keywords.has(reference.name) && !this.blocks.inChangedContext;
      const tested = this.blocks.tested(reference);
      this.found.push(isCertain ? tested : { ...tested, local: true });
    }
  }

  private resolve(path: Path): Reference {
    return referenceOf(this.text, path, this.irregular);
  }
}

interface Block {
  readonly tag: Span;
  readonly name: string;
  /** Whether names inside may be fields of the block's subject. */
  readonly changesContext: boolean;
  readonly locals: readonly string[];
  /** The references in its opening tag. */
  readonly tested?: readonly Reference[];
  alreadyReported?: boolean;
}

/** The blocks open at the current position, while a template is read front to back. */
class BlockStack {
  private readonly stack: Block[] = [];
  readonly openNames = new NameCounter();
  readonly locals = new NameCounter();
  private readonly allowedCloses = new NameCounter();
  private readonly tests = new Map<string, Reference[]>();
  private contexts = 0;

  constructor(private readonly errors: TemplateError[]) {}

  get inChangedContext(): boolean {
    return this.contexts > 0;
  }

  tested(reference: Reference): Reference {
    const test = this.tests.get(testKey(reference))?.at(-1);
    return test ? { ...reference, testedAt: test.testedAt ?? test.start } : reference;
  }

  open(block: Block): void {
    for (const test of block.tested ?? []) appendTo(this.tests, testKey(test), test);
    this.stack.push(block);
    this.openNames.add(block.name, 1);
    for (const local of block.locals) this.locals.add(local, 1);
    if (block.changesContext) this.contexts++;
  }

  close(tag: Span, name: string): void {
    if (!this.openNames.has(name)) return this.handleUnmatchedClose(tag, name);
    for (let block = this.closeAny(); block !== undefined && block.name !== name; block = this.closeAny()) {
      this.reportUnclosed(block);
      this.allowClose(block.name);
    }
  }

  /** Ignores one later closing tag of this name: its opening tag is already reported, or cannot be read. */
  allowClose(name: string): void {
    this.allowedCloses.add(name, 1);
  }

  closeAny(): Block | undefined {
    const block = this.stack.pop();
    if (block === undefined) return undefined;
    this.openNames.add(block.name, -1);
    for (const local of block.locals) this.locals.add(local, -1);
    for (const test of block.tested ?? []) this.tests.get(testKey(test))?.pop();
    if (block.changesContext) this.contexts--;
    return block;
  }

  finish(): void {
    for (const block of this.stack.slice(0, maxTemplateErrors)) this.reportUnclosed(block);
  }

  private handleUnmatchedClose(tag: Span, name: string): void {
    if (this.allowedCloses.has(name)) return this.allowedCloses.add(name, -1);
    const open = this.stack.at(-1);
    // The name is missing in the opening tag `{{#}}`, which is already reported.
    if (open?.name === "") return void this.closeAny();
    const closing = `"{{/${truncateName(name)}}}"`;
    const advice = builtInBlocks.has(name) ? `: open it with "{{#${name} …}}", or remove it` : "";
    if (open === undefined)
      return this.addError(tag, `${closing} closes a block that was never opened${advice}.`);
    open.alreadyReported = true;
    const shown = truncateName(open.name);
    this.addError(tag, `${closing} cannot close "{{#${shown}}}", which needs "{{/${shown}}}".`);
  }

  private reportUnclosed({ name, tag, alreadyReported }: Block): void {
    if (alreadyReported === true) return;
    const shown = truncateName(name);
    this.addError(tag, `The block "${shown}" is not closed: add "{{/${shown}}}".`);
  }

  private addError({ start, end }: Span, message: string): void {
    this.errors.push({ start, end, message });
  }
}

/** Without its `#`, the opening tag of one of these is not recognized as a block. */
const builtInBlocks: ReadonlySet<string> = new Set(["if", "unless", "each", "with"]);

function testKey({ kind, name }: Reference): string {
  return `${kind} ${name}`;
}

class NameCounter {
  private readonly counts = new Map<string, number>();

  has(name: string): boolean {
    return (this.counts.get(name) ?? 0) > 0;
  }

  add(name: string, change: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + change);
  }
}
