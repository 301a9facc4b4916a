import { clipText } from "./terminal-text.js";

/** The meaning of the values of `orchestration` and `persistence` (RFC 0005, RFC 0010). */
const meanings = new Map([
  ["internal", "the runtime sends its events"],
  ["external", "waits for a person or another system"],
  ["hybrid", "may wait for a person or another system"],
  ["composition", "runs the steps of its composition"],
  ["persistent", "keeps the conversation"],
  ["transient", "starts a new conversation"],
]);

const maxValueLength = 36;

/** `external (waits for a person or another system)`; an unknown value by itself. */
export function hintText(value: string): string {
  const meaning = meanings.get(value);
  return meaning === undefined ? clipText(value, maxValueLength) : `${value} (${meaning})`;
}
