import { createHash } from "node:crypto";
import type { Diagnostic } from "../../diagnostic.js";
import { ordinalsOf } from "../../reporters/ordinals.js";
import { stablePointerOf, type FileReport } from "../../reporters/report.js";

/**
 * What a baseline calls the findings of a file: the rule, what it is about and the names in question. Neither a line,
 * nor an index, nor an order, nor a number: what moves stays known, what is new is not taken for what was fixed. Only
 * twins are numbered, as one that is known does not excuse a second. Unlike the fingerprints of reports, it outlasts
 * another wording of the message: nobody wants to write a baseline again for that.
 */
export function findingFingerprints(report: FileReport): ReadonlyMap<Diagnostic, string> {
  const { diagnostics } = report;
  const prints = diagnostics.map((diagnostic) => {
    const { rule, data, message, claim = message } = diagnostic;
    const meaning = [rule, stablePointerOf(report, diagnostic), quotedNames(claim), ...namesInData(data)];
    return createHash("sha256").update(JSON.stringify(meaning)).digest("hex").slice(0, 20);
  });
  const ordinals = ordinalsOf(prints);
  return new Map(
    diagnostics.map((diagnostic, index) => {
      const print = prints[index] ?? "";
      const ordinal = ordinals[index] ?? 1;
      return [diagnostic, ordinal === 1 ? print : `${print}:${ordinal}`];
    }),
  );
}

function quotedNames(words: string): readonly string[] {
  return [...words.matchAll(/"([^"]*)"/gu)].map((match) => match[1] ?? "").sort();
}

/** A message need not name all it is about: a loop is drawn in it, without quotes. */
function namesInData(data: Diagnostic["data"]): readonly string[] {
  const values = Object.values(data ?? {}).flat();
  return values.filter((value) => typeof value === "string").sort();
}
