import { maxTemplateErrors, truncateName } from "./blocks.js";
import {
  bracedIrregularReference,
  isEscaped,
  nameEnd,
  readPath,
  referenceOf,
  skipSpaces,
  standaloneReference,
} from "./path.js";
import { readTags } from "./read-tags.js";
import { tagsOf } from "./tags.js";
import type { IrregularNames, Reference, Span, Syntax, Template, TemplateError } from "./template.js";
import { literalKeywords, tokensOf } from "./tokens.js";

export { type Syntax, supportedSyntaxes, parseSyntax, defaultSyntax } from "./template.js";
export { leadingIdentifier, isIrregularName } from "./path.js";
export type { IrregularNames, Reference, Template } from "./template.js";

/** Finds the references of a template by its delimiters. Takes any string, in time linear in its length. */
export function readTemplate(text: string, syntax: Syntax): Template {
  return syntax.open === "{{" ? readTags(text, syntax.irregularNames?.()) : readPlaceholders(text, syntax);
}

/**
 * Reads `{name}` or `${name}`. Braces are common in prose, code and JSON: what has not this shape is text. Only a `${`
 * says by itself that a reference was meant.
 */
function readPlaceholders(text: string, { open, irregularNames }: Syntax): Template {
  const references: Reference[] = [];
  const errors: TemplateError[] = [];
  const isMarked = open === "${";
  const odd = irregularNames?.();
  let next = 0;
  for (
    let at = text.indexOf(open);
    at !== -1 && errors.length < maxTemplateErrors;
    at = text.indexOf(open, next)
  ) {
    const from = isMarked ? at + open.length : lastBraceOfRun(text, at) + 1;
    next = from;
    if (isEscaped(text, at) || (!isMarked && (from - at) % 2 === 0)) continue;
    const start = skipSpaces(text, from, text.length);
    const isDoubtful = isMarked ? text[at - 1] === "$" : start > from;
    const fault = (end: number, message: string): void => {
      if (isMarked && !isDoubtful) errors.push({ start: at, end, message });
    };
    if (text[start] === "}") fault(start + 1, 'There is no name between "${" and "}".');
    const closed = odd && bracedIrregularReference(text, start, odd);
    if (closed !== undefined) {
      references.push(isDoubtful ? { ...closed, local: true } : closed);
      continue;
    }
    const path = readPath(text, start, text.length);
    if (path === undefined) continue;
    const isLiteral = literalKeywords.has(text.slice(path.start, path.end));
    const after = skipSpaces(text, path.end, text.length);
    if (isLiteral && text[after] !== "}") continue;
    next = path.end;
    const reference = referenceOf(text, path, odd);
    if (text[after] === "}") {
      const lone = standaloneReference(text, path, odd);
      // A variable may be called `none`, too.
      references.push(isDoubtful || isLiteral ? { ...lone, local: true } : lone);
    } else if (isFormatted(text, after)) {
      const isSure = isMarked && !isDoubtful && isFiltered(text, after);
      references.push(isSure ? reference : { ...reference, local: true });
    } else if (isUnclosed(text, path.end, open)) {
      references.push({ ...reference, local: true });
      fault(path.end, `The reference "${truncateName(text.slice(at, path.end))}" is not closed: add "}".`);
    }
  }
  for (const reference of namesInBlocks(text, odd)) references.push(reference);
  return { references: references.sort((a, b) => a.start - b.start), errors };
}

/** `${#if vip}`, `{{#each items}}`: whether the engine knows blocks is not said, but what they name may be used. */
function* namesInBlocks(text: string, odd: IrregularNames | undefined): Generator<Reference> {
  for (let at = text.indexOf("{#"); at !== -1; at = text.indexOf("{#", at + 2)) {
    if (isUnclosed(text, at + 2, "{")) continue;
    for (const token of tokensOf(text, at + 2, text.indexOf("}", at)))
      if (token.kind === "path") yield { ...referenceOf(text, token.path, odd), local: true };
  }
}

function lastBraceOfRun(text: string, at: number): number {
  while (text[at + 1] === "{") at++;
  return at;
}

/** `{price:.2f}`, `{name!r}`, `${name | upper}`, `${name:-friend}`: a use, though JSON or CSS may look the same. */
function isFormatted(text: string, at: number): boolean {
  if (!":!|?".includes(text.charAt(at)) || at >= text.length) return false;
  for (let end = at + 1; end < text.length; end++) {
    const character = text[end];
    if (character === "}") return true;
    if (character === "{" || character === "\n") return false;
  }
  return false;
}

/** Whether the name of a filter stands behind a bar, as in `${name | upper}`. */
function isFiltered(text: string, at: number): boolean {
  const name = skipSpaces(text, at + 1, text.length);
  return text[at] === "|" && nameEnd(text, name, text.length) > name;
}

/** Whether no brace closes what stands at `at` before the line ends or another one opens. */
function isUnclosed(text: string, at: number, open: string): boolean {
  for (let end = at; end < text.length; end++) {
    if (text[end] === "}") return false;
    if (text[end] === "\n" || text.startsWith(open, end)) return true;
  }
  return true;
}

/** A text without what is not shown: its comments, and these references, which stand for their values. */
export function literalText(text: string, { open }: Syntax, references: Iterable<Reference>): string {
  const hidden = open === "{{" ? commentsIn(text) : [];
  for (const { start, end } of references)
    hidden.push({ start, end: Math.max(end, readPath(text, start, text.length)?.end ?? end) });
  if (hidden.length === 0) return text;
  hidden.sort((a, b) => a.start - b.start);
  let shown = "";
  let at = 0;
  for (const { start, end } of hidden) {
    shown += `${text.slice(at, Math.max(at, start))} `;
    at = Math.max(at, end);
  }
  return shown + text.slice(at);
}

const commentOpening = /\{\{[-~]?!/;

function commentsIn(text: string): Span[] {
  return commentOpening.test(text) ? [...tagsOf(text)].filter(({ kind }) => kind === "comment") : [];
}
