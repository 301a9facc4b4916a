import { readPlaceholders } from "./read-placeholders.js";
import { readTags } from "./read-tags.js";
import type { Syntax } from "./syntax.js";
import type { Template } from "./template.js";

export { type Syntax, syntaxes, syntaxOf, usualSyntax } from "./syntax.js";
export { shownText } from "./shown-text.js";
export { firstName, isOdd } from "./odd-names.js";
export type { OddNames, Reference, Template } from "./template.js";

/** Finds the references of a template by its delimiters. Takes any string, in time linear in its length. */
export function readTemplate(text: string, syntax: Syntax): Template {
  return syntax.open === "{{" ? readTags(text, syntax.oddNames?.()) : readPlaceholders(text, syntax);
}
