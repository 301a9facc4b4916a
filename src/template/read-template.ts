import { readPlaceholders } from "./read-placeholders.js";
import { readTags } from "./read-tags.js";
import type { Syntax } from "./syntax.js";
import type { Template } from "./template.js";

export { type Syntax, supportedSyntaxes, parseSyntax, defaultSyntax } from "./syntax.js";
export { literalText } from "./shown-text.js";
export { leadingIdentifier, isIrregularName } from "./odd-names.js";
export type { IrregularNames, Reference, Template } from "./template.js";

/** Finds the references of a template by its delimiters. Takes any string, in time linear in its length. */
export function readTemplate(text: string, syntax: Syntax): Template {
  return syntax.open === "{{" ? readTags(text, syntax.irregularNames?.()) : readPlaceholders(text, syntax);
}
