import { escapeInvisible, formatJson } from "../text/escape.js";
import { alignColumns, ruledTable } from "../text/terminal-text.js";
import { capitalize, joinWords, pluralize, quoteForTrace } from "../text/wording.js";
import { type Coverage, type Item, type Part, parts } from "./items.js";

const partNames: Readonly<Record<Part, string>> = {
  states: "state",
  transitions: "transition",
  forcedExits: "forced exit",
  ends: "end",
};

/** `3 states and 1 end`; leaves out zero counts. */
export function countsText(count: (part: Part) => number): string {
  const words = parts.flatMap((part) => (count(part) === 0 ? [] : pluralize(count(part), partNames[part])));
  return joinWords(words, "and");
}

/** `3 of 3 states, 2 of 4 transitions, …`. */
export function summaryText(coverage: Coverage): string {
  return parts
    .map((part) => {
      const { seen, total } = countOf(coverage, part);
      return `${seen} of ${pluralize(total, partNames[part])}`;
    })
    .join(", ");
}

export function countOf(
  { seen, missing }: Coverage,
  part: Part,
): { readonly seen: number; readonly total: number } {
  return { seen: seen[part].length, total: seen[part].length + missing[part].length };
}

function undecidedText({ undecided }: Coverage): string | undefined {
  const text = countsText((part) => undecided[part].length);
  return text === ""
    ? undefined
    : `Runs may be able to do more, ${text}: there are too many of them to find out.`;
}

export function pathNotes(coverage: Coverage): readonly string[] {
  const leftOut = countsText((part) => coverage.missing[part].length);
  return [
    ...(leftOut === "" ? [] : [`Left out, because the runs would be too long to list: ${leftOut}.`]),
    ...[undecidedText(coverage) ?? []].flat(),
  ];
}

/** In per cent, rounded down, so that 100 means everything. */
export function shareText(seen: number, total: number): string {
  return `${total === 0 ? 100 : Math.floor((seen * 100) / total)} %`;
}

export function coverageJson(coverage: Coverage, runs: number): string {
  const { missing, undecided } = coverage;
  const counts = parts.map((part) => [part, { ...countOf(coverage, part), missing: missing[part] }]);
  const isDecided = parts.every((part) => undecided[part].length === 0);
  return formatJson({
    runs,
    ...Object.fromEntries(counts),
    undecided: isDecided ? undefined : undecided,
  });
}

type Row = readonly string[];

function coverageRows(coverage: Coverage): readonly Row[] {
  const rows = parts.map((part) => {
    const { seen, total } = countOf(coverage, part);
    return [`${capitalize(partNames[part])}s`, String(seen), String(total), shareText(seen, total)];
  });
  return [["", "Tried", "Of", "Share"], ...rows];
}

export function coverageTable(coverage: Coverage, runs: number): string {
  const missing = missingLines(coverage);
  const note = undecidedText(coverage);
  const lines = [
    ...ruledTable(coverageRows(coverage)),
    "",
    `${pluralize(runs, "run")}. Never tried: ${missing.length === 0 ? "nothing." : ""}`.trimEnd(),
    ...missing.map((line) => `  ${line}`),
    ...(note === undefined ? [] : [note]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** `fence` makes a block of code that shows the lines as they are. */
export function coverageMarkdown(
  coverage: Coverage,
  runs: number,
  fence: (lines: readonly string[]) => readonly string[],
): string {
  const [head = "", ...body] = coverageRows(coverage).map((row) => `| ${row.join(" | ")} |`);
  const missing = missingLines(coverage);
  const note = undecidedText(coverage);
  const lines = [
    `## Coverage of ${pluralize(runs, "recorded run")}`,
    "",
    head,
    "| --- | ---: | ---: | ---: |",
    ...body,
    ...(missing.length === 0 ? [] : ["", "Never tried:", "", ...fence(missing)]),
    ...(note === undefined ? [] : ["", note]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const maxMissing = 100;

function missingLines({ missing }: Coverage): readonly string[] {
  const rows = parts.flatMap((part) =>
    missing[part].slice(0, maxMissing).map((item) => [partNames[part], itemText(item)]),
  );
  const total = parts.reduce((sum, part) => sum + missing[part].length, 0);
  const shown = alignColumns(rows.slice(0, maxMissing), Infinity);
  return total > shown.length ? [...shown, `and ${total - shown.length} more`] : shown;
}

function itemText(item: Item): string {
  const shown = (name: string): string => escapeInvisible(quoteForTrace(name));
  if (typeof item === "string") return shown(item);
  const state = shown(item.state);
  if ("event" in item) return `${state} ─${shown(item.event)}→`;
  if ("to" in item) return `${state} ⇒ ${shown(item.to)}`;
  return item.end === "complete" ? `complete in ${state}` : `stopped at ${state}`;
}
