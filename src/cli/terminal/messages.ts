import { escapeInvisible } from "../../text/escape.js";
import { BadInput } from "../../text/wording.js";
import type { Io } from "./io.js";

/** One line about the run, for the person at the terminal. */
export function printMessage(io: Io, sentence: string): void {
  io.stderr.write(`promptpack: ${escapeInvisible(sentence)}\n`);
}

/** The command line, or a file it names, asks for it. */
export class UsageError extends BadInput {
  override readonly name: string = "UsageError";
}

/** For two flags that exclude each other. */
export function conflictingFlags(flag: string, other: string): UsageError {
  return new UsageError(`"${flag}" and "${other}" cannot be used together: choose one.`);
}
