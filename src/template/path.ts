import type { IrregularNames, Reference, Span } from "./template.js";

/** `user.profile.name`, `items[0].title`, `artifacts.x`, `fragment:x`. */
export interface Path extends Span {
  readonly head: Span;
  /** The segment after the head, without brackets and quotes. */
  readonly second: (Span & { readonly outerEnd: number }) | undefined;
  /** Names between brackets: `lang` of `labels[lang]`. */
  readonly keys: readonly Span[];
}

/** Names with dots are looked for in paths up to this length: a hostile one could make that costly. */
const maxPathLength = 400;

interface Segment extends Span {
  readonly outerEnd: number;
  readonly isName: boolean;
}

/** The path that starts at `at`, as far as it goes; nothing when no name starts there. */
export function readPath(text: string, at: number, limit: number): Path | undefined {
  const headEnd = nameEnd(text, at, limit);
  if (headEnd === at) return undefined;
  const head = { start: at, end: headEnd };
  const name = text.slice(at, headEnd);
  const included = name === "fragment" ? readAfterColon(text, headEnd, limit) : undefined;
  if (included !== undefined) return { ...head, end: included.end, head, second: included, keys: [] };

  const keys: Span[] = [];
  let second: Segment | undefined;
  let end = headEnd;
  for (;;) {
    const isFragment = end === headEnd && name === "fragments";
    const segment =
      readDotted(text, end, limit, isFragment ? fragmentNameEnd : segmentEnd) ??
      readBracketed(text, end, limit);
    if (segment === undefined) return { start: at, end, head, second, keys };
    if (segment.isName) keys.push(segment);
    else second ??= end === headEnd ? segment : undefined;
    end = segment.outerEnd;
  }
}

/** The path behind `@root`: `.name.first`, `["name"]`. */
export function readField(text: string, at: number, limit: number): Path | undefined {
  if (text[at] === ".") return readPath(text, at + 1, limit);
  const key = readBracketed(text, at, limit);
  return key && { start: key.start, end: key.outerEnd, head: key, second: undefined, keys: [] };
}

const namespacesWithoutColon: ReadonlySet<string> = new Set(["artifact", "artifacts", "fragments"]);

/** The path that has a tag to itself; `artifact:x`, which nothing is read by, is what `artifact` names, and perhaps `x`. */
export function readStandalonePath(text: string, at: number, limit: number): Path | undefined {
  const path = readPath(text, at, limit);
  if (path === undefined) return undefined;
  const behind = namespacesWithoutColon.has(text.slice(at, path.end))
    ? readAfterColon(text, path.end, limit)
    : undefined;
  if (skipSpaces(text, behind?.end ?? path.end, limit) < limit) return undefined;
  return behind === undefined ? path : { ...path, keys: [behind] };
}

/** What a path stands for where no block gives its names another meaning. */
export function referenceOf(text: string, path: Path, odd?: IrregularNames): Reference {
  const { head, second } = path;
  const kind = namespaceOf(text, head);
  if (kind === undefined) {
    const name = longestKnownName(text, head, path.end, odd?.fragment);
    return createReference("name", text, name, name);
  }
  // The namespace as a whole, as in `{{#each artifacts}}`: not a variable's name, unless one is called so.
  if (second === undefined) return { ...createReference("name", text, head, head), local: true };
  const name = longestKnownName(text, second, path.end, odd?.[kind]);
  const end = Math.max(second.outerEnd, name.end);
  return createReference(kind, text, { start: path.start, end }, name);
}

/**
 * What a path stands for that has a tag to itself. All artifacts or fragments can be walked through, but not be put into
 * a text: `{{artifacts}}` reads a variable of that name.
 */
export function standaloneReference(text: string, path: Path, odd?: IrregularNames): Reference {
  const { head } = path;
  return path.end === head.end ? createReference("name", text, head, head) : referenceOf(text, path, odd);
}

/** As much of a path as is a name; its first segment, as a rule. */
function longestKnownName(text: string, first: Span, limit: number, names?: ReadonlySet<string>): Span {
  if (names === undefined || names.size === 0 || limit - first.start > maxPathLength) return first;
  const written = text.slice(first.start, limit);
  for (let size = written.length; size > 0; size = written.lastIndexOf(".", size - 1))
    if (names.has(written.slice(0, size))) return { start: first.start, end: first.start + size };
  return first;
}

function namespaceOf(text: string, head: Span): "artifact" | "fragment" | undefined {
  const name = text.slice(head.start, head.end);
  if (name === "artifacts") return "artifact";
  return name === "fragments" || (name === "fragment" && text[head.end] === ":") ? "fragment" : undefined;
}

export function createReference(kind: Reference["kind"], text: string, whole: Span, name: Span): Reference {
  return {
    kind,
    name: text.slice(name.start, name.end),
    start: whole.start,
    end: whole.end,
    nameStart: name.start,
    nameEnd: name.end,
  };
}

function readAfterColon(text: string, at: number, limit: number): Segment | undefined {
  if (text[at] !== ":") return undefined;
  const start = skipSpaces(text, at + 1, limit);
  const end = fragmentNameEnd(text, start, limit, "/.");
  return end === start ? undefined : { start, end, outerEnd: end, isName: false };
}

