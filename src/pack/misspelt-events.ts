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
    let names = known.get(prompt);
    if (names === undefined) known.set(prompt, (names = compoundNames(prompt)));
    if (names.length === 0) return undefined;
    for (const event of missing) {
      if (++asked > mostEvents) return undefined;
      const word = nearestName(
        event,
        names.filter((name) => !events.has(name)),
      );
      if (word !== undefined) return { event, word };
    }
    return undefined;
  };
}

/**
 * `TestsFailed` and `tests_failed`: of the words of plain prose, many are near an event and do not stand for it. Nor do
 * those that name something else.
 */
function compoundNames({ templates, tools, declared }: Prompt): readonly string[] {
  const names = new Set<string>();
  const others = new Set([...declared.keys(), ...tools.map(({ text }) => text)]);
  for (const { text, template } of templates) {
    if (text.text.length > longestText) continue;
    for (const { name } of template.references) others.add(name);
    for (const name of text.text.match(/[\w-]+/g) ?? []) if (wordsOf(name).length > 1) names.add(name);
    if (names.size > mostWords) break;
  }
  return [...names].filter((name) => !others.has(name));
}
