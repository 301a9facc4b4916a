/** The beginnings of tags that something has to follow, without their spaces. */
const beginnings: ReadonlySet<string> = new Set([
  "#",
  "#if",
  "#unless",
  "#each",
  "#with",
  "artifacts.",
  "fragments.",
  "fragment:",
]);
const longestBeginning = 20;

/** Filters with nothing to be applied to: `| upper`, `| default("x")`. */
const filters = /^(?:\|\s*[A-Za-z_]\w*\s*)+(?:$|[(:])/;

/** What is wrong with a tag that reads something and does not say what: `{{}}`, `{{fragments.}}`, `{{#if}}`. */
export function missingName(text: string, from: number, to: number): string | undefined {
  if (from === to) return 'There is no name between "{{" and "}}".';
  if (text[from] === "|") {
    return filters.test(text.slice(from, to)) ? 'There is no name before "|".' : undefined;
  }
  if (to - from > longestBeginning) return undefined;
  const written = text.slice(from, to).replaceAll(/\s/g, "");
  return beginnings.has(written) ? `There is no name after "${written}".` : undefined;
}
