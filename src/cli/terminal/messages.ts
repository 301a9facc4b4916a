import { escapeInvisible } from "../../text/escape.js";
import { BadInput } from "../../text/wording.js";
import type { Io } from "./io.js";

export function printMessage(io: Io, sentence: string): void {
  io.stderr.write(`promptpack: ${escapeInvisible(sentence)}\n`);
}

/** A mistake in the command line, or in a file that it names. */
export class UsageError extends BadInput {
  override readonly name: string = "UsageError";
}

export function conflictingFlags(flag: string, other: string): UsageError {
  return new UsageError(`"${flag}" and "${other}" cannot be used together: choose one.`);
}
