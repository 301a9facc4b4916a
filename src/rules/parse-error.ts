import type { Fault, Limits } from "../document/document.js";
import type { FileRule } from "./rule.js";

export const parseError: FileRule = {
  id: "parse-error",
  subject: "file",
  summary: "The file is UTF-8, valid JSON or YAML, holds one document, and its root is an object.",
  severity: "error",
  source: "RFC 0002, file formats",
  stops: ({ root }) => root === undefined,
  *check({ faults }, spec) {
    for (const fault of faults) {
      const advice = limitAdvice(fault) ?? (spec === undefined ? undefined : packAdvice(fault));
      const { message, related } = fault;
      yield { at: fault, message, advice, ...(related && { related }) };
    }
  },
};

const flags: Readonly<Record<keyof Limits, string>> = {
  maxBytes: "--max-size",
  maxDepth: "--max-depth",
  maxAliasNodes: "--max-alias-nodes",
  maxValues: "--max-values",
};

/** How to have a larger file read after all. */
export function limitAdvice({ kind }: Fault): string | undefined {
  if (kind === undefined || kind === "no-object" || kind === "several-documents") return undefined;
  return `"${flags[kind]}" raises the limit.`;
}

/** What a pack is, where the file holds something else. */
export function packAdvice({ kind }: Fault): string | undefined {
  if (kind === "no-object") return "A pack is an object with keys such as id and prompts.";
  return kind === "several-documents" ? "Put each pack into a file of its own." : undefined;
}
