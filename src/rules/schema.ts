import { schemaFindings } from "../schema/check-schema.js";
import type { DocumentRule } from "./rule.js";

export const schema: DocumentRule = {
  id: "schema",
  subject: "document",
  summary: "The pack has the shape that the PromptPack schema asks for.",
  severity: "error",
  source: "PromptPack schema v1.4",
  hidesOthers: true,
  check: schemaFindings,
};
