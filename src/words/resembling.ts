import { wordsOf } from "./name-words.js";
import { nearestName } from "./nearest-name.js";

/** Where more names than these lead nowhere, any of them may stand for anything. */
const mostLost = 50;
/** Names that are compared; past these nothing is known. */
const mostCompared = 2_000;
/** A word that tells names apart is longer than an article or an ending such as `id`. */
const fewestLetters = 3;

/**
 * Tells of a name whether one of these, which lead nowhere, may stand for it: it is nearly the same, or shares a word, as
 * `client_name` does with `customer_name`, which it may have been called before. Of names such as `x` and `y` each may
 * stand for the other.
 */
export function resembling(lost: Iterable<string>): (name: string) => boolean {
  const names = new Set(lost);
  if (names.size === 0) return () => false;
  if (names.size > mostLost) return () => true;
  const words = new Set([...names].flatMap(tellingWords));
  const someAreShort = [...names].some(isShort);
  let compared = 0;
  return (name) =>
    names.has(name) ||
    ++compared > mostCompared ||
    (someAreShort && isShort(name)) ||
    tellingWords(name).some((word) => words.has(word)) ||
    nearestName(name, names) !== undefined;
}

function tellingWords(name: string): readonly string[] {
  return wordsOf(name).filter((word) => !isShort(word));
}

function isShort(name: string): boolean {
  return name.length < fewestLetters;
}
