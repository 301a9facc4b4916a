import type { Fix } from "../diagnostic.js";
import type { Directive } from "./directives.js";
import type { Document } from "../document/document.js";
import { removeComment } from "../document/edit/edit.js";
import { withoutTrailingColon } from "./rule-list.js";

/** Takes the names that silence nothing out of a comment, or the comment away when they are all it has. */
export function removeStaleRules(
  document: Document,
  directive: Directive,
  stale: readonly string[],
  areAll: boolean,
): Fix | undefined {
  const { comment, list } = directive;
  if (areAll) {
    const edits = removeComment(document, comment);
    return edits === undefined ? undefined : { description: "Remove the comment.", edits };
  }
  const text = removeNames(document.text.slice(list.start, list.end), new Set(stale));
  const description = `Remove ${stale.map((rule) => `"${rule}"`).join(", ")} from the comment.`;
  return { description, edits: [{ ...list, text }] };
}

/** What is left keeps the marks that stood before it; the first name takes those of the list. */
function removeNames(list: string, names: ReadonlySet<string>): string {
  let left = "";
  let rest = "";
  for (const [whole, marks = "", name = ""] of list.matchAll(/([\s,]*)([^\s,]*)/gu)) {
    if (name === "") rest += whole;
    else if (!names.has(withoutTrailingColon(name)))
      left += left === "" ? (/^\s*/u.exec(list)?.[0] ?? "") + name : marks + name;
  }
  return left + rest;
}
