import { getOrMake } from "../maps/get-or-make.js";
import { wordsOf } from "../words/name-words.js";
import { nearestName } from "../words/nearest-name.js";
import type { Prompt } from "./prompt.js";

/** In longer texts no word is looked for, nor among more words, nor for more events than these. */
const longestText = 50_000;
const mostWords = 2_000;
const mostEvents = 300;

export interface Misspelt {
  readonly event: string;
  readonly word: string;
}

/** The first of the missing events that a word of the prompt most likely stands for, which is none of the other events. */
export function misspeltEvents(): (
  prompt: Prompt,
  missing: readonly string[],
  events: ReadonlySet<string>,
) => Misspelt | undefined {
  const known = new Map<Prompt, readonly string[]>();
  let asked = 0;
  return (prompt, missing, events) => {
    const names = getOrMake(known, prompt, () => eventLikeWords(prompt));
    if (names.length === 0) return undefined;
    const others = new Set([...events].map((event) => event.toLowerCase()));
    for (const event of missing) {
      if (++asked > mostEvents) return undefined;
      const word = nearestName(
        event,
        names.filter((name) => !others.has(name.toLowerCase()) && couldStandFor(name, event)),
      );
      if (word !== undefined) return { event, word };
    }
    return undefined;
  };
}

/** A capital within a sentence or in quotes, or at the start of an item that explains the word. */
const capitalized =
  /(?:(?<=[\w,;]\s|["'`*(])[A-Z][a-z]{3,}|(?<=^[ \t]*[-*][ \t])[A-Z][a-z]{3,}(?=[ \t]*(?::|=|[-\u2013\u2014\u2192]|$)))(?![\w-])/gm;

/**
 * `TestsFailed`, `tests_failed`, and `Approved` where prose would have no capital: of the words of plain prose, many are
 * near an event and do not stand for it. Nor do those that name something else.
 */
function eventLikeWords({ templates, tools, declared }: Prompt): readonly string[] {
  const names = new Set<string>();
  const others = new Set([...declared.keys(), ...tools.map(({ text }) => text)]);
  for (const { text, template, shown } of templates) {
    if (text.text.length > longestText) continue;
    for (const { name } of template.references) others.add(name);
    for (const name of shown.match(/[\w-]+/g) ?? []) if (isCompound(name)) names.add(name);
    for (const name of shown.match(capitalized) ?? []) names.add(name);
    if (names.size > mostWords) break;
  }
  return [...names].filter((name) => !others.has(name));
}

/** A `Reviewer` is near `Reviewed`, and is another word: of single words, only those that begin and end alike are taken. */
function couldStandFor(name: string, event: string): boolean {
  if (isCompound(name)) return true;
  const [of, ofEvent] = [name.toLowerCase(), event.toLowerCase()];
  return of.charAt(0) === ofEvent.charAt(0) && of.at(-1) === ofEvent.at(-1);
}

function isCompound(name: string): boolean {
  return wordsOf(name).length > 1;
}
