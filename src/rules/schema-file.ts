import type { PackRule } from "./rule.js";
import type { Finding } from "../diagnostic.js";
import type { LocatedString } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import { type SchemaFile, schemaFilesOf } from "./shared/schema-files.js";

export const schemaFile: PackRule = {
  id: "schema-file",
  subject: "pack",
  summary: "The schema of an input or output exists beside the pack, and is a JSON Schema.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, steps",
  needs: "files beside",
  *check(pack, context) {
    if (context.fileExists === undefined) return;
    const files = schemaFilesOf(pack, context);
    for (const at of schemasNamedIn(pack)) {
      const words = wordsFor(at.text, files.at(at.text));
      if (words !== undefined) yield { at, wants: "the path of a schema", ...words };
    }
  },
};

function* schemasNamedIn({ compositions }: Pack): Iterable<LocatedString> {
  for (const { inputSchema, outputSchema, allSteps } of compositions.values()) {
    if (inputSchema !== undefined) yield inputSchema;
    if (outputSchema !== undefined) yield outputSchema;
    for (const step of allSteps)
      if (!step.isUnclear && step.outputSchema !== undefined) yield step.outputSchema;
  }
}

function wordsFor(path: string, file: SchemaFile): Pick<Finding, "message" | "advice"> | undefined {
  switch (file.kind) {
    case "missing":
      return {
        message: `The schema "${path}" does not exist beside the pack.`,
        advice: "Correct the path, or put the schema there.",
      };
    case "faulty":
      return { message: `The file "${path}" is not a JSON Schema: ${file.fault}.` };
    default:
      return undefined;
  }
}
