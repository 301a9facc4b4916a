import type { Span, TemplateError } from "./template.js";

/** A template with more faults than this is no template; what follows in it is not read. */
export const maxTemplateErrors = 1_000;

interface Block extends Span {
  readonly name: string;
  /** Whether names inside may be fields of what the block walks through. */
  readonly changesContext: boolean;
  /** The names it defines for its inside. */
  readonly locals: readonly string[];
  /** A fault has already been told of it. */
  alreadyReported?: boolean;
}

/** The blocks that are open while a template is read from front to back. */
export class BlockStack {
  readonly errors: TemplateError[] = [];
  private readonly stack: Block[] = [];
  private readonly openNames = new NameCounter();
  private readonly locals = new NameCounter();
  /** Closing tags that are still to come for blocks already reported as not closed. */
  private readonly allowedCloses = new NameCounter();
  private contexts = 0;

  get inChangedContext(): boolean {
    return this.contexts > 0;
  }

  get hasOpenBlock(): boolean {
    return this.stack.length > 0;
  }

  isLocal(name: string): boolean {
    return this.locals.has(name);
  }

  isOpen(name: string): boolean {
    return this.openNames.has(name);
  }

  open(block: Block): void {
    this.stack.push(block);
    this.openNames.add(block.name, 1);
    for (const local of block.locals) this.locals.add(local, 1);
    if (block.changesContext) this.contexts++;
  }

  /** `{{#}}`, which has been told of. */
  openNameless({ start, end }: Span): void {
    this.open({ start, end, name: "", changesContext: true, locals: [], alreadyReported: true });
  }

  close(tag: Span, name: string): void {
    if (!this.isOpen(name)) return this.handleUnmatchedClose(tag, name);
    for (let block = this.pop(); block !== undefined && block.name !== name; block = this.pop()) {
      this.reportUnclosed(block);
      this.allowedCloses.add(block.name, 1);
    }
  }

  /** The tag that opens such a block has been told of or cannot be read: the one that closes it is no fault. */
  allowClose(name: string): void {
    this.allowedCloses.add(name, 1);
  }

  /** `{{/}}` closes whatever is open. */
  closeAny(): void {
    this.pop();
  }

  /** Nothing comes any more: tells of the blocks that are still open, the first of them if they are many. */
  finish(): void {
    for (const block of this.stack.slice(0, maxTemplateErrors)) this.reportUnclosed(block);
  }

  private handleUnmatchedClose(tag: Span, name: string): void {
    if (this.allowedCloses.has(name)) return this.allowedCloses.add(name, -1);
    const open = this.stack.at(-1);
    // Its name is what is missing there.
    if (open?.name === "") return this.closeAny();
    const message =
      open === undefined
        ? `"{{/${truncateName(name)}}}" closes a block that was never opened${missingOpenAdvice(name)}.`
        : `"{{/${truncateName(name)}}}" cannot close "{{#${truncateName(open.name)}}}", which needs "{{/${truncateName(open.name)}}}".`;
    this.errors.push({ start: tag.start, end: tag.end, message });
    if (open !== undefined) open.alreadyReported = true;
  }

  private reportUnclosed(block: Block): void {
    if (block.alreadyReported === true) return;
    const message = `The block "${truncateName(block.name)}" is not closed: add "{{/${truncateName(block.name)}}}".`;
    this.errors.push({ start: block.start, end: block.end, message });
  }

  private pop(): Block | undefined {
    const block = this.stack.pop();
    if (block === undefined) return undefined;
    this.openNames.add(block.name, -1);
    for (const local of block.locals) this.locals.add(local, -1);
    if (block.changesContext) this.contexts--;
    return block;
  }
}

/** What starts such a block is easily written without its mark, and is then no tag of its own. */
const helpersWithAdvice: ReadonlySet<string> = new Set(["if", "unless", "each", "with"]);

function missingOpenAdvice(name: string): string {
  return helpersWithAdvice.has(name) ? `: open it with "{{#${name} \u2026}}", or remove it` : "";
}

class NameCounter {
  private counts: Map<string, number> | undefined;

  has(name: string): boolean {
    return this.counts !== undefined && (this.counts.get(name) ?? 0) > 0;
  }

  add(name: string, change: number): void {
    this.counts ??= new Map();
    this.counts.set(name, (this.counts.get(name) ?? 0) + change);
  }
}

/** A name short enough for a sentence. */
export function truncateName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

/** What parts a block in two. */
export const elseKeywords: ReadonlySet<string> = new Set(["else", "elif", "elseif", "elsif"]);

/** The ends of blocks in other languages; a variable may be called so too. */
export const endKeywords: ReadonlySet<string> = new Set([
  "end",
  "endif",
  "endfor",
  "endeach",
  "endunless",
  "endwith",
]);

/** What was meant by `{{#else}}` or `{{#endif}}` inside a block, where neither opens another. */
export function correctTagFor(name: string, written: string, blocks: BlockStack): string | undefined {
  if (elseKeywords.has(name) && blocks.hasOpenBlock) return `{{${written}}}`;
  const closed = blockEndedBy(name);
  return closed !== undefined && blocks.isOpen(closed) ? `{{/${closed}}}` : undefined;
}

/** `if` for `endif`. */
export function blockEndedBy(name: string): string | undefined {
  return endKeywords.has(name) ? name.slice("end".length) : undefined;
}
