import { maxNameLength, nearestName, splitWords } from "../text/names.js";

/** What other formats and many authors call some properties, word by word. */
const otherNames = Object.entries({
  system_template: /^(?:system prompt|instructions|content|text|messages)$/,
  states: /^(?:nodes|steps)$/,
  on_event: /^(?:on|events|transitions?|next|edges)$/,
  terminal: /^(?:is )?(?:final|terminal|end)$/,
  entry: /^(?:(?:initial|start)(?: state)?|start at|entry (?:state|point)|entrypoint)$/,
  path: /^dir$/,
  parameters: /^input schema$/,
  minimum: /^min$/,
  maximum: /^max$/,
  max_visits: /^max (?:iterations|loops|steps|retries|attempts)$/,
  max_total_visits: /^max (?:iterations|loops|steps)$/,
  max_wall_time_sec: /^(?:timeout(?: sec| seconds)?|max wall time seconds)$/,
});

/** Words that are not the beginning of a longer property. */
const unrelated = new Set(["model"]);

/** The known property that is nearest to an unknown one: misspelt, a synonym, or cut short. */
export function nearestProperty(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const near = nearestName(name, names);
  if (near !== undefined || name.length > maxNameLength) return near;
  const words = splitWords(name);
  const written = words.join(" ");
  const other = otherNames.find(([property, pattern]) => pattern.test(written) && names.includes(property));
  if (other !== undefined) return other[0];
  if (unrelated.has(name)) return undefined;
  const [longer, ...more] = names.filter((candidate) => hasWords(candidate, words));
  return more.length === 0 ? longer : undefined;
}

/** Whether a name has these words in this order: `max_total_visits` has those of `max_visits`. */
function hasWords(name: string, words: readonly string[]): boolean {
  // A cheap test first.
  const lower = name.toLowerCase();
  if (!words.every((word) => lower.includes(word))) return false;
  let met = 0;
  for (const word of splitWords(name)) if (word === words[met]) met++;
  return met > 0 && met === words.length;
}
