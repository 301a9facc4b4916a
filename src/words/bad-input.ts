/** What was asked for cannot be done; the message is one sentence for the person who asked. In the command, exit 2. */
export class BadInput extends Error {
  override readonly name: string = "BadInput";

  /** What to say, line by line. */
  get lines(): readonly string[] {
    return [this.message];
  }
}
