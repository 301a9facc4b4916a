import type { Guess } from "../words/nearest-name.js";

/** What the names in a comment stand for. */
export interface RuleList {
  readonly rules: readonly string[];
  readonly misspelt: readonly Misspelling[];
  /** Words that are no names at all: as a rule a reason. */
  readonly strays: readonly string[];
}

interface Misspelling {
  readonly name: string;
  readonly meant: string;
}

/**
 * Reads `rule-a, rule-b`, commas or not. What follows a word that is no rule and near none, up to a comma, is text: a
 * rule that a reason speaks of is not silenced by it.
 */
export function readRuleList(list: string, known: ReadonlySet<string>, guess: Guess): RuleList {
  const rules = new Set<string>();
  const misspelt = new Map<string, string>();
  const strays: string[] = [];
  for (const part of list.split(",")) {
    const words = part.split(/\s+/u).filter((word) => word !== "");
    for (const [index, word] of words.entries()) {
      const name = nameIn(word);
      const meant = known.has(name) ? name : guess(name, known);
      if (meant === undefined) {
        strays.push(words.slice(index).join(" "));
        break;
      }
      if (meant === name) rules.add(name);
      else misspelt.set(name, meant);
    }
  }
  return {
    rules: [...rules],
    misspelt: [...misspelt].map(([name, meant]) => ({ name, meant })),
    strays,
  };
}

/** `rule:` is read as `rule`. */
export function nameIn(word: string): string {
  return word.replace(/:$/u, "");
}
