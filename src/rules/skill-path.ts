import { missingPaths } from "../pack/skill-path.js";
import type { PackRule } from "./rule.js";

export const skillPath: PackRule = {
  id: "skill-path",
  subject: "pack",
  summary: "A skill that is named by a relative path exists beside the pack.",
  severity: "warning",
  source: "RFC 0008, skill sources",
  needs: "files beside",
  *check({ skills }, { fileExists }) {
    if (fileExists === undefined) return;
    for (const path of missingPaths(skills, fileExists)) {
      yield {
        at: path,
        message: `The skill path "${path.text}" does not exist beside the pack.`,
        advice: "Correct it, or put the skill there.",
      };
    }
  },
};
