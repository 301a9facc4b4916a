import type { BlockStack } from "./blocks.js";

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
