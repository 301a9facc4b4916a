import { patternError } from "../pattern/pattern-error.js";
import { createGuesser } from "../text/names.js";
import { jsonSchemaFindings } from "../schema/json-schema.js";
import type { PackRule } from "./rule.js";
import { withRenameFix } from "./shared/fixes.js";

export const toolParameters: PackRule = {
  id: "tool-parameters",
  subject: "pack",
  summary: "The parameters of a tool are a valid JSON Schema, and declare every property that they require.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0001, tools",
  *check({ tools, document }) {
    const options = { source: document.text, patternFault: patternError, guess: createGuesser() };
    for (const { key, parameters, isUnclear } of tools.values()) {
      if (parameters === undefined || isUnclear) continue;
      for (const { message, ...finding } of jsonSchemaFindings(parameters, options)) {
        yield withRenameFix(document, { ...finding, message: `In tool "${key.text}", ${message}` });
      }
    }
  },
};
