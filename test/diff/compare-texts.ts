import { comparePacks, type Difference } from "../../src/diff/compare.js";
import { detectFormat } from "../../src/document/file-format.js";
import { readDocument } from "../../src/document/read.js";
import { Analysis, hasPack, type PackAnalysis } from "../../src/analysis.js";

export function analysisOf(text: string): PackAnalysis {
  const analysis = new Analysis("", readDocument(text, detectFormat(undefined, text)));
  if (!hasPack(analysis)) throw new Error(analysis.document.faults[0]?.message ?? "not a mapping");
  return analysis;
}

export function compareTexts(before: string, after: string): Difference {
  return comparePacks(analysisOf(before), analysisOf(after));
}

/** One line per change, and what is wrong with the versions. */
export function differenceText(before: string, after: string): string {
  const { changes, requiredBump, versionFaults } = compareTexts(before, after);
  const sides = { old: analysisOf(before), new: analysisOf(after) };
  const placed = (side: "old" | "new", start: number) => {
    const { line, column } = sides[side].document.lines.position(start);
    return `${side} ${line}:${column}`;
  };
  const lines = [
    ...changes.map((change) => {
      const prompt = change.prompt === undefined ? "" : ` (${change.prompt})`;
      return `${placed(change.side, change.at.start)} ${change.level} ${change.rule}${prompt}: ${change.message}`;
    }),
    ...versionFaults.map(
      ({ at, severity, rule, message }) => `${placed("new", at.start)} ${severity} ${rule}: ${message}`,
    ),
  ];
  return [`requires: ${requiredBump}`, ...lines].map((line) => `${line}\n`).join("");
}
