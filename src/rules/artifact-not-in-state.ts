import { readsByState } from "../pack/artifact-use.js";
import type { ArtifactUse } from "../pack/artifacts.js";
import { listNames } from "../text/wording.js";
import type { PackRule } from "./rule.js";
import { declareArtifactsFix } from "./shared/fixes.js";

/** Bounds the output: many states can share a prompt that reads many artifacts. */
const maxNamesPerState = 100;
const maxNamesPerPack = 10_000;

export const artifactNotInState: PackRule = {
  id: "artifact-not-in-state",
  subject: "pack",
  summary: "A state declares the artifacts that its prompt reads.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0009, rule 4",
  *check({ document, artifacts }) {
    let budget = maxNamesPerPack;
    for (const [state, names] of readsByState(artifacts)) {
      if (state.isUnclear) continue;
      const own = new Set(state.artifacts.map((artifact) => artifact.name.text));
      const most = budget > 0 ? maxNamesPerState : 1;
      const missing: string[] = [];
      for (const name of names) if (!own.has(name) && missing.push(name) === most) break;
      budget -= missing.length;
      if (missing.length === 0) continue;
      const one = missing.length === 1;
      const misspelling = misspellingAdvice(missing, own, artifacts);
      const advice = `Add ${one ? "it" : "them"} to its artifacts.`;
      yield {
        at: state.name,
        message:
          `State "${state.name.text}" runs a prompt that reads the ${one ? "artifact" : "artifacts"} ${listNames(missing)}, ` +
          `but does not declare ${one ? "it" : "them"}.`,
        advice: misspelling === undefined ? advice : one ? misspelling : `${advice} ${misspelling}`,
        related: missing.flatMap((name) => {
          const first = artifacts.declared.get(name)?.[0];
          if (first === undefined) return [];
          return [
            { at: first.artifact.name, message: `"${name}" is declared by state "${first.state.name.text}"` },
          ];
        }),
        data: { artifacts: missing },
        // Declaring only the listed ones would not resolve a truncated finding.
        ...(misspelling === undefined &&
          missing.length < most &&
          declareArtifactsFix(document, state, missing, artifacts)),
      };
    }
  },
};

/** The state may declare a missing artifact under a misspelt name that no template reads. */
function misspellingAdvice(
  missing: readonly string[],
  own: ReadonlySet<string>,
  { likelyMisspellings }: ArtifactUse,
): string | undefined {
  const pairs = [...own].map((name) => [likelyMisspellings.get(name) ?? "", name] as const);
  const found = pairs.find(([near]) => missing.includes(near));
  return found && `Did you misspell "${found[0]}" as "${found[1]}"?`;
}
