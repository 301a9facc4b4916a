export const directiveScopes: ReadonlyMap<string, "file" | "node"> = new Map([
  ["promptpack-disable", "file"],
  ["promptpack-disable-next-line", "node"],
  ["promptpack-disable-line", "node"],
]);

/** Whether a text may contain a comment for this tool, well-formed or not. */
export function mayContainDirectives(text: string): boolean {
  return text.includes("promptpack-");
}

/** Whether a comment applies to its own line or the next, so that moving it would change what it suppresses. */
export function isNodeDirective(comment: string): boolean {
  const [, word = ""] = /^#+\s*([^\s,:]*)/u.exec(comment) ?? [];
  return directiveScopes.get(word) === "node";
}
