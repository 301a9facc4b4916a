import { truncateName } from "./blocks.js";
import { isEscaped, isSpace, type Path, readPath, skipSpaces } from "./path.js";
import type { Span, TemplateError } from "./template.js";

/** What stands between `{{` and `}}`: from `from` to `to`, without the marks that trim white space. */
export interface Tag extends Span {
  readonly kind: "tag" | "comment" | "unclosed";
  readonly from: number;
  readonly to: number;
}

/** The tags of a text, escaped ones left out. An unclosed one ends where the next begins. */
export function* tagsOf(text: string): Generator<Tag> {
  const opens = forwardFinder(text, "{{");
  const closes = forwardFinder(text, "}}");
  const commentCloses = forwardFinder(text, "--}}");
  let at = 0;
  for (;;) {
    const open = opens(at);
    if (open === text.length) return;
    let inside = open + 2;
    while (text[inside] === "{") inside++;
    // Four braces and more are an escape for some other engine, or no template at all; at the end they are neither.
    const isForeign = inside - open > 3 && skipSpaces(text, inside, text.length) < text.length;
    if (isForeign || isEscaped(text, open)) {
      at = inside;
      continue;
    }
    const from = text[inside] === "-" || text[inside] === "~" ? inside + 1 : inside;
    const close = closes(from);
    if (text[from] === "!" && close < text.length) {
      const long = text.startsWith("!--", from) ? commentCloses(from + 1) : text.length;
      at = long < text.length ? long + 4 : close + 2;
      if (inside - open === 3 && text[at] === "}") at++;
      yield { kind: "comment", start: open, end: at, from, to: at };
      continue;
    }
    const limit = Math.min(opens(inside), text.length);
    const end = close < limit ? close : closeAfterStrings(text, from);
    if (end === undefined) {
      yield { kind: "unclosed", start: open, end: limit, from, to: limit };
      at = inside;
      continue;
    }
    const tag = closedTag(text, open, inside, from, end);
    yield tag;
    at = tag.end;
  }
}

/** Longer tags are not looked through for strings: a hostile text could make that costly. */
const maxTagLength = 300;
/**
 * Nothing that begins like JSON, with a key or a string, and nothing with a whole tag in a string, which may be meant. An
 * apostrophe inside a word begins no string.
 */
const tagWithStrings =
  /^(?!\s*(?:[\w.-]+\s*[:,]|["'`]))(?:[^"'`{}\n]|(?<!\w)(?:"[^"}\n]*"|'[^'}\n]*'|`[^`}\n]*`))*\}\}/;

/** Where `x | default("{{")}}` closes: the braces between quotes belong to the text. */
function closeAfterStrings(text: string, from: number): number | undefined {
  const tag = tagWithStrings.exec(text.slice(from, from + maxTagLength))?.[0];
  return tag === undefined ? undefined : from + tag.length - 2;
}

function closedTag(text: string, open: number, inside: number, from: number, close: number): Tag {
  const triple = inside - open === 3 && text[close + 2] === "}";
  const last = text[close - 1];
  const to = close > from && (last === "-" || last === "~") ? close - 1 : close;
  return { kind: "tag", start: triple ? open : inside - 2, end: close + (triple ? 3 : 2), from, to };
}

/** The next place of a string, or the length of the text. Asked front to back it looks at each character once. */
function forwardFinder(text: string, wanted: string): (at: number) => number {
  let found = -1;
  return (at) => {
    if (found < at) {
      const next = text.indexOf(wanted, at);
      found = next === -1 ? text.length : next;
    }
    return found;
  };
}

interface UnclosedTag {
  readonly error: TemplateError;
  readonly sigil: string;
  readonly path: Path | undefined;
}

/** A `{{` that somebody forgot to close, told from braces that stand in code, JSON or TeX. */
export function readUnclosedTag(text: string, tag: Tag): UnclosedTag | undefined {
  const first = skipSpaces(text, tag.from, tag.to);
  if (first === text.length) return describeUnclosedTag(text, tag, text.length, "", undefined);
  if (/[\r\n]/.test(text.slice(tag.from, first))) return undefined;
  if (first === tag.to)
    return startsNamedTag(text, first) ? describeUnclosedTag(text, tag, first, "", undefined) : undefined;
  const sigil = "#/^>&!".includes(text.charAt(first)) ? text.charAt(first) : "";
  const path = readPath(text, skipSpaces(text, first + sigil.length, tag.to), tag.to);
  if (path === undefined)
    return sigil === "!" ? describeUnclosedTag(text, tag, first + 1, sigil, path) : undefined;
  const isKey = sigil === "" && text[skipSpaces(text, path.end, tag.to)] === ":";
  if (isKey || hasBalancedBraces(text, tag, path.end)) return undefined;
  return describeUnclosedTag(text, tag, path.end, sigil, path);
}

function describeUnclosedTag(
  text: string,
  tag: Tag,
  end: number,
  sigil: string,
  path: Path | undefined,
): UnclosedTag {
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

/** The beginnings of tags that something has to follow, without their spaces. */
const incompleteTags: ReadonlySet<string> = new Set([
  "#",
  "#if",
  "#unless",
  "#each",
  "#with",
  "artifacts.",
  "fragments.",
  "fragment:",
]);
const maxIncompleteTagLength = 20;

/** Filters with nothing to be applied to: `| upper`, `| default("x")`. */
const leadingFilters = /^(?:\|\s*[A-Za-z_]\w*\s*)+(?:$|[(:])/;

/** What is wrong with a tag that reads something and does not say what: `{{}}`, `{{fragments.}}`, `{{#if}}`. */
export function missingNameMessage(text: string, from: number, to: number): string | undefined {
  if (from === to) return 'There is no name between "{{" and "}}".';
  if (text[from] === "|") {
    return leadingFilters.test(text.slice(from, to)) ? 'There is no name before "|".' : undefined;
  }
  if (to - from > maxIncompleteTagLength) return undefined;
  const written = text.slice(from, to).replaceAll(/\s/g, "");
  return incompleteTags.has(written) ? `There is no name after "${written}".` : undefined;
}
