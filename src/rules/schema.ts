import { schemaFindings } from "../schema/check-schema.js";
import type { RuleFor } from "./rule.js";
import { withRenameFix } from "./shared/fixes.js";

export const schema: RuleFor<"document"> = {
  id: "schema",
  subject: "document",
  summary: "The pack matches the PromptPack schema.",
  severity: "error",
  fix: "unsafe",
  source: "PromptPack schema",
  *check({ document, spec, schemaErrors }) {
    for (const finding of schemaFindings(document, spec, schemaErrors))
      yield withRenameFix(document, finding);
  },
};
