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
        const shape = state.isUnclear ? undefined : shapeOf(artifact);
        return shape === undefined ? [] : [{ state: state.name.text, at: artifact.name, shape }];
      });
      if (first === undefined) continue;
      for (const { state, at, shape } of others) {
        const difference = describeDifference(shape, first.shape, first.state);
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
  readonly modeText: string;
}

/** Undefined when artifact-type reports the type, or the schema its absence. */
function shapeOf({ type, mode }: Artifact): ArtifactShape | undefined {
  if (type === undefined || !isMimeType(type.text)) return undefined;
  if (mode === undefined) return { type: type.text, mode: "replace", modeText: '"replace" (the default)' };
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
