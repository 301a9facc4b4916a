import { didYouMean } from "../nearest-name.js";

/** The tool was asked for something it cannot do; the message is one sentence for the person who asked. Exit 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What to put behind a sentence about a name that is none of these: the nearest of them, or all. */
export function choiceHint(name: string, choices: readonly string[]): string {
  return didYouMean(name, choices) || ` Choose ${choices.join(", ")}.`;
}
