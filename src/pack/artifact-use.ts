import type { Pack } from "./pack.js";
import type { Prompt, Reading } from "./prompt.js";
import type { Artifact, State } from "./workflow.js";

/** Who declares and who reads the artifacts of a workflow. Their names are one namespace (RFC 0009). */
export interface ArtifactUse {
  /** By name; declarations in file order. */
  readonly declared: ReadonlyMap<string, readonly Declaration[]>;
  /** Every `{{artifacts.x}}` that a prompt reads, fragments included. */
  readonly reads: readonly ArtifactRead[];
  /** Names read by any template at all, by fragments that nothing includes too. */
  readonly readNames: ReadonlySet<string>;
}

export interface Declaration {
  readonly state: State;
  readonly artifact: Artifact;
}

export interface ArtifactRead {
  readonly name: string;
  readonly prompt: Prompt;
  readonly reading: Reading;
  /** The states that run the prompt. */
  readonly states: readonly State[];
}

export function artifactUse(pack: Pack): ArtifactUse {
  const states = pack.workflow?.states ?? [];
  const declared = new Map<string, Declaration[]>();
  const running = new Map<Prompt, State[]>();
  for (const state of states) {
    for (const artifact of state.artifacts) addTo(declared, artifact.name.text, { state, artifact });
    if (state.prompt !== undefined) addTo(running, state.prompt, state);
  }
  const reads: ArtifactRead[] = [];
  for (const prompt of pack.prompts?.values() ?? []) {
    for (const reading of pack.readings.of(prompt)) {
      if (reading.reference.kind !== "artifact") continue;
      reads.push({ name: reading.reference.name, prompt, reading, states: running.get(prompt) ?? [] });
    }
  }
  const inFragments = [...pack.fragments.values()].flatMap(
    (fragment) => fragment.template?.template.references.filter(({ kind }) => kind === "artifact") ?? [],
  );
  const readNames = new Set([...reads, ...inFragments].map(({ name }) => name));
  return { declared, reads, readNames };
}

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
