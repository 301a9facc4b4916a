import { rules } from "../rules/index.js";
import { choiceHint } from "../setting-words.js";
import type { Io } from "./io.js";
import { UsageError } from "./usage-error.js";

export function listRules(io: Io, format: string): number {
  if (format === "json") {
    const list = rules.map(({ id, severity, summary, source }) => ({ id, severity, summary, source }));
    io.stdout.write(JSON.stringify(list, null, 2) + "\n");
    return 0;
  }
  if (format !== "text") {
    throw new UsageError(`"rules" has no format "${format}".${choiceHint(format, ["text", "json"])}`);
  }
  const width = Math.max(...rules.map(({ id }) => id.length));
  for (const { id, severity, summary } of rules) {
    io.stdout.write(`${id.padEnd(width)}  ${severity.padEnd(7)}  ${summary}\n`);
  }
  return 0;
}
