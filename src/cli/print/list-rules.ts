import { rules } from "../../rules/index.js";
import { wrapText } from "../../text/wrap-text.js";
import { requireFormat } from "../terminal/formats.js";
import type { Io } from "../terminal/io.js";

/** A column of fewer characters is harder to read than lines that are broken anywhere. */
const narrowest = 20;

export function listRules(io: Io, format: string): number {
  requireFormat("rules", format);
  if (format === "json") {
    const list = rules.map(({ id, severity, summary, source, fix }) => ({
      id,
      severity,
      summary,
      source,
      fix,
    }));
    io.stdout.write(JSON.stringify(list, null, 2) + "\n");
    return 0;
  }
  const width = Math.max(...rules.map(({ id }) => id.length));
  const indent = width + "  warning  ".length;
  // Where no terminal breaks lines, each rule has one to be searched for.
  const room = Math.max((io.stdout.columns || Infinity) - indent, narrowest);
  for (const { id, severity, summary, fix } of rules) {
    const mark = fix === undefined ? "" : fix === "safe" ? " [fix]" : " [unsafe fix]";
    const [first = "", ...more] = wrapText(summary + mark, room);
    io.stdout.write(`${id.padEnd(width)}  ${severity.padEnd(7)}  ${first}\n`);
    for (const line of more) io.stdout.write(`${" ".repeat(indent)}${line}\n`);
  }
  return 0;
}
