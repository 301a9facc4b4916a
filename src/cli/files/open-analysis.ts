import { Analysis, type AnalysisOptions } from "../../analysis.js";
import { detectFormat, type Limits } from "../../document/file-format.js";
import { readDocumentLazily } from "../../document/read-lazily.js";

/** Reads a text, named as reports name it. What is derived from it is made when something asks. */
export async function openAnalysis(
  file: string,
  source: string | Uint8Array,
  { limits, ...options }: AnalysisOptions & { readonly limits: Limits },
): Promise<Analysis> {
  const document = await readDocumentLazily(source, detectFormat(file, source), limits);
  return new Analysis(file, document, options);
}
