import { didYouMean } from "../../nearest-name.js";

/** ` Did you mean "x"?` for a word that is misspelt, cut short (`warn`) or drawn out (`information`); or nothing. */
export function meantChoice(text: string, choices: readonly string[]): string {
  const near = didYouMean(text, choices);
  const word = text.toLowerCase();
  if (near !== "" || word.length < 3) return near;
  const meant = choices.find((choice) => choice.startsWith(word) || word.startsWith(choice));
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}
