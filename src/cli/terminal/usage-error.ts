/** The tool was asked for something it cannot do; the message is one sentence for the person who asked. Exit 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";

  /** What to say, line by line. */
  get lines(): readonly string[] {
    return [this.message];
  }
}

/** For two flags that exclude each other. */
export function chooseOne(flag: string, other: string): UsageError {
  return new UsageError(`"${flag}" and "${other}" cannot be used together: choose one.`);
}
