import type { Span } from "../diagnostic.js";
import { maskSecrets } from "../text/secrets.js";

/** References and errors, both in text order; offsets count from the start of the template string. */
export interface Template {
  readonly references: readonly Reference[];
  readonly errors: readonly TemplateError[];
}

/** `start` and `end` are the range to underline: a variable's name, or the whole of `artifacts.x`. */
export interface Reference extends Span {
  /** `{{x}}`; `{{fragments.x}}`, `{{fragment:x}}` or `{{> x}}`; `{{artifacts.x}}`. */
  readonly kind: "name" | "fragment" | "artifact";
  /** `user` of `user.profile.name`, `x` of `artifacts.x`; longer if an irregular name matches. */
  readonly name: string;
  /** The range of the name alone, for fixes. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Possibly a field of an `{{#each}}` item, a word of prose or an argument: an undeclared name is no error. */
  readonly local?: true;
  /** A fragment included inside `{{#each}}` or with arguments, which may redefine the names it reads. */
  readonly scoped?: true;
  /** Where the block that it is in tests the same name: `{{#if artifacts.x}}{{artifacts.x}}{{/if}}`. */
  readonly testedAt?: number;
  /** In a tag that opens a block, which is left out if there is no value. */
  readonly opensBlock?: true;
}

/** Declared names that are not identifiers: `shared.header`, `test report`, `2nd`. */
export interface IrregularNames {
  readonly fragment: ReadonlySet<string>;
  readonly artifact: ReadonlySet<string>;
}

export interface TemplateError extends Span {
  readonly message: string;
}

/** Reading stops here: a text with more errors is probably not a template. */
export const maxTemplateErrors = 1_000;

export function truncateName(whole: string): string {
  const name = maskSecrets(whole);
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

/** `user.profile.name`, `items[0].title`, `artifacts.x`, `fragment:x`. */
export interface Path extends Span {
  readonly head: Span;
  /** The segment after the head, without brackets and quotes. */
  readonly second: (Span & { readonly outerEnd: number }) | undefined;
  /** Names between brackets: `lang` of `labels[lang]`. */
  readonly keys: readonly Span[];
}

interface Segment extends Span {
  readonly outerEnd: number;
  readonly isName: boolean;
}

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

export function readField(text: string, at: number, limit: number): Path | undefined {
  if (text[at] === ".") return readPath(text, at + 1, limit);
  const key = readBracketed(text, at, limit);
  return key && { start: key.start, end: key.outerEnd, head: key, second: undefined, keys: [] };
}

const namespacesWithoutColon: ReadonlySet<string> = new Set(["artifact", "artifacts", "fragments"]);

/** A path that is the whole tag. `artifact:x` is not valid syntax: it reads `artifact`, and possibly `x`. */
export function readStandalonePath(text: string, at: number, limit: number): Path | undefined {
  const path = readPath(text, at, limit);
  if (path === undefined) return undefined;
  const key = namespacesWithoutColon.has(text.slice(at, path.end))
    ? readAfterColon(text, path.end, limit)
    : undefined;
  if (skipSpaces(text, key?.end ?? path.end, limit) < limit) return undefined;
  return key === undefined ? path : { ...path, keys: [key] };
}

/** Resolves a path outside any block that could redefine its names. */
export function referenceOf(text: string, path: Path, irregular?: IrregularNames): Reference {
  const { head, second } = path;
  const kind = namespaceOf(text, head);
  if (kind === undefined) {
    const name = longestKnownName(text, head, path.end, irregular?.fragment);
    return createReference("name", text, name, name);
  }
  // The whole namespace, as in `{{#each artifacts}}`, unless a variable has this name.
  if (second === undefined) return { ...createReference("name", text, head, head), local: true };
  const name = longestKnownName(text, second, path.end, irregular?.[kind]);
  const end = Math.max(second.outerEnd, name.end);
  return createReference(kind, text, { start: path.start, end }, name);
}

/** Resolves a path that is the whole tag. A namespace has no text of its own, so `{{artifacts}}` reads a variable. */
export function standaloneReference(text: string, path: Path, irregular?: IrregularNames): Reference {
  const { head } = path;
  return path.end === head.end
    ? createReference("name", text, head, head)
    : referenceOf(text, path, irregular);
}

/** Limits the search for dotted names, which hostile input could make costly. */
const maxPathLength = 400;

/** The longest prefix of a path that is a known name, or else its first segment. */
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

/** Like `segmentEnd`, for a fragment's name, which may contain folders: `shared/header`. */
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

/** Limits the search for irregular names, which hostile input could make costly. */
const maxIrregularNameLength = 200;
/** Includes the namespace. */
export const maxIrregularTagLength = maxIrregularNameLength + 50;

/** Whether a name is not an identifier, because of a dot, a space or a leading digit. */
export function isIrregularName(name: string): boolean {
  return name.length <= maxIrregularNameLength && nameEnd(name, 0, name.length) < name.length;
}

export function irregularReference(
  text: string,
  from: number,
  to: number,
  { fragment, artifact }: IrregularNames,
): Reference | undefined {
  if (to - from > maxIrregularTagLength || fragment.size + artifact.size === 0) return undefined;
  const written = text.slice(from, to).trimEnd();
  const [prefix = ""] = /^(?:artifacts\.|fragments\.|fragment:\s*)?/.exec(written) ?? [];
  const kind = prefix === "" ? "name" : prefix.startsWith("a") ? "artifact" : "fragment";
  const name = { start: from + prefix.length, end: from + written.length };
  const names = kind === "artifact" ? artifact : fragment;
  if (!names.has(text.slice(name.start, name.end))) return undefined;
  return createReference(kind, text, { start: from, end: name.end }, name);
}

/** Compiled on demand: property escapes are slow to compile. */
const unicodeNameCharacter = () => /[\p{L}\p{N}\p{M}]/u;

export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

export function skipSpaces(text: string, at: number, limit: number): number {
  while (at < limit && isSpace(text, at)) at++;
  return at;
}

export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === "\\") start--;
  return (at - start) % 2 === 1;
}

export function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

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

/** The end of the path segment that starts at `at`, or `at` if there is none. A hyphen may only join characters. */
export function segmentEnd(text: string, at: number, limit: number): number {
  let end = at;
  for (;;) {
    const joined = end > at && text[end] === "-" ? 1 : 0;
    const size = end + joined < limit ? nameCharacterLength(text, end + joined) : 0;
    if (size === 0) return end;
    end += joined + size;
  }
}

/** Like `segmentEnd`, for the first name of a path, which does not start with a digit. */
export function nameEnd(text: string, at: number, limit: number): number {
  return isDigit(text, at) ? at : segmentEnd(text, at, limit);
}
