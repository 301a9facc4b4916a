import type { Span } from "../diagnostic.js";
import type { TemplateError } from "./template.js";

/** Reading stops here: a text with more errors is probably not a template. */
export const maxTemplateErrors = 1_000;

interface Block extends Span {
  readonly name: string;
  /** Whether names inside may be fields of the block's subject. */
  readonly changesContext: boolean;
  /** Names defined for the body. */
  readonly locals: readonly string[];
  alreadyReported?: boolean;
}

/** The blocks open at the current position, while a template is read front to back. */
export class BlockStack {
  readonly errors: TemplateError[] = [];
  private readonly stack: Block[] = [];
  private readonly openNames = new NameCounter();
  private readonly locals = new NameCounter();
  private readonly allowedCloses = new NameCounter();
  private contexts = 0;

  get inChangedContext(): boolean {
    return this.contexts > 0;
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

  close(tag: Span, name: string): void {
    if (!this.isOpen(name)) return this.handleUnmatchedClose(tag, name);
    for (let block = this.closeAny(); block !== undefined && block.name !== name; block = this.closeAny()) {
      this.reportUnclosed(block);
      this.allowClose(block.name);
    }
  }

  /** Ignores one later closing tag of this name: its opening tag is already reported, or cannot be read. */
  allowClose(name: string): void {
    this.allowedCloses.add(name, 1);
  }

  /** Closes the innermost block, as `{{/}}` does. */
  closeAny(): Block | undefined {
    const block = this.stack.pop();
    if (block === undefined) return undefined;
    this.openNames.add(block.name, -1);
    for (const local of block.locals) this.locals.add(local, -1);
    if (block.changesContext) this.contexts--;
    return block;
  }

  /** Reports the blocks still open at the end of the text. */
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
    const message =
      open === undefined
        ? `${closing} closes a block that was never opened${advice}.`
        : `${closing} cannot close "{{#${truncateName(open.name)}}}", which needs "{{/${truncateName(open.name)}}}".`;
    this.errors.push({ start: tag.start, end: tag.end, message });
    if (open !== undefined) open.alreadyReported = true;
  }

  private reportUnclosed({ name, start, end, alreadyReported }: Block): void {
    if (alreadyReported === true) return;
    const shown = truncateName(name);
    this.errors.push({ start, end, message: `The block "${shown}" is not closed: add "{{/${shown}}}".` });
  }
}

/** Without its `#`, the opening tag of one of these is not recognized as a block. */
const builtInBlocks: ReadonlySet<string> = new Set(["if", "unless", "each", "with"]);

class NameCounter {
  private readonly counts = new Map<string, number>();

  has(name: string): boolean {
    return (this.counts.get(name) ?? 0) > 0;
  }

  add(name: string, change: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + change);
  }
}

/** Shortens a name for use in a message. */
export function truncateName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
