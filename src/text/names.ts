import { getOrCreate } from "./collections.js";
import { stripInvisible } from "./escape.js";
import { maskSecrets } from "./secrets.js";

const nameSeparators = "-_ .";

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

/** Whether a word of the name ends at this index. Digits are a word of their own. */
function isWordEnd(name: string, at: number): boolean {
  const kind = characterClass(name.charAt(at));
  const next = characterClass(name.charAt(at + 1));
  return kind !== next && !(kind === "upper" && next === "lower");
}

function characterClass(letter: string): string {
  if (letter === "" || nameSeparators.includes(letter)) return letter;
  if (/\d/.test(letter)) return "digit";
  return letter === letter.toLowerCase() ? "lower" : "upper";
}

const pascalCase = /^[A-Z][A-Za-z0-9]*$/;

/** Whether it follows the convention for events (RFC 0005); up to four capitals may be an acronym. */
export function isEventName(name: string): boolean {
  return pascalCase.test(name) && (/[a-z]/.test(name) || name.replace(/\d+/g, "").length <= 4);
}

export function hasNonAsciiLetters(name: string): boolean {
  return /[\p{L}\p{M}\p{N}]/u.test(name.replace(/[A-Za-z0-9]+/g, ""));
}

/** The name in PascalCase; none where nothing sensible is left of it. */
export function toEventName(name: string): string | undefined {
  if (isEventName(name)) return name;
  // In another spelling, a secret would not be masked.
  if (maskSecrets(name) !== name) return undefined;
  const shouted = !/[a-z]/.test(name);
  const renamed = (shouted ? name.toLowerCase() : name)
    .split(/[-_ .:/]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return pascalCase.test(renamed) ? renamed : undefined;
}

/** Longer names get no suggestion. */
export const maxNameLength = 100;

const rowLength = 2 * maxNameLength + 2;
/** Reused: allocating them takes longer than comparing most names. */
const scratchRows = [
  new Uint8Array(rowLength),
  new Uint8Array(rowLength),
  new Uint8Array(rowLength),
] as const;

/**
 * Counts insertions, deletions, substitutions and swaps of neighbours between two names; gives
 * `limit + 1` when there are more than `limit`. Only the cells that can stay within the limit are computed.
 */
function editDistance(a: string, b: string, limit: number): number {
  let [beforeLast, last, current] = scratchRows;
  const tooFar = limit + 1;
  for (let column = 0; column <= b.length; column++) last[column] = Math.min(column, tooFar);
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    current[from - 1] = from === 1 ? Math.min(row, tooFar) : tooFar;
    let smallest = current[from - 1] ?? tooFar;
    for (let column = from; column <= to; column++) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      const above = (last[column] ?? tooFar) + 1;
      const left = (current[column - 1] ?? tooFar) + 1;
      const diagonal = (last[column - 1] ?? tooFar) + (same ? 0 : 1);
      const swapped = isSwap(a, b, row, column) ? (beforeLast[column - 2] ?? tooFar) + 1 : tooFar;
      const cost = Math.min(above, left, diagonal, swapped, tooFar);
      current[column] = cost;
      if (cost < smallest) smallest = cost;
    }
    if (to < b.length) current[to + 1] = tooFar;
    if (smallest > limit) return tooFar;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length] ?? tooFar;
}

function isSwap(a: string, b: string, row: number, column: number): boolean {
  return (
    row > 1 &&
    column > 1 &&
    a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
    a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
  );
}

const asciiOnly = /^[\0-\x7f]*$/;

/**
 * Cyrillic letters, Greek ones and a few others, with the ASCII characters that they look like. The packages for this hold
 * all of Unicode's list, by which plain names look alike, too: "m" is "rn" there, and "1" is "l".
 */
const lookAlikes = new Map(
  [
    ["АаВЕеНһІіЈјКкӏМОоРрԛСсЅѕТѴѵԝХхУуԁ", "AaBEeHhIiJjKklMOoPpqCcSsTVvwXxYyd"],
    ["ΑαΒΕΗΙιΚκΜΝνΟοΡρΤΥυΧχγΖ", "AaBEHIiKkMNvOoPpTYuXxyZ"],
    ["ɑɡı‐‒–−", "agi----"],
  ].flatMap(([others = "", plain = ""]) => Array.from(others, (other, at) => [other, plain.charAt(at)])),
);

/** Names are compared again and again, and normalizing takes longer than comparing. */
const visualForms = new Map<string, string>();

/** A key that names share when they look alike, or differ only in what cannot be seen. */
function visualForm(name: string): string {
  if (asciiOnly.test(name) || name.length > maxNameLength) return name;
  if (visualForms.size > 4 * maxCandidates) visualForms.clear();
  return getOrCreate(visualForms, name, () => {
    const seen = stripInvisible(name.normalize("NFKD"));
    return Array.from(seen, (character) => lookAlikes.get(character) ?? character).join("");
  });
}

export function lookAlikeNote(name: string, near: string): string {
  if (name === near || visualForm(name) !== visualForm(near)) return "";
  const inOne = [...new Set(name + near)].filter((character) => {
    return !/[ -~]/.test(character) && name.includes(character) !== near.includes(character);
  });
  const codes = inOne.slice(0, 3).map((character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `U+${code.padStart(4, "0")}`;
  });
  const which = codes.length === 0 ? "" : ` (${codes.join(", ")}${inOne.length > 3 ? ", …" : ""})`;
  return ` The two look alike, but are written with different characters${which}.`;
}

/** Bounds the work per name, however many names a file declares. */
const maxCandidates = 2_000;
const maxCells = 50_000;

/** Less than any distance. */
const [sameLook, foldedMatch] = [-2, -1];

