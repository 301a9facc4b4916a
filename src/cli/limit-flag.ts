/** A sentence about a limit without the flag that raises it: for files, and in commands, for which it does not. */
export function withoutLimitFlag(sentence: string): string {
  return sentence.replace(/; "--max-[a-z-]+" raises the limit(?=\.$)/u, "");
}
