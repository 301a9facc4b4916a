import { BadInput } from "../../words/bad-input.js";

/** The command line, or a file it names, asks for it. */
export class UsageError extends BadInput {
  override readonly name: string = "UsageError";
}

/** For two flags that exclude each other. */
export function conflictingFlags(flag: string, other: string): UsageError {
  return new UsageError(`"${flag}" and "${other}" cannot be used together: choose one.`);
}
