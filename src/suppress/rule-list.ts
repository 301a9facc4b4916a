import type { NameGuess } from "../words/nearest-name.js";

/** What the names in a comment stand for. */
export interface RuleList {
  readonly rules: readonly string[];
  readonly misspelled: readonly Misspelling[];
  /** Words that are no names at all: as a rule a reason. */
  readonly unknownWords: readonly string[];
}

interface Misspelling {
  readonly name: string;
  readonly correctName: string;
}

/**
 * Reads `rule-a, rule-b`, commas or not. What follows a word that is no rule and near none, up to a comma, is text: a
 * rule that a reason speaks of is not silenced by it.
 */
export function readRuleList(list: string, known: ReadonlySet<string>, guess: NameGuess): RuleList {
  const rules = new Set<string>();
  const misspelt = new Map<string, string>();
  const unknownWords: string[] = [];
  for (const part of list.split(",")) {
    const words = part.split(/\s+/u).filter((word) => word !== "");
    for (const [index, word] of words.entries()) {
      const name = withoutTrailingColon(word);
      const meant = known.has(name) ? name : guess(name, known);
      if (meant === undefined) {
        unknownWords.push(words.slice(index).join(" "));
        break;
      }
      if (meant === name) rules.add(name);
      else misspelt.set(name, meant);
    }
  }
  return {
    rules: [...rules],
    misspelled: [...misspelt].map(([name, meant]) => ({ name, correctName: meant })),
    unknownWords,
  };
}

/** `rule:` is read as `rule`. */
export function withoutTrailingColon(word: string): string {
  return word.replace(/:$/u, "");
}
