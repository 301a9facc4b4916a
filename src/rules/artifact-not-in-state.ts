import { statesLackingArtifacts } from "../pack/artifact-use.js";
import type { ArtifactUse } from "../pack/artifacts.js";
import { listNames } from "../text/wording.js";
import type { PackRule } from "./rule.js";
import { declareArtifactsFix } from "./shared/fixes.js";

export const artifactNotInState: PackRule = {
  id: "artifact-not-in-state",
  subject: "pack",
  summary: "A state declares the artifacts that its prompt reads.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0009, rule 4",
  *check({ document, artifacts }) {
    for (const { prompt, lacking, isComplete } of statesLackingArtifacts(artifacts)) {
      const [first, ...others] = lacking;
      const { state, missing } = first;
      const [noun, it] = missing.length === 1 ? ["artifact", "it"] : ["artifacts", "them"];
      const own = new Set(lacking.flatMap((each) => each.state.artifacts.map(({ name }) => name.text)));
      const misspelling = misspellingAdvice(missing, own, artifacts);
      const advice = `Runtimes that go by declarations do not offer ${it} there.`;
      yield {
        at: state.name,
        message:
          `State "${state.name.text}" does not declare the ${noun} ${listNames(missing)}, ` +
          `which ${state.runsComposition ? "the" : "its"} prompt "${prompt.key.text}"` +
          `${state.runsComposition ? " of its composition" : ""} reads.`,
        advice:
          misspelling === undefined
            ? advice
            : missing.length === 1
              ? misspelling
              : `${advice} ${misspelling}`,
        related: [
          ...others.map((other) => ({
            at: other.state.name,
            message: `"${other.state.name.text}" runs it, too, without ${listNames(other.missing)}`,
          })),
          ...missing.flatMap((name) => {
            const declared = artifacts.declared.get(name)?.[0];
            if (declared === undefined) return [];
            const message = `"${name}" is declared by state "${declared.state.name.text}"`;
            return [{ at: declared.artifact.name, message }];
          }),
        ],
        data: {
          artifacts: missing,
          ...(others.length > 0 && { states: lacking.map((each) => each.state.name.text) }),
        },
        ...(misspelling === undefined && isComplete && declareArtifactsFix(document, lacking, artifacts)),
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
