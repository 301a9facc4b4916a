import { escapeInvisible } from "../../text/visible-text.js";
import type { Io } from "./io.js";

/** One line about the run, for the person at the terminal. */
export function printMessage(io: Io, sentence: string): void {
  io.stderr.write(`promptpack: ${escapeInvisible(sentence)}\n`);
}
