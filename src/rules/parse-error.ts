import type { DocumentRule } from "./rule.js";

export const parseError: DocumentRule = {
  id: "parse-error",
  subject: "document",
  ofAnyKind: true,
  summary: "The file is UTF-8, valid JSON or YAML, holds one document, and its root is an object.",
  severity: "error",
  source: "RFC 0002, file formats",
  stops: ({ root }) => root === undefined,
  *check({ faults }) {
    for (const fault of faults) yield { at: fault, message: fault.message };
  },
};
