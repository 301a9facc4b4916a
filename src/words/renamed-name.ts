import { wordsOf } from "./name-words.js";
import { longestName } from "./edit-distance.js";
import { type Guess, guesser } from "./nearest-name.js";

/** Bounds the work of one question. */
const mostCandidates = 2_000;
/** The same where each candidate is compared in both ways, for each of many names. */
const mostUnnamed = 50;
/** What two names share is longer than an article or a number. */
const fewestLetters = 3;

/**
 * The only candidate that has the whole name as words of its own: `closing` became `closing_state`. It is a guess to be
 * asked about, never to be acted upon. The other way round, `plan_review` is more likely missing than called `plan`.
 */
function renamedName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const words = spaced(name);
  let found: string | undefined;
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > mostCandidates) return undefined;
    if (candidate === name || candidate === found || !isPart(name, words, candidate)) continue;
    if (found !== undefined) return undefined;
    found = candidate;
  }
  return found;
}

/** The same for candidates that nobody names: `company_name` may then be called `company` now, too. */
export function renamedEitherWay(name: string, unnamed: Iterable<string>): string | undefined {
  const candidates = [...unnamed];
  if (candidates.length > mostUnnamed) return undefined;
  const longer = renamedName(name, candidates);
  if (longer !== undefined) return longer;
  const [shorter, other] = candidates.filter((candidate) => renamedName(candidate, [name]) !== undefined);
  return other === undefined ? shorter : undefined;
}

/** Guesses renamings for the first names asked about. */
export function renamingGuesser(): Guess {
  return guesser(undefined, renamedName);
}

function isPart(name: string, words: string, candidate: string): boolean {
  if (candidate.length > longestName || name.length < fewestLetters) return false;
  return spaced(candidate).includes(words);
}

/** The words of a name with a space around each. */
function spaced(name: string): string {
  return ` ${wordsOf(name).join(" ")} `;
}
