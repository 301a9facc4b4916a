import type { Respelling } from "../../template/jinja-blocks.js";

/** Advice about what is written in the manner of another language. */
export function insteadOf({ right, written }: Respelling): string {
  return `Write "${right}" instead of "${written}".`;
}
