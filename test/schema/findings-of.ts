import { resolveSpec } from "../../src/schema/spec-version.js";
import type { Format } from "../../src/document/file-format.js";
import { withAdvice, type Finding } from "../../src/diagnostic.js";
import { readDocument } from "../../src/document/read.js";
import { checkSchema, schemaFindings } from "../../src/schema/check-schema.js";

/** The schema findings of a text, in the order of the check. */
export function findingsOf(text: string, format: Format = "yaml"): readonly Finding[] {
  const document = readDocument(text, format);
  if (document.root === undefined) throw new Error(document.faults.map((fault) => fault.message).join("\n"));
  const spec = resolveSpec(undefined);
  return [...schemaFindings(document, spec, checkSchema(document, spec))];
}

/** `pointer | the text pointed at | keyword | message`: everything a finding says, on one line. */
export function linesOf(text: string, format: Format = "yaml"): readonly string[] {
  return findingsOf(text, format).map(
    ({ at, data, ...words }) =>
      `${at.pointer} | ${text.slice(at.start, at.end)} | ${String(data?.["keyword"])} | ${withAdvice(words).message}`,
  );
}

/** The findings of a value written as JSON. */
export function linesOfValue(value: unknown): readonly string[] {
  return linesOf(JSON.stringify(value), "json");
}
