import { type Syntax, syntaxes } from "./syntax.js";

const placeholder = /(?<!\{)(\{\{|\$\{|\{) {0,3}([^\s{}]+) {0,3}(\}\}|\})(?!\})/g;

/** What stands in the delimiters of another syntax: by the name or the path in them, how it is written. */
export function inOtherDelimiters(text: string, own: Syntax): ReadonlyMap<string, string> {
  const others = syntaxes.filter(({ open }) => open !== own.open);
  const found = new Map<string, string>();
  for (const [written, open, path = "", close] of text.matchAll(placeholder)) {
    if (others.some((syntax) => syntax.open === open && syntax.close === close)) found.set(path, written);
  }
  return found;
}
