import { isEventName } from "../words/event-name.js";
import { wordsOf } from "../words/name-words.js";
import { longestName } from "../words/edit-distance.js";
import { nearestName } from "../words/nearest-name.js";

/** What some properties are called elsewhere, in other formats and by those who write them. */
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

/** What leads from a state to the next elsewhere, be it written as events, as conditions or as a mere name. */
const ways = new Set([
  "transition",
  "next",
  "next state",
  "edges",
  "routes",
  "targets",
  "goto",
  "on success",
  "on complete",
]);

/** Whether a property is called as such a way is. `Next` is an event: how it is written tells them apart. */
export function isCalledWay(name: string): boolean {
  return name.length <= longestName && !isEventName(name) && ways.has(wordsOf(name).join(" "));
}

/** What is another thing elsewhere, and not the first word of a property here. */
const otherThings = new Set(["model"]);

/** `type:string`, for want of a space, or `type = string`. */
const glued = /^(\w+)\s*(?::|->|=)/;

/** Whether a name has a value in it, which would be lost with it. */
export function isGlued(name: string): boolean {
  return glued.test(name);
}

/** The property that an unknown one most likely stands for: misspelt, called as it is elsewhere, or cut short. */
export function meantProperty(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const before = glued.exec(name)?.[1];
  if (before !== undefined && names.includes(before)) return before;
  const near = nearestName(name, names);
  if (near !== undefined || name.length > longestName) return near;
  const words = wordsOf(name);
  const other = otherNames.get(words.join(" "))?.find((property) => names.includes(property));
  if (other !== undefined) return other;
  if (names.includes("on_event") && isCalledWay(name)) return "on_event";
  if (otherThings.has(name)) return undefined;
  const [longer, ...more] = names.filter((candidate) => hasWords(candidate, words));
  return more.length === 0 ? longer : undefined;
}

/** Whether a name has these words, in this order: `max_total_visits` has those of `max_visits`. */
function hasWords(name: string, words: readonly string[]): boolean {
  // Most names have not even the letters.
  const lower = name.toLowerCase();
  if (!words.every((word) => lower.includes(word))) return false;
  let met = 0;
  for (const word of wordsOf(name)) if (word === words[met]) met++;
  return met > 0 && met === words.length;
}
