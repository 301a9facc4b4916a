import { ruleGroups, rules, type RuleGroup } from "../../rules/index.js";
import type { RuleInfo } from "../../rules/rule-info.js";
import { wrapText } from "../../text/wrap-text.js";
import { requireFormat } from "../terminal/formats.js";
import type { Io } from "../terminal/io.js";

/** A column of fewer characters is harder to read than lines that are broken anywhere. */
const minSummaryWidth = 20;

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
  const { columns } = io.stdout;
  // Where there is no terminal, each rule is a line to be searched for, and there are no others.
  const list = columns ? ruleGroups.map((group) => groupText(group, columns)).join("\n") : ruleLines(rules);
  io.stdout.write(list);
  return 0;
}

const groupText = ({ title, rules: members }: RuleGroup, columns: number): string =>
  `${title}\n${ruleLines(members, columns)}`;

const idWidth = Math.max(...rules.map(({ id }) => id.length));
const summaryIndent = idWidth + "  warning  ".length;

function ruleLines(members: readonly RuleInfo[], columns = Infinity): string {
  const room = Math.max(columns - summaryIndent, minSummaryWidth);
  const lines = members.flatMap(({ id, severity, summary, fix }) => {
    const mark = fix === undefined ? "" : fix === "safe" ? " [fix]" : " [unsafe fix]";
    const [first = "", ...more] = wrapText(summary + mark, room);
    const head = `${id.padEnd(idWidth)}  ${severity.padEnd(7)}  ${first}`;
    return [head, ...more.map((line) => " ".repeat(summaryIndent) + line)];
  });
  return lines.map((line) => line + "\n").join("");
}
