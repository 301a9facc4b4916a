import { Analysis, type Findings, isRunnable, type RunnableAnalysis } from "../../../src/analysis.js";
import { detectFormat } from "../../../src/document/file-format.js";
import { readDocument } from "../../../src/document/read.js";
import { withBom } from "../../../src/document/text-document.js";
import { type CheckedText, withVerifiedFixes } from "../../../src/fix/apply-fixes.js";
import type { Prover } from "../../../src/fix/proved-fixes.js";

export function analyze(text: string): Analysis {
  return new Analysis("<source>", readDocument(text, detectFormat(undefined, text)));
}

/** With only those fixes that would be made. */
export function lintAnalysis(analysis: Analysis): Findings {
  const found = analysis.lint({});
  const { analyze, lint } = proverFor(analysis);
  const check = (other: string): CheckedText => lint(analyze(other));
  return { ...found, kept: withVerifiedFixes(analysis.document.text, found, check) };
}

export function proverFor({ file, document: { format } }: Analysis): Prover {
  return {
    analyze: (text, work) => new Analysis(file, readDocument(withBom(text), format), { work }),
    lint: (analysis) => analysis.lint({}),
  };
}

/** The analysis of a pack that can be drawn and simulated, or why this one cannot be. */
export function runsOf(analysis: Analysis): RunnableAnalysis | { readonly missing: string } {
  if (analysis.pack === undefined) return { missing: "The pack cannot be read; the findings say why." };
  return isRunnable(analysis) ? analysis : { missing: "The pack has no workflow with states." };
}
