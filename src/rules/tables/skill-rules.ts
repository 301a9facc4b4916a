import type { Finding } from "../../diagnostic.js";
import type { LocatedString } from "../../document/node.js";
import type { Pack } from "../../pack/pack.js";
import {
  DeclaredSkills,
  missingSkillPaths,
  pathBeforeGlob,
  pathParts,
  relativePath,
} from "../../pack/skills.js";
import { getOrCreate, lazy } from "../../text/collections.js";
import { createGuesser, type NameGuess, nearestName, suggestName } from "../../text/names.js";
import { type FileContext, rulesOf } from "../rule.js";
import { nearestNameFix } from "../shared/fixes.js";
import { repeatedNames } from "../shared/name-corrections.js";

export const skillRules = rulesOf("pack", {
  "duplicate-skill": {
    summary: "Inline skills have different names.",
    severity: "warning",
    source: "RFC 0008, inline skills",
    *check({ pack: { skills } }) {
      const named = skills.sources.flatMap((source) =>
        source.kind === "inline" ? { at: source.at, name: source.name.text } : [],
      );
      yield* repeatedNames(named, (name) => `Another skill is called "${name}".`, "Give each its own name.");
    },
  },
  "skill-path": {
    summary: "A skill that is named by a relative path exists beside the pack.",
    severity: "warning",
    source: "RFC 0008, skill sources",
    needs: "files beside",
    *check({ pack, fileExists }) {
      if (fileExists === undefined) return;
      for (const at of missingSkillPaths(pack.skills, fileExists)) yield missingPathFinding(at, at.text);
      yield* missingStateSkills(pack, fileExists);
    },
  },
  "unknown-state-skills": {
    summary: "The `skills` of a state are `none`, or skills that the pack declares.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0008, workflow states",
    *check({ pack: { document, workflow, skills }, ...context }) {
      if (skills.unclear || !workflow?.states.some((state) => state.skills !== undefined)) return;
      const declared = new DeclaredSkills(skills);
      const guess = createGuesser();
      const isInFolder = namesInFolders(declared, context);
      const mayBeInFolder = (name: string): boolean =>
        context.fileExists === undefined && isBareName(name) && declared.localFolders.size > 0;
      for (const { name, skills: chosen } of workflow.clearStates) {
        if (chosen === undefined || chosen.text === "none") continue;
        if (declared.has(chosen.text) || isInFolder(chosen.text)) continue;
        const advice = nearSkillAdvice(chosen.text, declared.choices(), guess);
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
  },
});

function missingPathFinding(at: LocatedString, path: string): Finding {
  return {
    at,
    wants: "a skill path",
    message: `The skill path "${path}" does not exist beside the pack.`,
    advice: "Correct it, or put the skill there.",
  };
}

/** Paths in states that are missing from a declared folder; of a pattern, only the part before the glob is looked up. */
function* missingStateSkills(
  { skills, workflow }: Pack,
  fileExists: NonNullable<FileContext["fileExists"]>,
): Iterable<Finding> {
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

/** Paths in one folder always look near, so their last parts must be near too. */
function nearSkillAdvice(text: string, candidates: Iterable<string>, guess: NameGuess): string | undefined {
  const nearest = guess(text, candidates);
  if (nearest === undefined) return undefined;
  const [own = "", other = ""] = [pathParts(text).at(-1), pathParts(nearest).at(-1)];
  return own === other || nearestName(own, [other]) !== undefined ? suggestName(text, nearest) : undefined;
}

/** Bounds the work: further names count as unknown. */
const maxLookups = 5_000;

/** A state may also use the name of a skill in a declared folder. */
function namesInFolders(declared: DeclaredSkills, { fileExists }: FileContext): (name: string) => boolean {
  if (fileExists === undefined) return () => false;
  let lookups = 0;
  const exists = (path: string) => ++lookups <= maxLookups && fileExists(path);
  const folders = lazy(() => [...declared.localFolders].filter((folder) => fileExists(folder)));
  const isInFolder = (name: string): boolean =>
    folders().some((folder) => exists(`${folder}/${name}`) || exists(`${folder}/${name}.md`));
  const known = new Map<string, boolean>();
  return (name) =>
    isBareName(name) && getOrCreate(known, name, () => lookups <= maxLookups && isInFolder(name));
}

function isBareName(text: string): boolean {
  return text !== ".." && pathParts(text)[0] === text && relativePath(`./${text}`) !== undefined;
}
