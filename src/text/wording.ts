import { didYouMean, type NameGuess } from "./names.js";
import { clipText } from "./terminal-text.js";

/** `"a"`, `"a" and "b"`, `"a", "b" and 3 more`. */
export function listNames(names: readonly string[], most = 6): string {
  return listNamesOf(names, (name) => name, most);
}

/** The same for things with names; `nameOf` is called only for those shown. */
export function listNamesOf<T>(things: readonly T[], nameOf: (thing: T) => string, most = 6): string {
  const shown = things.length > most ? things.slice(0, most - 1) : things;
  const words = shown.map((thing) => `"${nameOf(thing)}"`);
  if (shown.length < things.length) words.push(`${things.length - shown.length} more`);
  return joinWords(words, "and");
}

/** The first names and how many more there are, as pieces of a line: each but the last ends in a comma. */
export function commaSeparated(names: readonly string[], most = Infinity): readonly string[] {
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const all = shown === names ? names : [...shown, `${names.length - shown.length} more`];
  return all.map((name, index) => (index < all.length - 1 ? `${name},` : name));
}

/** `"a", "b" or "c"`. */
export function listChoices(names: readonly string[]): string {
  return joinWords(
    names.map((name) => `"${name}"`),
    "or",
  );
}

/** `a, b or c` */
export function joinWords(words: readonly string[], conjunction: "or" | "and"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function pluralize(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

const unquotedName = () => /^[\p{L}\p{N}\p{M}_.:/@#+-]+$/u;

/** A name in a run, `plan ─Ready→ build`; quoted if it could be mistaken for a part of the run. */
export function quoteForTrace(name: string): string {
  return unquotedName().test(name) ? name : `"${name}"`;
}

/** The meaning of the values of `orchestration` and `persistence` (RFC 0005, RFC 0010). */
const meanings = new Map([
  ["internal", "the runtime sends its events"],
  ["external", "waits for a person or another system"],
  ["hybrid", "may wait for a person or another system"],
  ["composition", "runs the steps of its composition"],
  ["persistent", "keeps the conversation"],
  ["transient", "starts a new conversation"],
]);

/** `external (waits for a person or another system)`; an unknown value by itself. */
export function hintText(value: string): string {
  const meaning = meanings.get(value);
  return meaning === undefined ? clipText(value, 36) : `${value} (${meaning})`;
}

/** ` Did you mean "x"?` for a word that is misspelled, too short (`warn`) or too long (`information`). */
export function suggestChoice(text: string, choices: readonly string[]): string {
  const near = didYouMean(text, choices);
  const word = text.toLowerCase();
  if (near !== "" || word.length < 3) return near;
  const match = choices.find((choice) => choice.startsWith(word) || word.startsWith(choice));
  return match === undefined ? "" : ` Did you mean "${match}"?`;
}

/** Appended to a sentence about an unknown name: the nearest of these, or all of them. */
export function choiceHint(name: string, choices: readonly string[]): string {
  return didYouMean(name, choices) || ` Choose ${listChoices(choices)}.`;
}

export function invalidChoiceMessage(setting: string, text: string, choices: readonly string[]): string {
  return `"${setting}" cannot be "${text}".${suggestChoice(text, choices) || choiceHint(text, choices)}`;
}

export function invalidCountMessage(setting: string, text: string, least = 0, most = Infinity): string {
  const bounds = most === Infinity ? `of ${least} or more` : `from ${least} to ${most}`;
  return `"${setting}" must be a whole number ${bounds}, not "${text}".`;
}

export function unknownRuleMessage(name: string, ruleIds: readonly string[], guess?: NameGuess): string {
  return `No rule is called "${name}".${didYouMean(name, ruleIds, guess) || ' "promptpack rules" lists them.'}`;
}

/** The request cannot be carried out; the message is one sentence for the user. The command exits with 2. */
export class BadInput extends Error {
  override readonly name: string = "BadInput";

  get lines(): readonly string[] {
    return [this.message];
  }
}
