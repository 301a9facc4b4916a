import type { FaultKind } from "../document/document.js";
import type { FileRule } from "./rule.js";

export const parseError: FileRule = {
  id: "parse-error",
  subject: "file",
  summary: "The file is UTF-8, valid JSON or YAML, holds one document, and its root is an object.",
  severity: "error",
  source: "RFC 0002, file formats",
  stopsLinting: ({ root }) => root === undefined,
  *check({ document: { faults }, isPack }) {
    for (const fault of faults) {
      const { message, related, kind } = fault;
      const flag = kind && limitFlags[kind];
      const packAdvice = isPack && kind ? packAdvices[kind] : undefined;
      const advice = flag === undefined ? packAdvice : `"${flag}" raises the limit.`;
      yield { at: fault, message, advice, ...(related && { related }) };
    }
  },
};

const limitFlags: Readonly<Partial<Record<FaultKind, string>>> = {
  maxBytes: "--max-size",
  maxDepth: "--max-depth",
  maxAliasNodes: "--max-alias-nodes",
  maxValues: "--max-values",
};

const packAdvices: Readonly<Partial<Record<FaultKind, string>>> = {
  "no-object": "A pack is an object with keys such as id and prompts.",
  "several-documents": "Put each pack into a file of its own.",
  yaml: 'Give the file a name that ends in ".yaml", or write it as JSON.',
};
