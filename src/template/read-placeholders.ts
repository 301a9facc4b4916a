import { Blocks, mostFaults, shortened } from "./blocks.js";
import { closingBrace, isEscaped, nameEnd, skipSpaces } from "./characters.js";
import { closedOddReference } from "./odd-names.js";
import { readPath } from "./path.js";
import { PlaceholderBlocks } from "./placeholder-blocks.js";
import { References } from "./references.js";
import type { Syntax } from "./syntax.js";
import type { Reference, Template } from "./template.js";
import { literals } from "./tokens.js";

/**
 * Reads `{name}` or `${name}`, and blocks of them. Braces are common in prose, code and JSON: what has not this shape is
 * text. Only a `${` says by itself that a reference was meant.
 */
export function readPlaceholders(text: string, syntax: Syntax): Template {
  const { open } = syntax;
  const isMarked = open === "${";
  const odd = syntax.oddNames?.();
  const blocks = new Blocks(syntax);
  const references = new References(text, blocks, odd);
  const blockTags = new PlaceholderBlocks(text, syntax, isMarked, blocks, references);
  const add = (reference: Reference, certain: boolean): void => {
    references.add(certain ? reference : { ...reference, local: true }, certain);
  };
  const isHopeless = () => isMarked && blocks.faults.length >= mostFaults;
  let next = 0;
  for (let at = text.indexOf(open); at !== -1 && !isHopeless(); at = text.indexOf(open, next)) {
    const from = isMarked ? at + open.length : lastOfRun(text, at) + 1;
    next = from;
    if (isEscaped(text, at) || (!isMarked && (from - at) % 2 === 0)) continue;
    const start = skipSpaces(text, from, text.length);
    const isSure = isMarked ? text[at - 1] !== "$" : start === from;
    const fault = (end: number, message: string): void => {
      if (isMarked && isSure) blocks.faults.push({ start: at, end, message });
    };
    if (text[start] === "}") fault(start + 1, 'There is no name between "${" and "}".');
    const closed = odd && closedOddReference(text, start, odd);
    if (closed !== undefined) {
      add(closed, isSure);
      continue;
    }
    if (isSure && blockTags.read(at, start)) continue;
    const path = readPath(text, start, text.length);
    if (path === undefined) continue;
    const isLiteral = literals.has(text.slice(path.start, path.end));
    const after = skipSpaces(text, path.end, text.length);
    if (isLiteral && text[after] !== "}") continue;
    next = path.end;
    const reference = references.of(path);
    if (text[after] === "}") {
      // A variable may be called `none`, too.
      add(reference, isSure && !isLiteral);
      references.addKeys(path);
    } else if (isFormatted(text, after)) {
      add(reference, isMarked && isSure && isFiltered(text, after));
    } else if (closingBrace(text, path.end, open) === undefined) {
      add(reference, false);
      fault(path.end, `The reference "${shortened(text.slice(at, path.end))}" is not closed: add "}".`);
    }
  }
  if (!isMarked) return { references: references.found, faults: [] };
  if (!isHopeless()) blocks.finish();
  return { references: references.found, faults: blocks.faults.sort((a, b) => a.start - b.start) };
}

function lastOfRun(text: string, at: number): number {
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
