/** What may stand between the words of a name. */
export const nameSeparators = "-_ .";

/** The words of a name, in lower case: `max_visits` and `maxVisits` have two each. */
export function splitWords(name: string): readonly string[] {
  const words: string[] = [];
  let start = 0;
  for (let at = 0; at < name.length; at++) {
    if (!isWordEnd(name, at)) continue;
    const word = name.slice(start, at + 1).toLowerCase();
    if (!nameSeparators.includes(word)) words.push(word);
    start = at + 1;
  }
  return words;
}

/** Whether what stands behind this letter is no longer of its word. Digits are a word of their own. */
export function isWordEnd(name: string, at: number): boolean {
  const kind = characterClass(name.charAt(at));
  const next = characterClass(name.charAt(at + 1));
  return kind !== next && !(kind === "upper" && next === "lower");
}

function characterClass(letter: string): string {
  if (letter === "" || nameSeparators.includes(letter)) return letter;
  if (/\d/.test(letter)) return "digit";
  return letter === letter.toLowerCase() ? "lower" : "upper";
}
