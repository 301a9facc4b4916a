/** The comments that silence rules, by their first word: in the whole file, or in the node they stand at. */
export const directiveScopes: ReadonlyMap<string, "file" | "node"> = new Map([
  ["promptpack-disable", "file"],
  ["promptpack-disable-next-line", "node"],
  ["promptpack-disable-line", "node"],
]);

/** Whether a text may have a comment that addresses this tool, also a misspelled one. */
export function mayContainDirectives(text: string): boolean {
  return text.includes("promptpack-");
}

/** Whether a comment silences rules for what stands on its line or below it. By itself it would silence something else. */
export function isNodeDirective(comment: string): boolean {
  const [, word = ""] = /^#+\s*([^\s,:]*)/u.exec(comment) ?? [];
  return directiveScopes.get(word) === "node";
}
