import type { Span } from "../diagnostic.js";
import {
  isEscaped,
  isSpace,
  type Path,
  readPath,
  skipSpaces,
  type TemplateError,
  truncateName,
} from "./path.js";

/** `from` and `to` delimit the content between `{{` and `}}`, without the marks that trim white space. */
export interface Tag extends Span {
  readonly kind: "tag" | "comment" | "unclosed";
  readonly from: number;
  readonly to: number;
}

/** The unescaped tags of a text. An unclosed tag ends where the next one starts. */
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
    // Four or more braces are an escape of another engine, or not a template, except at the end of the text.
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

/** Limits the search inside one tag, which hostile input could make costly. */
const maxTagLength = 300;
/** Excludes JSON and strings that contain a whole tag. An apostrophe inside a word does not start a string. */
const tagWithStrings =
  /^(?!\s*(?:[\w.-]+\s*[:,]|["'`]))(?:[^"'`{}\n]|(?<!\w)(?:"[^"}\n]*"|'[^'}\n]*'|`[^`}\n]*`))*\}\}/;

/** The end of `x | default("{{")}}`, where quoted braces are plain text. */
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

/** Finds the next occurrence at or after ever larger offsets, or the text length, scanning the text once. */
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

/** Distinguishes a `{{` that lacks its `}}` from braces in code, JSON or TeX. */
export function readUnclosedTag(text: string, tag: Tag): UnclosedTag | undefined {
  const first = skipSpaces(text, tag.from, tag.to);
  if (first < text.length && /[\r\n]/.test(text.slice(tag.from, first))) return undefined;
  const isEmpty = first === text.length || (first === tag.to && startsNamedTag(text, first));
  if (first === tag.to && !isEmpty) return undefined;
  const sigil = !isEmpty && "#/^>&!".includes(text.charAt(first)) ? text.charAt(first) : "";
  const path = isEmpty ? undefined : readPath(text, skipSpaces(text, first + sigil.length, tag.to), tag.to);
  if (path === undefined && !isEmpty && sigil !== "!") return undefined;
  if (path !== undefined) {
    const isKey = sigil === "" && text[skipSpaces(text, path.end, tag.to)] === ":";
    if (isKey || hasBalancedBraces(text, tag, path.end)) return undefined;
  }
  const end = path?.end ?? first + sigil.length;
  let last = end;
  while (isSpace(text, last - 1)) last--;
  const kind = sigil === "!" ? "comment" : ["", ">", "&"].includes(sigil) ? "reference" : "tag";
  let problem = 'is not closed: add "}}"';
  if (text[skipSpaces(text, end, tag.to)] === "}") problem = 'is closed by one brace: add another "}"';
  else if (hasTagInside(text, tag)) problem = "has another tag inside it: write names there without braces";
  else if (isEmpty) problem = 'is not closed: remove it, or add a name and "}}"';
  const message = `The ${kind} "${truncateName(text.slice(tag.start, last))}" ${problem}.`;
  return { error: { start: tag.start, end: last, message }, sigil, path };
}

/** Whether a complete tag with a leading name starts at `at`, as opposed to braces in code, JSON or TeX. */
function startsNamedTag(text: string, at: number): boolean {
  const tag = /^\{\{[^{}\n]*\}\}/.exec(text.slice(at, at + maxTagLength))?.[0] ?? "";
  const end = at + tag.length - 2;
  const first = skipSpaces(text, at + ("-~".includes(tag.charAt(2)) ? 3 : 2), end);
  const sigil = "#/^>&".includes(text.charAt(first)) ? 1 : 0;
  const path = readPath(text, skipSpaces(text, first + sigil, end), end);
  return path !== undefined && text[skipSpaces(text, path.end, end)] !== ":";
}

/** `{{#if x == '{{y}}'}}`: the tag is closed after the tags inside it, on the same line. */
function hasTagInside(text: string, { from }: Tag): boolean {
  let depth = 1;
  for (const [sign] of text.slice(from, from + maxTagLength).matchAll(/\{\{|\}\}|[{}\n]/g)) {
    if (sign === "{{") depth++;
    else if (sign !== "}}") return false;
    else if (--depth === 0) return true;
  }
  return false;
}

/** `{{a}_b}`: all braces match on one line, with text between the last two. */
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

const incompleteTag = /^(?:#(?:if|unless|each|with)?|artifacts\.|fragments\.|fragment:)$/;
const maxIncompleteTagLength = 20;

/** Filters without an input: `| upper`, `| default("x")`. */
const leadingFilters = /^(?:\|\s*[A-Za-z_]\w*\s*)+(?:$|[(:])/;

export function missingNameMessage(text: string, from: number, to: number): string | undefined {
  if (from === to) return 'There is no name between "{{" and "}}".';
  if (text[from] === "|") {
    return leadingFilters.test(text.slice(from, to)) ? 'There is no name before "|".' : undefined;
  }
  if (to - from > maxIncompleteTagLength) return undefined;
  const written = text.slice(from, to).replaceAll(/\s/g, "");
  return incompleteTag.test(written) ? `There is no name after "${written}".` : undefined;
}
