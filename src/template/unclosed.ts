import { truncateName } from "./blocks.js";
import { isSpace, skipSpaces } from "./characters.js";
import { type Path, readPath } from "./path.js";
import type { Tag } from "./tags.js";
import type { TemplateError } from "./template.js";

export interface UnclosedTag {
  readonly error: TemplateError;
  readonly sigil: string;
  readonly path: Path | undefined;
}

/** A `{{` that somebody forgot to close, told from braces that stand in code, JSON or TeX. */
export function readUnclosedTag(text: string, tag: Tag): UnclosedTag | undefined {
  const first = skipSpaces(text, tag.from, tag.to);
  if (first === text.length) return describeUnclosedTag(text, tag, text.length, "", undefined);
  if (/[\r\n]/.test(text.slice(tag.from, first))) return undefined;
  if (first === tag.to) return startsNamedTag(text, first) ? describeUnclosedTag(text, tag, first, "", undefined) : undefined;
  const sigil = "#/^>&!".includes(text.charAt(first)) ? text.charAt(first) : "";
  const path = readPath(text, skipSpaces(text, first + sigil.length, tag.to), tag.to);
  if (path === undefined) return sigil === "!" ? describeUnclosedTag(text, tag, first + 1, sigil, path) : undefined;
  const isKey = sigil === "" && text[skipSpaces(text, path.end, tag.to)] === ":";
  if (isKey || hasBalancedBraces(text, tag, path.end)) return undefined;
  return describeUnclosedTag(text, tag, path.end, sigil, path);
}

function describeUnclosedTag(text: string, tag: Tag, end: number, sigil: string, path: Path | undefined): UnclosedTag {
  let last = end;
  while (isSpace(text, last - 1)) last--;
  const what =
    sigil === "!" ? "comment" : sigil === "" || sigil === ">" || sigil === "&" ? "reference" : "tag";
  const written = `The ${what} "${truncateName(text.slice(tag.start, last))}"`;
  const message =
    text[skipSpaces(text, end, tag.to)] === "}"
      ? `${written} is closed by one brace: add another "}".`
      : hasTagInside(text, tag)
        ? `${written} has another tag inside it: write names there without braces.`
        : sigil === "" && path === undefined
          ? `${written} is not closed: remove it, or add a name and "}}".`
          : `${written} is not closed: add "}}".`;
  return { error: { start: tag.start, end: last, message }, sigil, path };
}

/** A hostile text could have its end anywhere. */
const maxTagLength = 300;

/** Whether a whole tag stands at `at` that begins with a name: braces in code, JSON or TeX hold other things. */
function startsNamedTag(text: string, at: number): boolean {
  const tag = /^\{\{[^{}\n]*\}\}/.exec(text.slice(at, at + maxTagLength))?.[0] ?? "";
  const end = at + tag.length - 2;
  const first = skipSpaces(text, at + ("-~".includes(tag.charAt(2)) ? 3 : 2), end);
  const sigil = "#/^>&".includes(text.charAt(first)) ? 1 : 0;
  const path = readPath(text, skipSpaces(text, first + sigil, end), end);
  return path !== undefined && text[skipSpaces(text, path.end, end)] !== ":";
}

/** `{{#if x == '{{y}}'}}`: what closes the tag stands behind those inside it, on the same line. */
function hasTagInside(text: string, { from }: Tag): boolean {
  let depth = 1;
  for (const [sign] of text.slice(from, from + maxTagLength).matchAll(/\{\{|\}\}|[{}\n]/g)) {
    if (sign === "{{") depth++;
    else if (sign !== "}}") return false;
    else if (--depth === 0) return true;
  }
  return false;
}

/** `{{a}_b}`: on one line each brace finds its partner, with something between the last two. */
function hasBalancedBraces(text: string, tag: Tag, at: number): boolean {
  let depth = 2;
  let closed = -1;
  for (let end = at; end < tag.to; end++) {
    const character = text.charAt(end);
    if (character === "{") depth++;
    if ('\n"'.includes(character)) return false;
    if (character !== "}") continue;
    depth--;
    if (depth === 0) return skipSpaces(text, closed, end) < end;
    closed = end + 1;
  }
  return false;
}