/**
 * The candidate nearest to a mistyped name. One that looks the same wins, then one that differs only in case or separators
 * (`maxVisits`, `max-visits`), then the fewest edits; ties go to the first.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  return findNearest(name, candidates, true).nearest[0];
}

/** The nearest candidate if no other is as near and all could be compared. */
export function uniqueNearestName(name: string, candidates: Iterable<string>): string | undefined {
  const { nearest, complete } = findNearest(name, candidates, false);
  const [first, second] = new Set(nearest);
  return complete && second === undefined ? first : undefined;
}

function findNearest(name: string, candidates: Iterable<string>, first: boolean) {
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
    const looksSame = visualForm(candidate) === look;
    const longer = Math.max(name.length, candidate.length);
    const apart = Math.abs(name.length - candidate.length);
    if (apart > longer / 2 && !looksSame) continue;
    const lowerCandidate = candidate.toLowerCase();
    const isAlike = mayFoldEqual(lower, lowerCandidate) && folded !== "" && foldName(candidate) === folded;
    let distance = looksSame ? sameLook : foldedMatch;
    if (!looksSame && !isAlike) {
      const allowed = Math.min(maxEdits(longer), first ? best - 1 : best);
      if (apart > allowed) continue;
      cells += longer * (2 * allowed + 1);
      if (lacksMoreThan(letters, letterMask(lowerCandidate), allowed)) continue;
      distance = editDistance(lower, lowerCandidate, allowed);
      if (distance > allowed || !isPlausibleTypo(name, candidate, distance)) continue;
    }
    if (distance > best) continue;
    if (distance < best) nearest = [];
    nearest.push(candidate);
    best = distance;
    if (first && (looksSame || (isAlike && asciiOnly.test(name)))) break;
  }
  return { nearest, complete: true };
}

/** Whether names are more than two edits apart and may be different words, such as "composition" and "compilation". */
export function isDistantGuess(name: string, guess: string): boolean {
  return visualForm(name) !== visualForm(guess) && editDistance(foldName(name), foldName(guess), 2) > 2;
}

/**
 * Whether a name is probably this candidate, misspelled: no other is as near, and they differ in two letters at most. A
 * short word is another one if it begins differently: `s` for `ms` changes what a number means, and `then` is not `when`.
 */
export function isUniqueTypo(name: string, correct: string, candidates: Iterable<string>): boolean {
  if (isDistantGuess(name, correct)) return false;
  const written = splitWords(name);
  const isWritten = (word: string): boolean =>
    written.some((other) => {
      if (sortLetters(other) === sortLetters(word)) return true;
      return other.charAt(0) === word.charAt(0) && editDistance(other, word, 1) === 1;
    });
  const joined = foldName(name) === foldName(correct) || visualForm(name) === visualForm(correct);
  const isTypo =
    joined || splitWords(correct).every((word) => word.length > shortWordLength || isWritten(word));
  // Last, as it compares all candidates.
  return isTypo && uniqueNearestName(name, candidates) === correct;
}

const shortWordLength = 4;

function sortLetters(word: string): string {
  return [...word].sort().join("");
}

export type NameGuess = typeof nearestName;

/** Suggests for the first names only: where hundreds are wrong, suggestions help nobody and take minutes. */
export function createGuesser(most = 300, guess: NameGuess = nearestName): NameGuess {
  let asked = 0;
  return (name, candidates) => (++asked > most ? undefined : guess(name, candidates));
}

/** `Did you mean "x"?`, if a candidate is near. */
export function nameAdvice(
  name: string,
  candidates: Iterable<string>,
  guess: NameGuess = nearestName,
): string | undefined {
  const nearest = guess(name, candidates);
  return nearest === undefined ? undefined : suggestName(name, nearest);
}

/** The same for a candidate that was found already. */
export function suggestName(name: string, near: string): string {
  return `Did you mean "${near}"?${lookAlikeNote(name, near)}`;
}

/** The same, to be appended to a sentence. */
export function didYouMean(name: string, candidates: Iterable<string>, guess?: NameGuess): string {
  const advice = nameAdvice(name, candidates, guess);
  return advice === undefined ? "" : ` ${advice}`;
}

/** `Did you misspell it as "x"?`, for a missing name. */
export function misspelledAsAdvice(missing: string, names: Iterable<string>): string | undefined {
  const nearest = nearestName(missing, names);
  return nearest && `Did you misspell it as "${nearest}"?${lookAlikeNote(missing, nearest)}`;
}

const separatorPattern = new RegExp(`[${nameSeparators}]`, "g");

/** Equal for names that differ only in case or separators. */
function foldName(name: string): string {
  return name.replace(separatorPattern, "").toLowerCase();
}

/** A cheap test: most names end in different letters. */
function mayFoldEqual(a: string, b: string): boolean {
  const lastOfA = a.charAt(a.length - 1);
  const lastOfB = b.charAt(b.length - 1);
  return lastOfA === lastOfB || nameSeparators.includes(lastOfA) || nameSeparators.includes(lastOfB);
}

/** The letters of a name as a 32-bit set. */
function letterMask(name: string): number {
  let letters = 0;
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) & 31);
  return letters;
}

/** Whether more than `most` of these letters are missing from the others: each takes an edit. */
function lacksMoreThan(letters: number, others: number, most: number): boolean {
  let lacking = letters & ~others;
  for (let count = 0; lacking !== 0; count++) {
    if (count === most) return true;
    lacking &= lacking - 1;
  }
  return false;
}

/** One edit per three letters, at most four. */
function maxEdits(length: number): number {
  return Math.min(4, Math.floor(length / 3));
}

/** Whether so many edits are few for the words that differ: `billing_state` is not a misspelled `closing_state`. */
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
