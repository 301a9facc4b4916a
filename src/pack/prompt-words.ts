import type { Pack } from "./pack.js";
import type { Prompt } from "./prompt.js";

const word = /[\p{L}\p{N}_]+/gu;

/** Whether a prompt's text, fragments and overrides included, holds a name as a whole word in any letter case. */
export type Mentions = (prompt: Prompt, name: string) => boolean | undefined;

/** Answers nothing where the text is not known: no template, delimiters not understood, a fragment missing. */
export function promptWords(pack: Pack): Mentions {
  const known = new Map<Prompt, ReadonlySet<string> | undefined>();
  return (prompt, name) => {
    if (!known.has(prompt)) known.set(prompt, wordsOf(pack, prompt));
    const words = known.get(prompt);
    if (words === undefined) return undefined;
    const parts = name.toLowerCase().match(word) ?? [];
    return parts.every((part) => words.has(part));
  };
}

function wordsOf(pack: Pack, prompt: Prompt): ReadonlySet<string> | undefined {
  const readings = pack.readings.of(prompt);
  const isKnown = pack.delimiters !== undefined && pack.readings.complete && prompt.templates.length > 0;
  if (!isKnown || pack.readings.hasUnknownFragment(prompt)) return undefined;
  const sources = new Set([
    ...prompt.templates,
    ...readings.map(({ source }) => source),
    ...included(pack, prompt),
  ]);
  const words = new Set<string>();
  for (const source of sources)
    for (const [part] of source.text.text.toLowerCase().matchAll(word)) words.add(part);
  return words;
}

/** Fragments count even when they hold no reference of their own. */
function included(pack: Pack, prompt: Prompt) {
  return pack.readings.of(prompt).flatMap(({ reference }) => {
    const fragment = reference.kind === "artifact" ? undefined : pack.fragments.get(reference.name);
    return fragment?.template ?? [];
  });
}
