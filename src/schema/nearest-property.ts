import { maxNameLength, nearestName, splitWords } from "../text/names.js";

/** What other formats and many authors call some properties. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["system prompt", ["system_template"]],
  ["instructions", ["system_template"]],
  ["content", ["system_template"]],
  ["text", ["system_template"]],
  ["messages", ["system_template"]],
  ["nodes", ["states"]],
  ["steps", ["states"]],
  ["on", ["on_event"]],
  ["events", ["on_event"]],
  ["transitions", ["on_event"]],
  ["transition", ["on_event"]],
  ["next", ["on_event"]],
  ["edges", ["on_event"]],
  ["final", ["terminal"]],
  ["is final", ["terminal"]],
  ["is terminal", ["terminal"]],
  ["end", ["terminal"]],
  ["is end", ["terminal"]],
  ["initial", ["entry"]],
  ["initial state", ["entry"]],
  ["start", ["entry"]],
  ["start state", ["entry"]],
  ["start at", ["entry"]],
  ["entry state", ["entry"]],
  ["entry point", ["entry"]],
  ["entrypoint", ["entry"]],
  ["dir", ["path"]],
  ["input schema", ["parameters"]],
  ["min", ["minimum"]],
  ["max", ["maximum"]],
  ["max iterations", ["max_visits", "max_total_visits"]],
  ["max loops", ["max_visits", "max_total_visits"]],
  ["max steps", ["max_visits", "max_total_visits"]],
  ["max retries", ["max_visits"]],
  ["max attempts", ["max_visits"]],
  ["timeout", ["max_wall_time_sec"]],
  ["timeout sec", ["max_wall_time_sec"]],
  ["timeout seconds", ["max_wall_time_sec"]],
  ["max wall time seconds", ["max_wall_time_sec"]],
]);

/** Words that are not the beginning of a longer property. */
const unrelated = new Set(["model"]);

/** `type:string` without the space, or `type = string`. */
const withValue = /^(\w+)\s*(?::|->|=)/;

/** Whether a name contains a value, which renaming it would lose. */
export function containsValue(name: string): boolean {
  return withValue.test(name);
}

/** The known property that is nearest to an unknown one: misspelt, a synonym, or cut short. */
export function nearestProperty(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const before = withValue.exec(name)?.[1];
  if (before !== undefined && names.includes(before)) return before;
  const near = nearestName(name, names);
  if (near !== undefined || name.length > maxNameLength) return near;
  const words = splitWords(name);
  const other = otherNames.get(words.join(" "))?.find((property) => names.includes(property));
  if (other !== undefined) return other;
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
