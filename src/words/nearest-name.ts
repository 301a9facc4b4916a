import { editDistance, maxNameLength } from "./edit-distance.js";
import { lookAlikeNote, visualForm } from "./look-alike.js";
import { nameSeparators, isWordEnd, splitWords } from "./name-words.js";

/** Bounds the work of one question, however many names a file declares. */
const maxCandidates = 2_000;
const maxCells = 50_000;

/** Less than any distance. */
const foldedMatch = -1;

/**
 * The candidate a mistyped name most likely stands for. A name that differs only in case or separators
 * (`maxVisits`, `max-visits`) wins over any misspelling, and one that looks the same over all; of equally near names the
 * first one wins.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  return findNearest(name, candidates, true).nearest[0];
}

/** The nearest candidate when no other is as near, and all of them could be compared. */
export function uniqueNearestName(name: string, candidates: Iterable<string>): string | undefined {
  const { nearest, complete } = findNearest(name, candidates, false);
  const [first, second] = new Set(nearest);
  return complete && second === undefined ? first : undefined;
}

interface NearestSearch {
  readonly nearest: readonly string[];
  /** Whether every candidate was looked at. */
  readonly complete: boolean;
}

/** The candidates that are nearest; where `first` will do, only the first of them. */
function findNearest(name: string, candidates: Iterable<string>, first: boolean): NearestSearch {
  let nearest: string[] = [];
  if (name.length === 0 || name.length > maxNameLength) return { nearest, complete: true };
  const folded = foldName(name);
  const lower = name.toLowerCase();
  const letters = letterMask(lower);
  const look = visualForm(name);
  let best = Infinity;
  let compared = 0;
  let cells = 0;
  for (const candidate of candidates) {
    if (++compared > maxCandidates || cells > maxCells) return { nearest, complete: false };
    if (candidate === name || candidate.length === 0) continue;
    if (look !== undefined && visualForm(candidate) === look) return { nearest: [candidate], complete: true };
    const longer = Math.max(name.length, candidate.length);
    const apart = Math.abs(name.length - candidate.length);
    if (apart > longer / 2) continue;
    const lowerCandidate = candidate.toLowerCase();
    const isAlike = mayFoldEqual(lower, lowerCandidate) && folded !== "" && foldName(candidate) === folded;
    let distance = foldedMatch;
    if (!isAlike) {
      const allowed = Math.min(maxEdits(longer), first ? best - 1 : best);
      if (apart > allowed) continue;
      cells += longer * (2 * allowed + 1);
      if (lacksMoreThan(letters, letterMask(lowerCandidate), allowed)) continue;
      distance = editDistance(lower, lowerCandidate, allowed);
      if (distance > allowed || !isPlausibleTypo(name, candidate, distance)) continue;
    }
    if (distance < best) nearest = [];
    nearest.push(candidate);
    best = distance;
    if (first && isAlike && look === undefined) break;
  }
  return { nearest, complete: true };
}

/** Whether names are more than two slips apart: they may be different words, as "composition" and "compilation" are. */
export function isDistantGuess(name: string, guess: string): boolean {
  return editDistance(foldName(name), foldName(guess), 2) > 2;
}

/**
 * Whether one slip, or another way of joining its words, makes this name of one of these, and of no other. A short word
 * is never taken for another: `s` for `ms` changes what a number means, and `then` is no `when`.
 */
export function isUniqueTypo(name: string, meant: string, candidates: Iterable<string>): boolean {
  if (!isSingleTypo(name, meant)) return false;
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > maxCandidates || (candidate !== meant && isSingleTypo(name, candidate))) return false;
  }
  return true;
}

const shortWordLength = 4;

function isSingleTypo(name: string, meant: string): boolean {
  if (name.length > maxNameLength || meant.length > maxNameLength) return false;
  const [folded, other] = [foldName(name), foldName(meant)];
  if (folded === other) return true;
  if (editDistance(folded, other, 1) > 1) return false;
  const written = new Set(splitWords(name).map(sortLetters));
  return splitWords(meant).every((word) => word.length > shortWordLength || written.has(sortLetters(word)));
}

