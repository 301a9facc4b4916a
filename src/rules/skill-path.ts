import type { Finding } from "../diagnostic.js";
import type { LocatedString } from "../document/node.js";
import { getOrCreate } from "../text/collections.js";
import {
  DeclaredSkills,
  missingSkillPaths,
  pathBeforeGlob,
  pathParts,
  relativePath,
} from "../pack/skills.js";
import type { Pack } from "../pack/pack.js";
import type { PackRule } from "./rule.js";

type FileExists = (path: string) => boolean;

export const skillPath: PackRule = {
  id: "skill-path",
  subject: "pack",
  summary: "A skill that is named by a relative path exists beside the pack.",
  severity: "warning",
  source: "RFC 0008, skill sources",
  needs: "files beside",
  *check(pack, { fileExists }) {
    if (fileExists === undefined) return;
    for (const at of missingSkillPaths(pack.skills, fileExists)) yield missingPathFinding(at, at.text);
    yield* missingStateSkills(pack, fileExists);
  },
};

function missingPathFinding(at: LocatedString, path: string): Finding {
  return {
    at,
    wants: "a skill path",
    message: `The skill path "${path}" does not exist beside the pack.`,
    advice: "Correct it, or put the skill there.",
  };
}

/** Paths in states that are missing from a declared folder; of a pattern, only the part before the glob is looked up. */
function* missingStateSkills({ skills, workflow }: Pack, fileExists: FileExists): Iterable<Finding> {
  const declared = new DeclaredSkills(skills);
  const known = new Map<string, boolean>();
  const exists = (path: string) => getOrCreate(known, path, () => fileExists(path));
  for (const { skills: chosen } of workflow?.clearStates ?? []) {
    const fixed = pathBeforeGlob(chosen?.text ?? "");
    // A bare name may be anywhere in a folder.
    if (chosen === undefined || !/[/\\]/.test(fixed) || relativePath(fixed) === undefined) continue;
    const folder = declared.enclosingFolder(chosen.text);
    if (folder === undefined || !exists(folder)) continue;
    const path = pathParts(fixed).join("/");
    if (exists(path) || exists(`${path}.md`)) continue;
    yield missingPathFinding(chosen, fixed === chosen.text ? fixed : fixed.replace(/[/\\]+$/, ""));
  }
}
