/** A character as an escape that shows which it is: `\u200b`, `\u{e0001}`. */
export function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return character.length > 1 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
