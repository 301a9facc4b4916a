import { nameEnd, segmentEnd, skipSpaces } from "./characters.js";
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
      readDotted(text, end, limit, isFragment ? fragmentNameEnd : segmentEnd) ?? readBracketed(text, end, limit);
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
  const behind = namespacesWithoutColon.has(text.slice(at, path.end)) ? readAfterColon(text, path.end, limit) : undefined;
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
