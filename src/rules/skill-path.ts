import { relativePath } from "../pack/skill-path.js";
import type { PackRule } from "./rule.js";

export const skillPath: PackRule = {
  id: "skill-path",
  subject: "pack",
  summary: "A skill that is named by a relative path exists beside the pack.",
  severity: "warning",
  source: "RFC 0008, skill sources",
  *check({ skills }, { fileExists }) {
    if (fileExists === undefined) return;
    const known = new Map<string, boolean>();
    for (const source of skills?.sources ?? []) {
      const path = source.kind === "path" ? relativePath(source.path.text) : undefined;
      if (source.kind !== "path" || path === undefined) continue;
      let exists = known.get(path);
      if (exists === undefined) known.set(path, (exists = fileExists(path)));
      if (exists) continue;
      yield {
        at: source.path,
        message: `The skill path "${source.path.text}" does not exist beside the pack.`,
      };
    }
  },
};
