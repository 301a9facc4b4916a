import type { Blocks } from "./blocks.js";

/** What parts a block in two. */
export const otherwise: ReadonlySet<string> = new Set(["else", "elif", "elseif", "elsif"]);

/** The ends of blocks in other languages; a variable may be called so too. */
export const ends: ReadonlySet<string> = new Set([
  "end",
  "endif",
  "endfor",
  "endeach",
  "endunless",
  "endwith",
]);

/** What was meant by `{{#else}}` or `{{#endif}}` inside a block, where neither opens another. */
export function meantTag(name: string, written: string, blocks: Blocks): string | undefined {
  if (otherwise.has(name) && blocks.areOpen) return `{{${written}}}`;
  const closed = closedBy(name);
  return closed !== undefined && blocks.isOpen(closed) ? `{{/${closed}}}` : undefined;
}

/** `if` for `endif`. */
export function closedBy(name: string): string | undefined {
  return ends.has(name) ? name.slice("end".length) : undefined;
}
