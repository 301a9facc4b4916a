import { invalidCountMessage } from "../../words/setting-words.js";
import { UsageError } from "../terminal/usage-error.js";

/** The number that a flag gives. */
export function parseWholeNumber(flag: string, text: string, least = 0, most = Infinity): number {
  const number = /^\d+$/u.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(invalidCountMessage(flag, text, least, most));
}
