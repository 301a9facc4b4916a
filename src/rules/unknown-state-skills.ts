import { DeclaredSkills } from "../pack/declared-skills.js";
import { didYouMean } from "../nearest-name.js";
import type { PackRule } from "./rule.js";

export const unknownStateSkills: PackRule = {
  id: "unknown-state-skills",
  subject: "pack",
  summary: "The `skills` of a state are `none`, or skills that the pack declares.",
  severity: "warning",
  source: "RFC 0008, workflow states",
  *check({ workflow, skills }) {
    if (skills?.unclear) return;
    const declared = new DeclaredSkills(skills ?? { sources: [], unclear: false });
    for (const { name, skills: chosen } of workflow?.states ?? []) {
      if (chosen === undefined || chosen.text === "none" || declared.has(chosen.text)) continue;
      const why = skills === undefined ? `but the pack has no "skills".` : "which the pack does not declare.";
      const hint = didYouMean(chosen.text, declared.texts());
      yield { at: chosen, message: `State "${name.text}" uses the skills "${chosen.text}", ${why}${hint}` };
    }
  },
};
