import { DeclaredSkills, missingSkillPaths, pathParts, relativePath, type Skills } from "../pack/skills.js";
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
  *check({ document, workflow, skills }, surroundings) {
    if (skills.unclear || !workflow?.states.some((state) => state.skills !== undefined)) return;
    const declared = new DeclaredSkills(skills);
    const guess = createGuesser();
    const isRightPath = pathsThatExist(skills, surroundings);
    const isInFolder = namesInFolders(declared, surroundings);
    const mayBeInFolder = (name: string): boolean =>
      surroundings.fileExists === undefined && isBareName(name) && declared.localFolders.size > 0;
    for (const { name, skills: chosen } of workflow.clearStates) {
      if (chosen === undefined || chosen.text === "none" || declared.has(chosen.text)) continue;
      if (isRightPath(chosen.text) || isInFolder(chosen.text)) continue;
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

/** Paths that begin alike are near as texts, so their last parts have to be near too. */
function adviceFor(text: string, candidates: Iterable<string>, guess: NameGuess): string | undefined {
  const nearest = guess(text, candidates);
  if (nearest === undefined) return undefined;
  const [own = "", other = ""] = [pathParts(text).at(-1), pathParts(nearest).at(-1)];
  return own === other || nearestName(own, [other]) !== undefined ? `Did you mean "${nearest}"?` : undefined;
}

/** While a declared path leads nowhere, a state's path that does not is the right one: the other is misspelt. */
function pathsThatExist(skills: Skills, { fileExists }: FileContext): (text: string) => boolean {
  if (fileExists === undefined) return () => false;
  let someMissing: boolean | undefined;
  return (text) => {
    const path = relativePath(text);
    if (path === undefined) return false;
    someMissing ??= [...missingSkillPaths(skills, fileExists)].length > 0;
    return someMissing && fileExists(path);
  };
}

/** Bounds the work: who has so many folders and wrong names is told about all of them. */
const maxLookups = 5_000;

/** A skill goes by its name in a declared folder, too. */
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
