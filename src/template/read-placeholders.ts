import { maxTemplateErrors, truncateName } from "./blocks.js";
import { isEscaped, nameEnd, skipSpaces } from "./characters.js";
import { bracedIrregularReference } from "./odd-names.js";
import { standaloneReference, readPath, referenceOf } from "./path.js";
import type { Syntax } from "./syntax.js";
import type { IrregularNames, Reference, Template, TemplateError } from "./template.js";
import { literalKeywords, tokensOf } from "./tokens.js";

/**
 * Reads `{name}` or `${name}`. Braces are common in prose, code and JSON: what has not this shape is text. Only a `${`
 * says by itself that a reference was meant.
 */
export function readPlaceholders(text: string, { open, irregularNames }: Syntax): Template {
  const references: Reference[] = [];
  const errors: TemplateError[] = [];
  const isMarked = open === "${";
  const odd = irregularNames?.();
  let next = 0;
  for (let at = text.indexOf(open); at !== -1 && errors.length < maxTemplateErrors; at = text.indexOf(open, next)) {
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
