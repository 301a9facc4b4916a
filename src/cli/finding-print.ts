import { createHash } from "node:crypto";
import type { Diagnostic } from "../diagnostic.js";
import { lastingPointerOf, type FileReport } from "../reporters/report.js";
import { withoutAdvice } from "../wording.js";

/**
 * What a baseline calls the findings of a file: the rule, what it is about and the names in question. Neither a line,
 * nor an index, nor a number: what moves stays known, what is new is not taken for what was fixed.
 */
export function findingPrints(report: FileReport): ReadonlyMap<Diagnostic, string> {
  return new Map(
    report.diagnostics.map((diagnostic) => [
      diagnostic,
      printOf(lastingPointerOf(report, diagnostic), diagnostic),
    ]),
  );
}

function printOf(pointer: string, { rule, message }: Diagnostic): string {
  const meaning = JSON.stringify([rule, pointer, namesInText(message)]);
  return createHash("sha256").update(meaning).digest("hex").slice(0, 20);
}

function namesInText(message: string): readonly string[] {
  return [...withoutAdvice(message).matchAll(/"([^"]*)"/gu)].map((match) => match[1] ?? "");
}
