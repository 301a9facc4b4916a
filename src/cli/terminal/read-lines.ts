import type { Io } from "./io.js";

/** A line longer than this is cut: nobody types it. */
const maxLineLength = 100_000;

/** The lines of an input as they come, the last one also when no newline ends it. */
export async function* readLines(input: Io["stdin"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    const lines = (
      rest + (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }))
    ).split("\n");
    rest = (lines.pop() ?? "").slice(0, maxLineLength);
    for (const line of lines) yield line.replace(/\r$/u, "").slice(0, maxLineLength);
  }
  if (rest !== "") yield rest;
}
