import type { Workflow } from "../pack/workflow.js";

export type ArtifactMode = "replace" | "append";

/** Which artifacts the states of a workflow declare, and how each is updated there. */
export interface ArtifactModes {
  /** Every artifact, in the order it is first declared. */
  readonly names: readonly string[];
  of(state: number): ReadonlyMap<string, ArtifactMode>;
}

export function artifactModes({ states = [] }: Workflow): ArtifactModes {
  const names = new Set<string>();
  const byState = states.map(({ artifacts }) => {
    const modes = new Map<string, ArtifactMode>();
    for (const { name, mode } of artifacts) {
      names.add(name.text);
      modes.set(name.text, mode?.text === "append" ? "append" : "replace");
    }
    return modes;
  });
  const none = new Map<string, ArtifactMode>();
  return { names: [...names], of: (state) => byState[state] ?? none };
}
