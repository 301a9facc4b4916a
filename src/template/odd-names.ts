import { nameEnd, segmentEnd } from "./characters.js";
import { createReference } from "./path.js";
import type { IrregularNames, Reference } from "./template.js";

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
export function bracedIrregularReference(text: string, from: number, odd: IrregularNames): Reference | undefined {
  const close = text.slice(from, from + maxIrregularTagLength).indexOf("}");
  return close === -1 ? undefined : irregularReference(text, from, from + close, odd);
}
