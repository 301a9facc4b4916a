import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import type { FileReport } from "../../reporters/report.js";
import type { LintRequest } from "../request/lint-request.js";

/** What it takes to know findings again in the next run, as far as a baseline or a format has to. */
export async function knownAgain(
  { baseline, formats }: LintRequest,
  { root }: Document,
  found: readonly Diagnostic[],
): Promise<Pick<FileReport, "lastingPointers">> {
  const isAsked = baseline !== undefined || formats.some(({ name }) => name === "sarif" || name === "gitlab");
  if (!isAsked) return {};
  const { lastingPointers } = await import("../baseline/lasting-pointers.js");
  return { lastingPointers: lastingPointers(root, found) };
}