/** As `segmentEnd`, for the name of a fragment, which may be a path of folders: `shared/header`. */
function fragmentNameEnd(text: string, at: number, limit: number, joints = "/"): number {
  let end = segmentEnd(text, at, limit);
  while (end > at && end < limit && joints.includes(text.charAt(end))) {
    const next = segmentEnd(text, end + 1, limit);
    if (next === end + 1) break;
    end = next;
  }
  return end;
}

/** `.name`, `?.name`, `.0`, and the `.[0]` of Handlebars. */
function readDotted(text: string, at: number, limit: number, endOf: typeof segmentEnd): Segment | undefined {
  const dot = text[at] === "?" ? at + 1 : at;
  if (text[dot] !== ".") return undefined;
  const start = dot + 1;
  const end = endOf(text, start, limit);
  return end === start ? readBracketed(text, start, limit) : { start, end, outerEnd: end, isName: false };
}

/** `[0]`, `["name"]`, `[name]`. */
function readBracketed(text: string, at: number, limit: number): Segment | undefined {
  if (text[at] !== "[") return undefined;
  const quote = text[at + 1];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 2);
    if (end <= at + 2 || end + 1 >= limit || text[end + 1] !== "]") return undefined;
    return { start: at + 2, end, outerEnd: end + 2, isName: false };
  }
  const end = segmentEnd(text, at + 1, limit);
  if (end === at + 1 || end >= limit || text[end] !== "]") return undefined;
  return { start: at + 1, end, outerEnd: end + 1, isName: nameEnd(text, at + 1, limit) === end };
}

/** Longer names are not looked for: a hostile pack could make that costly. */
const maxIrregularNameLength = 200;
/** Such a name with its namespace. */
const maxIrregularTagLength = maxIrregularNameLength + 50;

/** Whether a name has a dot, a space or the like in it, or starts with a digit, so that it is no name by its look. */
export function isIrregularName(name: string): boolean {
  return name.length <= maxIrregularNameLength && nameEnd(name, 0, name.length) < name.length;
}

/** What is read of such a name where it is not known: `user` of `user.name`, `customer` of `$customer!`. */
export function leadingIdentifier(name: string): string {
  let at = 0;
  while (at < maxIrregularNameLength && at < name.length && segmentEnd(name, at, name.length) === at) at++;
  return name.slice(at, nameEnd(name, at, name.length));
}

/** What `{{artifacts.test report}}` or `{{2nd}}` stands for, where something is called so. */
export function irregularReference(
  text: string,
  from: number,
  to: number,
  { fragment, artifact }: IrregularNames,
): Reference | undefined {
  if (to - from > maxIrregularTagLength || fragment.size + artifact.size === 0) return undefined;
  const written = text.slice(from, to).trimEnd();
  const [space = ""] = /^(?:artifacts\.|fragments\.|fragment:\s*)?/.exec(written) ?? [];
  const kind = space === "" ? "name" : space.startsWith("a") ? "artifact" : "fragment";
  const name = { start: from + space.length, end: from + written.length };
  const names = kind === "artifact" ? artifact : fragment;
  if (!names.has(text.slice(name.start, name.end))) return undefined;
  return createReference(kind, text, { start: from, end: name.end }, name);
}

/** The same up to the next brace. */
export function bracedIrregularReference(
  text: string,
  from: number,
  odd: IrregularNames,
): Reference | undefined {
  const close = text.slice(from, from + maxIrregularTagLength).indexOf("}");
  return close === -1 ? undefined : irregularReference(text, from, from + close, odd);
}

const unicodeNameCharacter = () => /[\p{L}\p{N}\p{M}]/u;

export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

export function skipSpaces(text: string, at: number, limit: number): number {
  while (at < limit && isSpace(text, at)) at++;
  return at;
}

/** Whether a backslash takes away the meaning of what stands at `at`; two are a backslash. */
export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === "\\") start--;
  return (at - start) % 2 === 1;
}

export function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** How many code units of a name stand at `at`: 0 when none. */
function nameCharacterLength(text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined) return 0;
  if (code < 0x80) {
    const lower = code | 32;
    return (lower >= 97 && lower <= 122) || isDigit(text, at) || code === 95 ? 1 : 0;
  }
  const character = String.fromCodePoint(code);
  return unicodeNameCharacter().test(character) ? character.length : 0;
}

/** Where the segment of a path that starts at `at` ends; `at` itself when none starts there. A hyphen only joins. */
export function segmentEnd(text: string, at: number, limit: number): number {
  let end = at;
  for (;;) {
    const joined = end > at && text[end] === "-" ? 1 : 0;
    const size = end + joined < limit ? nameCharacterLength(text, end + joined) : 0;
    if (size === 0) return end;
    end += joined + size;
  }
}

/** As `segmentEnd`, for the name that a path starts with: it does not begin with a digit. */
export function nameEnd(text: string, at: number, limit: number): number {
  return isDigit(text, at) ? at : segmentEnd(text, at, limit);
}
