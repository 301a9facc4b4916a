import type { Pack } from "./pack.js";
import type { Prompt } from "./prompt.js";
import type { TemplateText } from "./template-text.js";

const word = /[\p{L}\p{M}\p{N}_]+/gu;
const isWord = /^[\p{L}\p{M}\p{N}_]+$/u;
const endsInWord = /[\p{L}\p{M}\p{N}_]$/u;
const startsWithWord = /^[\p{L}\p{M}\p{N}_]/u;
/** Bounds the search for names that are no single word, such as `order-placed`: their length, the characters searched. */
const longestName = 100;
const mostSearched = 5_000_000;

/** Whether a prompt's text, fragments and overrides included, holds a name as a whole word in any letter case. */
export type Mentions = (prompt: Prompt, name: string) => boolean | undefined;

interface Wording {
  readonly texts: readonly string[];
  readonly words: ReadonlySet<string>;
  readonly length: number;
}

/** Answers nothing where the text is not known: no template, delimiters not understood, a fragment missing. */
export function promptWords(pack: Pack): Mentions {
  const known = new Map<Prompt, Wording | undefined>();
  let searched = 0;
  return (prompt, name) => {
    if (!known.has(prompt)) known.set(prompt, wordingOf(pack, prompt));
    const wording = known.get(prompt);
    if (wording === undefined) return undefined;
    const folded = fold(name);
    if (isWord.test(folded)) return wording.words.has(folded);
    if (!(folded.match(word) ?? []).every((part) => wording.words.has(part))) return false;
    searched += wording.length;
    if (folded.length > longestName || searched > mostSearched) return undefined;
    return wording.texts.some((text) => holds(text, folded));
  };
}

function wordingOf(pack: Pack, prompt: Prompt): Wording | undefined {
  if (pack.delimiters === undefined || !pack.hasAllFragments || !pack.readings.isWhole(prompt))
    return undefined;
  const sources = new Set([...prompt.templates, ...included(pack, prompt)]);
  const texts = [...sources].map(({ text }) => fold(text.text));
  const words = new Set<string>();
  for (const text of texts) for (const [part] of text.matchAll(word)) words.add(part);
  return { texts, words, length: texts.reduce((sum, text) => sum + text.length, 0) };
}

/** Fragments count even when they hold no reference of their own. */
function included(pack: Pack, prompt: Prompt): readonly TemplateText[] {
  return pack.readings.of(prompt).flatMap(({ reference: { kind, name } }) => {
    if (kind === "artifact" || (kind === "name" && prompt.declared.has(name))) return [];
    return pack.fragments.get(name)?.template ?? [];
  });
}

/** Through the capitals, so that "GRÖSSE" and "Größe" are one word. */
function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** Whether the name stands in the text with no letter right before or after it. */
function holds(text: string, name: string): boolean {
  if (name === "") return true;
  const opens = startsWithWord.test(name);
  const closes = endsInWord.test(name);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + name.length, at + name.length + 2);
    if (!(opens && endsInWord.test(before)) && !(closes && startsWithWord.test(after))) return true;
  }
  return false;
}
