import { isEscaped, skipSpaces } from "./characters.js";
import type { Span } from "./template.js";

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