/** The letters of a word, in whatever order they were typed. */
function sortLetters(word: string): string {
  return [...word].sort().join("");
}

export type NameGuess = typeof nearestName;

/** Guesses for the first names asked about: where hundreds are wrong, guesses help nobody and take minutes. */
export function createGuesser(most = 300, guess: NameGuess = nearestName): NameGuess {
  let asked = 0;
  return (name, candidates) => (++asked > most ? undefined : guess(name, candidates));
}

/** `Did you mean "x"?`: advice about a name that leads nowhere, or nothing. */
export function nameAdvice(
  name: string,
  candidates: Iterable<string>,
  guess: NameGuess = nearestName,
): string | undefined {
  const nearest = guess(name, candidates);
  return nearest === undefined ? undefined : `Did you mean "${nearest}"?${lookAlikeNote(name, nearest)}`;
}

/** The same, to be put behind a sentence. */
export function didYouMean(name: string, candidates: Iterable<string>, guess?: NameGuess): string {
  const advice = nameAdvice(name, candidates, guess);
  return advice === undefined ? "" : ` ${advice}`;
}

/** `Did you misspell it as "x"?`: advice where a name is missing, or nothing. */
export function misspelledAsAdvice(missing: string, names: Iterable<string>): string | undefined {
  const nearest = nearestName(missing, names);
  return nearest === undefined ? undefined : `Did you misspell it as "${nearest}"?`;
}

const separatorPattern = new RegExp(`[${nameSeparators}]`, "g");

/** The same for names that differ only in case or separators. */
export function foldName(name: string): string {
  return name.replace(separatorPattern, "").toLowerCase();
}

/** Tells most names apart without folding them: they end in different letters. */
function mayFoldEqual(a: string, b: string): boolean {
  const lastOfA = a.charAt(a.length - 1);
  const lastOfB = b.charAt(b.length - 1);
  return lastOfA === lastOfB || nameSeparators.includes(lastOfA) || nameSeparators.includes(lastOfB);
}

/** The letters of a name as a set of 32 kinds. */
function letterMask(name: string): number {
  let letters = 0;
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) & 31);
  return letters;
}

/** Whether more of these letters than that are not among the others: each would take an edit. */
function lacksMoreThan(letters: number, others: number, most: number): boolean {
  let lacking = letters & ~others;
  for (let count = 0; lacking !== 0; count++) {
    if (count === most) return true;
    lacking &= lacking - 1;
  }
  return false;
}

/** One slip in three letters, at most four: more is another word. */
function maxEdits(length: number): number {
  return Math.min(4, Math.floor(length / 3));
}

/** Whether so many edits are few for the words that differ: `billing_state` is no slip for `closing_state`. */
function isPlausibleTypo(a: string, b: string, edits: number): boolean {
  const shorter = Math.min(a.length, b.length);
  const isSame = (i: number, j: number) => a.charAt(i).toLowerCase() === b.charAt(j).toLowerCase();
  let head = 0;
  for (let i = 0; i < shorter && isSame(i, i); i++) if (isWordEnd(a, i) && isWordEnd(b, i)) head = i + 1;
  let tail = 0;
  for (let i = 1; i <= shorter - head && isSame(a.length - i, b.length - i); i++) {
    if (isWordEnd(a, a.length - i - 1) && isWordEnd(b, b.length - i - 1)) tail = i;
  }
  const ofA = a.slice(head, a.length - tail);
  const ofB = b.slice(head, b.length - tail);
  if (ofA === "" || ofB === "") return true;
  if (/^\d+$/.test(ofA) && /^\d+$/.test(ofB)) return false;
  const longer = Math.max(ofA.length, ofB.length);
  return edits <= (longer === 1 ? 0 : Math.ceil(longer / 3));
}
