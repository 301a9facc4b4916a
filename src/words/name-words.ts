/** What may stand between the words of a name. */
export const separators = "-_ .";

/** The words of a name, in lower case: `max_visits` and `maxVisits` have two each. */
export function wordsOf(name: string): readonly string[] {
  const words: string[] = [];
  let start = 0;
  for (let at = 0; at < name.length; at++) {
    if (!wordEndsAt(name, at)) continue;
    const word = name.slice(start, at + 1).toLowerCase();
    if (!separators.includes(word)) words.push(word);
    start = at + 1;
  }
  return words;
}

/** Whether what stands behind this letter is no longer of its word. Digits are a word of their own. */
export function wordEndsAt(name: string, at: number): boolean {
  const kind = kindOfLetter(name.charAt(at));
  const next = kindOfLetter(name.charAt(at + 1));
  return kind !== next && !(kind === "upper" && next === "lower");
}

function kindOfLetter(letter: string): string {
  if (letter === "" || separators.includes(letter)) return letter;
  if (/\d/.test(letter)) return "digit";
  return letter === letter.toLowerCase() ? "lower" : "upper";
}
