import { nameEnd, segmentEnd } from "./characters.js";
import { named } from "./path.js";
import type { OddNames, Reference } from "./template.js";

/** Longer names are not looked for: a hostile pack could make that costly. */
const longest = 200;
/** Such a name with its namespace. */
const longestTag = longest + 50;

/** Whether a name has a dot, a space or the like in it, or starts with a digit, so that it is no name by its look. */
export function isOdd(name: string): boolean {
  return name.length <= longest && nameEnd(name, 0, name.length) < name.length;
}

/** What is read of such a name where it is not known: `user` of `user.name`, `customer` of `$customer!`. */
export function firstName(name: string): string {
  let at = 0;
  while (at < longest && at < name.length && segmentEnd(name, at, name.length) === at) at++;
  return name.slice(at, nameEnd(name, at, name.length));
}

/** What `{{artifacts.test report}}` or `{{2nd}}` stands for, where something is called so. */
export function oddReference(
  text: string,
  from: number,
  to: number,
  { fragment, artifact }: OddNames,
): Reference | undefined {
  if (to - from > longestTag || fragment.size + artifact.size === 0) return undefined;
  const written = text.slice(from, to).trimEnd();
  const [space = ""] = /^(?:artifacts\.|fragments\.|fragment:\s*)?/.exec(written) ?? [];
  const kind = space === "" ? "name" : space.startsWith("a") ? "artifact" : "fragment";
  const name = { start: from + space.length, end: from + written.length };
  const names = kind === "artifact" ? artifact : fragment;
  if (!names.has(text.slice(name.start, name.end))) return undefined;
  return named(kind, text, { start: from, end: name.end }, name);
}

/** The same up to the next brace. */
export function closedOddReference(text: string, from: number, odd: OddNames): Reference | undefined {
  const close = text.slice(from, from + longestTag).indexOf("}");
  return close === -1 ? undefined : oddReference(text, from, from + close, odd);
}
