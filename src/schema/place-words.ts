import { joinWords } from "../words/wording.js";
import { quoteValue } from "./show-value.js";

/** Neighbouring entries: by their names, or by the first and the last of many. */
export function linesFrom(names: readonly string[]): string {
  const [first = "", ...rest] = names.map(quoteValue);
  const last = rest.at(-1) ?? first;
  return rest.length > 1 ? `the entries from ${first} to ${last}` : joinWords([first, ...rest], "and");
}
