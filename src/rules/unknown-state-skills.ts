import { DeclaredSkills, pathParts, relativePath } from "../pack/skills.js";
import { createGuesser, type NameGuess, nearestName } from "../text/names.js";
import type { PackRule, FileContext } from "./rule.js";
import { nearestNameFix } from "./shared/fixes.js";

export const unknownStateSkills: PackRule = {
  id: "unknown-state-skills",
  subject: "pack",
  summary: "The `skills` of a state are `none`, or skills that the pack declares.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0008, workflow states",
  *check({ document, workflow, skills }, context) {
    if (skills.unclear || !workflow?.states.some((state) => state.skills !== undefined)) return;
    const declared = new DeclaredSkills(skills);
    const guess = createGuesser();
    const isInFolder = namesInFolders(declared, context);
    const mayBeInFolder = (name: string): boolean =>
      context.fileExists === undefined && isBareName(name) && declared.localFolders.size > 0;
    for (const { name, skills: chosen } of workflow.clearStates) {
      if (chosen === undefined || chosen.text === "none") continue;
      if (declared.has(chosen.text) || isInFolder(chosen.text)) continue;
      const advice = adviceFor(chosen.text, declared.choices(), guess);
      if (advice === undefined && mayBeInFolder(chosen.text)) continue;
      const why = skills.isWritten ? "which the pack does not declare." : 'but the pack has no "skills".';
      yield {
        at: chosen,
        wants: "skills",
        message: `State "${name.text}" uses the skills "${chosen.text}", ${why}`,
        advice,
        ...(advice !== undefined && nearestNameFix(document, chosen, declared.choices())),
      };
    }
  },
};

/** Paths in one folder always look near, so their last parts must be near too. */
function adviceFor(text: string, candidates: Iterable<string>, guess: NameGuess): string | undefined {
  const nearest = guess(text, candidates);
  if (nearest === undefined) return undefined;
  const [own = "", other = ""] = [pathParts(text).at(-1), pathParts(nearest).at(-1)];
  return own === other || nearestName(own, [other]) !== undefined ? `Did you mean "${nearest}"?` : undefined;
}

/** Bounds the work: further names count as unknown. */
const maxLookups = 5_000;

/** A state may also use the name of a skill in a declared folder. */
function namesInFolders(declared: DeclaredSkills, { fileExists }: FileContext): (name: string) => boolean {
  if (fileExists === undefined) return () => false;
  let folders: readonly string[] | undefined;
  let lookups = 0;
  const exists = (path: string) => ++lookups <= maxLookups && fileExists(path);
  const known = new Map<string, boolean>();
  return (name) => {
    let found = known.get(name);
    if (found !== undefined) return found;
    if (!isBareName(name) || lookups > maxLookups) return false;
    folders ??= [...declared.localFolders].filter((folder) => fileExists(folder));
    found = folders.some((folder) => exists(`${folder}/${name}`) || exists(`${folder}/${name}.md`));
    known.set(name, found);
    return found;
  };
}

function isBareName(text: string): boolean {
  return text !== ".." && pathParts(text)[0] === text && relativePath(`./${text}`) !== undefined;
}
