import { skipSpaces } from "../template/path.js";
import type { Reference, Syntax, Template } from "../template/read-template.js";
import { type Tag, tagsOf } from "../template/tags.js";
import { type Token, tokensOf } from "../template/tokens.js";

/** A part of a template; `source` is its text in the template. */
export type TemplatePart =
  | { readonly kind: "text"; readonly source: string }
  | { readonly kind: "value"; readonly path: string; readonly source: string }
  | { readonly kind: "include"; readonly name: string; readonly source: string }
  /** Only the runtime can evaluate it: a filter, a helper, a condition with operators. */
  | { readonly kind: "foreign"; readonly source: string }
  | BlockPart;

export interface BlockPart {
  readonly kind: "block";
  readonly helper: "if" | "unless" | "each";
  readonly path: string;
  readonly body: readonly TemplatePart[];
  readonly elseBody: readonly TemplatePart[];
  readonly source: string;
}

/** Blocks nested more deeply are left unchanged. */
const maxDepth = 40;

export function splitIntoParts(text: string, template: Template, syntax: Syntax): readonly TemplatePart[] {
  return syntax.open === "{{"
    ? new TagSplitter(text, template.references).read()
    : placeholderParts(text, template, syntax);
}

interface OpenBlock {
  readonly name: string;
  readonly start: number;
  readonly openEnd: number;
  readonly simple: Pick<BlockPart, "helper" | "path"> | undefined;
  readonly body: TemplatePart[];
  /** Starts with the `else` tag itself. */
  elseBody: TemplatePart[] | undefined;
  foreign: boolean;
}

class TagSplitter {
  private readonly root: TemplatePart[] = [];
  private readonly stack: OpenBlock[] = [];
  private at = 0;
  private nextReference = 0;

  constructor(
    private readonly text: string,
    private readonly references: readonly Reference[],
  ) {}

  read(): readonly TemplatePart[] {
    for (const tag of tagsOf(this.text)) {
      if (tag.kind === "unclosed") continue;
      this.addText(tag.start);
      if (tag.kind === "tag") this.readTag(tag);
      this.at = tag.end;
    }
    this.addText(this.text.length);
    for (const block of this.stack) this.flatten(block);
    return this.root;
  }

  private get target(): TemplatePart[] {
    const block = this.stack.at(-1);
    return block === undefined ? this.root : (block.elseBody ?? block.body);
  }

  private addText(end: number): void {
    if (end > this.at) this.target.push({ kind: "text", source: this.text.slice(this.at, end) });
  }

  private readTag(tag: Tag): void {
    const { text } = this;
    const first = skipSpaces(text, tag.from, tag.to);
    const sign = text.charAt(first);
    if (sign === "#" || (sign === "^" && text.slice(first + 1, tag.to).trim() !== ""))
      return this.open(tag, first);
    if (sign === "/") return this.close(tag, text.slice(first + 1, tag.to).trim());
    const content = text.slice(first, tag.to).trim();
    const source = text.slice(tag.start, tag.end);
    const block = this.stack.at(-1);
    const isElse = content === "else" || content === "^";
    if (block !== undefined && (isElse || /^(?:else|elif|elseif|elsif)\s/u.test(content)))
      return this.startElse(block, source, isElse);
    const included = this.includedBy(tag);
    this.target.push(
      included === undefined ? outputPart(text, tag, first) : { kind: "include", name: included, source },
    );
  }

  /** The fragment that a tag includes, unless the tag has arguments. */
  private includedBy({ from, to }: Tag): string | undefined {
    while ((this.references[this.nextReference]?.start ?? Infinity) < from) this.nextReference++;
    const reference = this.references[this.nextReference];
    if (reference?.kind !== "fragment" || reference.end > to) return undefined;
    return /^["']?\s*$/u.test(this.text.slice(reference.end, to)) ? reference.name : undefined;
  }

  private open(tag: Tag, first: number): void {
    const [helper, operand, ...rest] = tokensOf(this.text, first + 1, tag.to);
    const name = helper === undefined ? "" : this.text.slice(helper.start, helper.end);
    const isSimple = this.text[first] === "#" && rest.length === 0 && this.stack.length < maxDepth;
    const path = isSimple ? pathText(this.text, operand) : undefined;
    this.stack.push({
      name,
      start: tag.start,
      openEnd: tag.end,
      simple: isHelper(name) && path !== undefined ? { helper: name, path } : undefined,
      body: [],
      elseBody: undefined,
      foreign: false,
    });
  }

  /** A second `else`, or one with a condition, makes the whole block foreign. */
  private startElse(block: OpenBlock, source: string, isElse: boolean): void {
    const part: TemplatePart = { kind: "foreign", source };
    if (isElse && block.elseBody === undefined) {
      block.elseBody = [part];
    } else {
      block.foreign = true;
      this.target.push(part);
    }
  }

  private close(tag: Tag, name: string): void {
    const block = this.stack.at(-1);
    if (block === undefined || (name !== "" && name !== block.name)) {
      this.target.push({ kind: "foreign", source: this.text.slice(tag.start, tag.end) });
      return;
    }
    this.stack.pop();
    const source = this.text.slice(block.start, tag.end);
    const { simple, body, elseBody = [] } = block;
    if (simple === undefined || block.foreign) this.target.push({ kind: "foreign", source });
    else this.target.push({ kind: "block", ...simple, body, elseBody: elseBody.slice(1), source });
  }

  /** The tag of a block that is never closed is left unchanged, and its parts follow. */
  private flatten({ start, openEnd, body, elseBody = [] }: OpenBlock): void {
    this.root.push({ kind: "foreign", source: this.text.slice(start, openEnd) });
    for (const part of [...body, ...elseBody]) this.root.push(part);
  }
}

function isHelper(name: string): name is BlockPart["helper"] {
  return name === "if" || name === "unless" || name === "each";
}

function outputPart(text: string, tag: Tag, first: number): TemplatePart {
  const source = text.slice(tag.start, tag.end);
  const [token, ...rest] = tokensOf(text, text[first] === "&" ? first + 1 : first, tag.to);
  const path = rest.length === 0 ? pathText(text, token) : undefined;
  return path === undefined ? { kind: "foreign", source } : { kind: "value", path, source };
}

/** `user.name`, `this`, `this.name` or `@index`; undefined for anything but a plain path. */
function pathText(text: string, token: Token | undefined): string | undefined {
  if (token === undefined) return undefined;
  const path = text.slice(token.start, token.end);
  if (token.kind === "path") return token.relative ? undefined : path;
  return token.kind === "data" && /^(?:this|@(?:index|key|first|last))$/u.test(path) ? path : undefined;
}

/** `{name}` and `${name}` have no blocks. */
function placeholderParts(
  text: string,
  { references }: Template,
  { open, close }: Syntax,
): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const reference of references) {
    // May be unclosed, in which case the search for its end would scan the whole text.
    if (reference.local === true) continue;
    const start = text.lastIndexOf(open, reference.start);
    const end = text.indexOf(close, reference.end);
    if (start < at || end === -1) continue;
    const path = text.slice(start + open.length, end).trim();
    const source = text.slice(start, end + close.length);
    if (start > at) parts.push({ kind: "text", source: text.slice(at, start) });
    parts.push(
      reference.kind === "fragment"
        ? { kind: "include", name: reference.name, source }
        : { kind: "value", path, source },
    );
    at = end + close.length;
  }
  if (at < text.length) parts.push({ kind: "text", source: text.slice(at) });
  return parts;
}
