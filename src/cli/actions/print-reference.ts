import { changeCatalogue, type ChangeInfo } from "../../diff/change.js";
import { type RuleGroup, ruleGroups, rules } from "../../rules/index.js";
import type { RuleInfo } from "../../rules/rule-info.js";
import { factsBehind } from "../../runtimes/topics.js";
import { schemaAtVersion } from "../../schema/schema-at-version.js";
import { resolveSpec, unknownVersionMessage } from "../../schema/spec-version.js";
import { formatJson } from "../../text/escape.js";
import { nearestName } from "../../text/names.js";
import { loadPaint } from "../../text/paint.js";
import { besideLabel, wrapText } from "../../text/terminal-text.js";
import { unknownRuleMessage } from "../../text/wording.js";
import { chooseFrom } from "../config/flags.js";
import { readPackageFile } from "../files/package-files.js";
import { type Io, shouldUseColor, UsageError } from "../terminal/io.js";
import { cutExamples, renderPage } from "./render-page.js";

/** A narrower column is harder to read than lines that overflow. */
const minSummaryWidth = 20;

export function listRules(io: Io, word: string | undefined, { format }: { readonly format: string }): number {
  const hasWord = (text: string) => text.toLowerCase().includes(word?.toLowerCase() ?? "");
  const groups = ruleGroups.flatMap(({ title, rules }) => {
    const members = rules.filter(({ id, summary }) => [id, title, summary].some(hasWord));
    return members.length === 0 ? [] : { title, rules: members };
  });
  const found = groups.flatMap((group) => group.rules);
  if (found.length === 0)
    throw new UsageError(`No rule has "${word}" in its id, group or summary. "promptpack rules" lists all.`);
  if (format === "json") {
    const keys = ["id", "severity", "summary", "source", "fix", "since"];
    io.stdout.write(JSON.stringify(found, keys, 2) + "\n");
    return 0;
  }
  const { columns } = io.stdout;
  // Outside a terminal, one line per rule and nothing else, for tools such as grep.
  const groupText = (group: RuleGroup) => `${group.title}\n${ruleLines(group.rules, columns)}`;
  io.stdout.write(columns ? groups.map(groupText).join("\n") : ruleLines(found));
  return 0;
}

const idWidth = Math.max(...rules.map(({ id }) => id.length));
const summaryIndent = idWidth + "  warning  ".length;

function ruleLines(members: readonly RuleInfo[], columns = Infinity): string {
  const room = Math.max(columns - summaryIndent, minSummaryWidth);
  const lines = members.flatMap(({ id, severity, summary, fix }) => {
    const mark = fix === undefined ? "" : fix === "safe" ? " [fix]" : ` [${fix} fix]`;
    return besideLabel(`${id.padEnd(idWidth)}  ${severity.padEnd(7)}  `, wrapText(summary + mark, room));
  });
  return lines.map((line) => line + "\n").join("");
}

/** Longer lines are hard to read. */
const maxPageWidth = 80;

/** The page of a rule, or what `diff` reports under this id. Also accepts it in brackets, as in reports, or with capitals. */
export async function explainRule(
  io: Io,
  written: string,
  { color }: { readonly color?: boolean },
): Promise<number> {
  const id = written.replace(/^\[(.*)\]$/u, "$1").toLowerCase();
  const change = changeCatalogue.find((each) => each.id === id);
  const ids = [...rules, ...changeCatalogue].map((each) => each.id);
  if (!ids.includes(id)) throw new UsageError(unknownRuleMessage(written, ids, () => nearestName(id, ids)));
  const page = change === undefined ? readPackageFile(`docs/rules/${id}.md`) : changePage(change);
  const width = Math.min(io.stdout.columns || maxPageWidth, maxPageWidth);
  const paint = await loadPaint({ color: shouldUseColor(color, io), links: false });
  io.stdout.write(renderPage(cutExamples(page) + factsBehind(id), paint, width));
  return 0;
}

function changePage({ id, level, text }: ChangeInfo): string {
  return [`# ${id}`, text, `**Level:** ${level}.`, "See docs/diff.md."].join("\n\n");
}

export const schemaKinds: readonly string[] = [
  "pack",
  "report",
  "config",
  "routes",
  "agentic-event",
  "agentic-state",
  "step-protocol",
  "run-record",
  "workflow-context",
  "vector",
];

export function printSchema(io: Io, { kind, specVersion }: { kind: string; specVersion?: string }): number {
  chooseFrom(schemaKinds, kind, "There is no schema of kind");
  const text = readPackageFile(`schema/${kind === "pack" ? "promptpack" : kind}.schema.json`);
  if (specVersion === undefined) io.stdout.write(text);
  else {
    if (kind !== "pack") throw new UsageError('"--spec-version" can only be used with the schema of packs.');
    const fault = unknownVersionMessage(specVersion);
    if (fault !== undefined) throw new UsageError(fault);
    const { version } = resolveSpec(undefined, specVersion);
    io.stdout.write(formatJson(schemaAtVersion(JSON.parse(text) as Record<string, unknown>, version), 2));
  }
  return 0;
}
