import type { Workflow } from "../pack/workflow.js";

/** Artifact values by name; an artifact that was never filled is absent. */
export type ArtifactValues = ReadonlyMap<string, string>;

export type ArtifactMode = "replace" | "append";

/** The artifacts of a workflow, and how each state updates them. */
export interface ArtifactModes {
  /** In the order of their first declarations. */
  readonly names: readonly string[];
  of(state: number): ReadonlyMap<string, ArtifactMode>;
}

export function artifactModes({ states }: Workflow): ArtifactModes {
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

export interface ArtifactWrite {
  readonly name: string;
  readonly value: string;
}

/** `replace` overwrites; `append` adds a line, since RFC 0009 does not define a separator. */
export function applyWrites(
  values: ArtifactValues,
  writes: readonly ArtifactWrite[],
  modes: ReadonlyMap<string, ArtifactMode>,
): ArtifactValues {
  if (writes.length === 0) return values;
  const next = new Map(values);
  for (const { name, value } of writes) {
    const before = modes.get(name) === "append" ? next.get(name) : undefined;
    next.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return next;
}
