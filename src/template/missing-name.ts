/** The beginnings of tags that something has to follow, without their spaces. */
const incompleteTags: ReadonlySet<string> = new Set([
  "#",
  "#if",
  "#unless",
  "#each",
  "#with",
  "artifacts.",
  "fragments.",
  "fragment:",
]);
const maxIncompleteTagLength = 20;

/** Filters with nothing to be applied to: `| upper`, `| default("x")`. */
const leadingFilters = /^(?:\|\s*[A-Za-z_]\w*\s*)+(?:$|[(:])/;

/** What is wrong with a tag that reads something and does not say what: `{{}}`, `{{fragments.}}`, `{{#if}}`. */
export function missingNameMessage(text: string, from: number, to: number): string | undefined {
  if (from === to) return 'There is no name between "{{" and "}}".';
  if (text[from] === "|") {
    return leadingFilters.test(text.slice(from, to)) ? 'There is no name before "|".' : undefined;
  }
  if (to - from > maxIncompleteTagLength) return undefined;
  const written = text.slice(from, to).replaceAll(/\s/g, "");
  return incompleteTags.has(written) ? `There is no name after "${written}".` : undefined;
}
