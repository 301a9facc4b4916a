import { choiceHint } from "../../words/setting-words.js";
import { UsageError } from "./usage-error.js";

/** What the commands print that have formats of their own. */
export const commandFormats = {
  inspect: ["text", "json"],
  rules: ["text", "json"],
  simulate: ["table", "json", "jsonl"],
} as const;

export function requireFormat(command: keyof typeof commandFormats, format: string): void {
  const known: readonly string[] = commandFormats[command];
  if (known.includes(format)) return;
  throw new UsageError(`"${command}" has no format "${format}".${choiceHint(format, known)}`);
}
