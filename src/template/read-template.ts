import type { Span } from "../diagnostic.js";
import {
  type IrregularNames,
  irregularReference,
  isEscaped,
  maxIrregularTagLength,
  maxTemplateErrors,
  nameEnd,
  readPath,
  type Reference,
  referenceOf,
  skipSpaces,
  standaloneReference,
  type Template,
  type TemplateError,
  truncateName,
} from "./path.js";
import { readTags } from "./read-tags.js";
import { tagsOf } from "./tags.js";
import { literalKeywords, tokensOf } from "./tokens.js";

export { isIrregularName } from "./path.js";
export type { IrregularNames, Reference, Template } from "./path.js";

export interface Syntax {
  readonly open: string;
  readonly close: string;
  readonly irregularNames?: () => IrregularNames;
}

export const defaultSyntax: Syntax = { open: "{{", close: "}}" };

/** Longest match first. */
const supportedSyntaxes: readonly Syntax[] = [
  defaultSyntax,
  { open: "${", close: "}" },
  { open: "{", close: "}" },
];

const asciiPlaceholder = /^[A-Za-z_][\w.-]*$/;
/** Compiled on demand: property escapes are slow to compile. */
const unicodePlaceholder = () => /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** Engines whose references look like `{{variable}}`; `{{}}` is the sample without a name. */
const engineNames =
  /^(?:\{\{\s*\}\}|handlebars|mustache|jinja2?|nunjucks|liquid|double[ _-](?:brace|curly)s?)$/i;

/** Whether an engine is named, rather than a sample given, that may use the default syntax. */
export function namesDefaultSyntax(declared: string): boolean {
  return engineNames.test(declared.trim());
}

export function parseSyntax(declared: string): Syntax | undefined {
  const sample = declared.trim();
  return supportedSyntaxes.find(({ open, close }) => {
    if (!sample.startsWith(open) || !sample.endsWith(close)) return false;
    const name = sample.slice(open.length, -close.length).trim();
    return asciiPlaceholder.test(name) || unicodePlaceholder().test(name);
  });
}

/** Reads any string, in time linear in its length. */
export function readTemplate(text: string, syntax: Syntax): Template {
  return syntax.open === "{{" ? readTags(text, syntax.irregularNames?.()) : readPlaceholders(text, syntax);
}

/** Reads `{name}` or `${name}`. Other braces are text: they are common in prose, code and JSON. */
function readPlaceholders(text: string, { open, irregularNames }: Syntax): Template {
  const references: Reference[] = [];
  const errors: TemplateError[] = [];
  const isMarked = open === "${";
  const irregular = irregularNames?.();
  let next = 0;
  for (let at = text.indexOf(open); at !== -1; at = text.indexOf(open, next)) {
    if (errors.length >= maxTemplateErrors) break;
    let from = at + open.length;
    if (!isMarked) while (text[from] === "{") from++;
    next = from;
    if (isEscaped(text, at) || (!isMarked && (from - at) % 2 === 0)) continue;
    const start = skipSpaces(text, from, text.length);
    const isDoubtful = isMarked ? text[at - 1] === "$" : start > from;
    const add = (reference: Reference, isCertain: boolean) =>
      references.push(isCertain && !isDoubtful ? reference : { ...reference, local: true });
    // Without the dollar sign, a brace need not be a reference.
    const report = (end: number, message: string): void => {
      if (isMarked && !isDoubtful) errors.push({ start: at, end, message });
    };
    if (text[start] === "}") report(start + 1, 'There is no name between "${" and "}".');
    const length = irregular ? text.slice(start, start + maxIrregularTagLength).indexOf("}") : -1;
    const named = irregular && irregularReference(text, start, start + length, irregular);
    if (named !== undefined) {
      add(named, true);
      continue;
    }
    const path = readPath(text, start, text.length);
    if (path === undefined) continue;
    const isLiteral = literalKeywords.has(text.slice(path.start, path.end));
    const after = skipSpaces(text, path.end, text.length);
    if (isLiteral && text[after] !== "}") continue;
    next = path.end;
    // A variable may be called `none`.
    if (text[after] === "}") add(standaloneReference(text, path, irregular), !isLiteral);
    else if (isFormatted(text, after))
      add(referenceOf(text, path, irregular), isMarked && isFiltered(text, after));
    else if (isUnclosed(text, path.end, open)) {
      add(referenceOf(text, path, irregular), false);
      report(path.end, `The reference "${truncateName(text.slice(at, path.end))}" is not closed: add "}".`);
    }
  }
  const all = [...references, ...namesInBlocks(text, irregular)];
  return { references: all.sort((a, b) => a.start - b.start), errors };
}

/** `${#if vip}`, `{{#each items}}`: the engine may not support blocks, but the names in them may be used. */
function* namesInBlocks(text: string, irregular: IrregularNames | undefined): Generator<Reference> {
  for (let at = text.indexOf("{#"); at !== -1; at = text.indexOf("{#", at + 2)) {
    if (isUnclosed(text, at + 2, "{")) continue;
    for (const token of tokensOf(text, at + 2, text.indexOf("}", at)))
      if (token.kind === "path") yield { ...referenceOf(text, token.path, irregular), local: true };
  }
}

/** `{price:.2f}`, `{name!r}`, `${name | upper}`, `${name:-friend}`; JSON and CSS may look the same. */
function isFormatted(text: string, at: number): boolean {
  return at < text.length && ":!|?".includes(text.charAt(at)) && !isUnclosed(text, at + 1, "{");
}

function isFiltered(text: string, at: number): boolean {
  const name = skipSpaces(text, at + 1, text.length);
  return text[at] === "|" && nameEnd(text, name, text.length) > name;
}

/** Whether the line ends, or another reference opens, before the next closing brace. */
function isUnclosed(text: string, at: number, open: string): boolean {
  for (let end = at; end < text.length; end++) {
    if (text[end] === "}") return false;
    if (text[end] === "\n" || text.startsWith(open, end)) return true;
  }
  return true;
}

/** The text with spaces for comments and for these references: every offset stays the same. */
export function literalText(text: string, { open }: Syntax, references: Iterable<Reference>): string {
  const hasComments = open === "{{" && /\{\{[-~]?!/.test(text);
  const hidden: Span[] = hasComments ? [...tagsOf(text)].filter(({ kind }) => kind === "comment") : [];
  for (const { start, end } of references)
    hidden.push({ start, end: Math.max(end, readPath(text, start, text.length)?.end ?? end) });
  if (hidden.length === 0) return text;
  hidden.sort((a, b) => a.start - b.start);
  let shown = "";
  let at = 0;
  for (const { start, end } of hidden) {
    const from = Math.max(at, start);
    shown += text.slice(at, from) + " ".repeat(Math.max(0, end - from));
    at = Math.max(at, end);
  }
  return shown + text.slice(at);
}
