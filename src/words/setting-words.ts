import { didYouMean, type NameGuess } from "./nearest-name.js";
import { listChoices } from "./wording.js";

/** ` Did you mean "x"?` for a word that is misspelt, cut short (`warn`) or drawn out (`information`); or nothing. */
export function suggestChoice(text: string, choices: readonly string[]): string {
  const near = didYouMean(text, choices);
  const word = text.toLowerCase();
  if (near !== "" || word.length < 3) return near;
  const meant = choices.find((choice) => choice.startsWith(word) || word.startsWith(choice));
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

/** What to put behind a sentence about a name that is none of these: the nearest of them, or all. */
export function choiceHint(name: string, choices: readonly string[]): string {
  return didYouMean(name, choices) || ` Choose ${listChoices(choices)}.`;
}

/** About a setting that is none of its choices. */
export function invalidChoiceMessage(setting: string, text: string, choices: readonly string[]): string {
  return `"${setting}" cannot be "${text}".${suggestChoice(text, choices) || choiceHint(text, choices)}`;
}

/** About a setting that is no count, or none within these bounds. */
export function invalidCountMessage(setting: string, text: string, least = 0, most = Infinity): string {
  const bounds = most === Infinity ? `of ${least} or more` : `from ${least} to ${most}`;
  return `"${setting}" must be a whole number ${bounds}, not "${text}".`;
}

export function unknownRuleMessage(name: string, ruleIds: readonly string[], guess?: NameGuess): string {
  return `No rule is called "${name}".${didYouMean(name, ruleIds, guess) || ' "promptpack rules" lists them.'}`;
}
