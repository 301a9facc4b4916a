import { isDuplicated, isInsideDuplicated } from "../document/node.js";
import { isMimeType } from "../pack/artifacts.js";
import type { Artifact } from "../pack/workflow.js";
import type { PackRule } from "./rule.js";

export const artifactConflict: PackRule = {
  id: "artifact-conflict",
  subject: "pack",
  summary: "States that declare the same artifact agree on its type and mode.",
  severity: "warning",
  source: "RFC 0009, artifact lifecycle",

  *check({ artifacts }) {
    for (const [name, declarations] of artifacts.declared) {
      const [first, ...others] = declarations.flatMap(({ state, artifact }) => {
        const meaning = shapeOf(artifact);
        return meaning === undefined ? [] : [{ state: state.name.text, at: artifact.name, meaning }];
      });
      if (first === undefined) continue;
      for (const { state, at, meaning } of others) {
        const difference = describeDifference(meaning, first.meaning, first.state);
        if (difference === undefined) continue;
        yield {
          at,
          message: `State "${state}" declares the artifact "${name}" with ${difference}.`,
          advice: "They share one artifact: make the two declarations agree.",
          related: [{ at: first.at, message: `"${first.state}" declares it here` }],
        };
      }
    }
  },
};

interface ArtifactShape {
  readonly type: string;
  readonly mode: string;
  /** How the mode is told: an author who left it out does not know it by its name. */
  readonly modeText: string;
}

/** Nothing for a declaration that the schema or artifact-type rejects, or beside which another may be meant. */
function shapeOf({ node, type, mode }: Artifact): ArtifactShape | undefined {
  if (type === undefined || !isMimeType(type.text)) return undefined;
  if (isInsideDuplicated(type.node) || isDuplicated(mode?.node)) return undefined;
  if (mode === undefined) {
    const modeText = `"replace" (the default)`;
    return node?.get("mode") === undefined ? { type: type.text, mode: "replace", modeText } : undefined;
  }
  if (mode.text !== "replace" && mode.text !== "append") return undefined;
  return { type: type.text, mode: mode.text, modeText: `"${mode.text}"` };
}

function describeDifference(
  own: ArtifactShape,
  first: ArtifactShape,
  firstState: string,
): string | undefined {
  const differs = own.type !== first.type;
  if (own.mode === first.mode)
    return differs
      ? `the type "${own.type}", but "${firstState}" declares it with "${first.type}"`
      : undefined;
  if (!differs) return `the mode ${own.modeText}, but "${firstState}" declares it with ${first.modeText}`;
  return `the type "${own.type}" and the mode ${own.modeText}, but "${firstState}" declares it with "${first.type}" and ${first.modeText}`;
}
