import { skipSpaces } from "../template/path.js";
import type { Reference, Syntax, Template } from "../template/read-template.js";
import { type Tag, tagsOf } from "../template/tags.js";
import { type Token, tokensOf } from "../template/tokens.js";

type Helper = "if" | "unless" | "each";

/** A template cut into what can be filled in and what stays. `source` is how a part is written. */
export type TemplatePart =
  | { readonly kind: "text"; readonly source: string }
  | { readonly kind: "value"; readonly path: string; readonly source: string }
  | { readonly kind: "include"; readonly name: string; readonly source: string }
  /** Something that only the runtime's own engine can tell: a filter, a helper, a condition with operators. */
  | { readonly kind: "foreign"; readonly source: string }
  | BlockPart;

export interface BlockPart {
  readonly kind: "block";
  readonly helper: Helper;
  readonly path: string;
  readonly body: readonly TemplatePart[];
  readonly elseBody: readonly TemplatePart[];
  readonly source: string;
}

/** Blocks inside one another that are looked into; what lies deeper stays as it is written. */
const maxDepth = 40;
const helpers: ReadonlySet<string> = new Set<Helper>(["if", "unless", "each"]);

export function splitIntoParts(text: string, template: Template, syntax: Syntax): readonly TemplatePart[] {
  return syntax.open === "{{"
    ? new TagSplitter(text, template.references).read()
    : placeholderParts(text, template, syntax);
}

interface OpenBlock {
  readonly name: string;
  readonly start: number;
  readonly openEnd: number;
  /** Absent for a block that stays as it is written. */
  readonly simple: { readonly helper: Helper; readonly path: string } | undefined;
  readonly body: TemplatePart[];
  /** From the tag on that it follows. */
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
    for (const frame of this.stack) this.flatten(frame);
    return this.root;
  }

  private get target(): TemplatePart[] {
    const frame = this.stack.at(-1);
    return frame === undefined ? this.root : (frame.elseBody ?? frame.body);
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
    const written = text.slice(first, tag.to).trim();
    const source = text.slice(tag.start, tag.end);
    const frame = this.stack.at(-1);
    if (frame !== undefined && (written === "else" || written === "^")) return this.startElse(frame, source);
    if (frame !== undefined && /^(?:else|elif|elseif|elsif)\s/u.test(written))
      return this.markForeign(frame, source);
    const included = this.includedBy(tag);
    this.target.push(
      included === undefined ? outputPart(text, tag, first) : { kind: "include", name: included, source },
    );
  }

  /** The fragment that a tag is nothing but the inclusion of; with arguments, only the runtime's engine can tell. */
  private includedBy({ from, to }: Tag): string | undefined {
    while ((this.references[this.nextReference]?.start ?? Infinity) < from) this.nextReference++;
    const reference = this.references[this.nextReference];
    if (reference?.kind !== "fragment" || reference.end > to) return undefined;
    return /^["']?\s*$/u.test(this.text.slice(reference.end, to)) ? reference.name : undefined;
  }

  private open(tag: Tag, first: number): void {
    const [helper, operand, ...rest] = tokensOf(this.text, first + 1, tag.to);
    const name = helper === undefined ? "" : this.text.slice(helper.start, helper.end);
    const isSimple =
      this.text[first] === "#" && isHelper(name) && rest.length === 0 && this.stack.length < maxDepth;
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

  private startElse(frame: OpenBlock, source: string): void {
    if (frame.elseBody !== undefined) return this.markForeign(frame, source);
    frame.elseBody = [{ kind: "foreign", source }];
  }

  private markForeign(frame: OpenBlock, source: string): void {
    frame.foreign = true;
    this.target.push({ kind: "foreign", source });
  }

  private close(tag: Tag, name: string): void {
    const frame = this.stack.at(-1);
    if (frame === undefined || (name !== "" && name !== frame.name)) {
      this.target.push({ kind: "foreign", source: this.text.slice(tag.start, tag.end) });
      return;
    }
    this.stack.pop();
    const source = this.text.slice(frame.start, tag.end);
    const { simple, body, elseBody = [] } = frame;
    if (simple === undefined || frame.foreign) this.target.push({ kind: "foreign", source });
    else this.target.push({ kind: "block", ...simple, body, elseBody: elseBody.slice(1), source });
  }

  /** A block that is never closed is no block, and neither are those around it: what is in it follows its tag. */
  private flatten(frame: OpenBlock): void {
    this.root.push({ kind: "foreign", source: this.text.slice(frame.start, frame.openEnd) });
    for (const part of frame.body) this.root.push(part);
    for (const part of frame.elseBody ?? []) this.root.push(part);
  }
}

function isHelper(name: string): name is Helper {
  return helpers.has(name);
}

function outputPart(text: string, tag: Tag, first: number): TemplatePart {
  const source = text.slice(tag.start, tag.end);
  const [token, ...rest] = tokensOf(text, text[first] === "&" ? first + 1 : first, tag.to);
  const path = rest.length === 0 ? pathText(text, token) : undefined;
  return path === undefined ? { kind: "foreign", source } : { kind: "value", path, source };
}

/** `user.name`, `this`, `this.name`, `@index`; nothing for what is no plain path. */
function pathText(text: string, token: Token | undefined): string | undefined {
  if (token === undefined) return undefined;
  const written = text.slice(token.start, token.end);
  if (token.kind === "path") return token.relative ? undefined : written;
  return token.kind === "data" && /^(?:this|@(?:index|key|first|last))$/u.test(written) ? written : undefined;
}

/** `{name}` and `${name}` know no blocks. */
function placeholderParts(
  text: string,
  { references }: Template,
  { open, close }: Syntax,
): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const reference of references) {
    // Such a reference need not be closed: its end would be sought through the whole text.
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
