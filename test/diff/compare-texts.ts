import { comparePacks, type Difference } from "../../src/diff/compare.js";
import { detectFormat } from "../../src/document/file-format.js";
import { readDocument } from "../../src/document/read.js";
import type { Pack } from "../../src/pack/pack.js";
import { readPack } from "../../src/pack/read-pack.js";
import { resolveSpec } from "../../src/schema/spec-version.js";

export function packOf(text: string): Pack {
  const document = readDocument(text, detectFormat(undefined, text));
  if (document.root?.kind !== "mapping") throw new Error(document.faults[0]?.message ?? "not a mapping");
  return readPack(document, document.root, resolveSpec(document.root));
}

export function compareTexts(before: string, after: string): Difference {
  return comparePacks(packOf(before), packOf(after));
}

/** One line per change, and what is wrong with the versions. */
export function differenceText(before: string, after: string): string {
  const { changes, requiredBump, versionFaults } = compareTexts(before, after);
  const sides = { old: packOf(before), new: packOf(after) };
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
