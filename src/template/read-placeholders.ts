import { shown } from "./blocks.js";
import { skipSpaces } from "./characters.js";
import { readPath, referenceOf } from "./path.js";
import type { Syntax } from "./syntax.js";
import type { Reference, Template, TemplateFault } from "./template.js";
import { literals } from "./tokens.js";

/** Reads `{name}` or `${name}`. Braces are common in prose, code and JSON: what has not this shape is text. */
export function readPlaceholders(text: string, { open }: Syntax): Template {
  const references: Reference[] = [];
  const faults: TemplateFault[] = [];
  let next = 0;
  for (let at = text.indexOf(open); at !== -1; at = text.indexOf(open, next)) {
    const from = open === "{" ? lastOfRun(text, at) + 1 : at + open.length;
    next = from;
    if (text[at - 1] === "\\" || (open === "{" && (from - at) % 2 === 0)) continue;
    const start = skipSpaces(text, from, text.length);
    const path = readPath(text, start, text.length);
    if (path === undefined || literals.has(text.slice(path.start, path.end))) continue;
    next = path.end;
    const after = skipSpaces(text, path.end, text.length);
    const reference = referenceOf(text, path);
    if (text[after] === "}") {
      const doubtful = open === "{" ? start > from : text[at - 1] === "$";
      references.push(doubtful ? { ...reference, local: true } : reference);
    } else if (isFormatted(text, after)) {
      references.push({ ...reference, local: true });
    } else if (open === "${" && after === text.length) {
      references.push({ ...reference, local: true });
      const written = shown(text.slice(at, path.end));
      faults.push({
        start: at,
        end: path.end,
        message: `The reference "${written}" is not closed: add "}".`,
      });
    }
  }
  return { references, faults };
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
