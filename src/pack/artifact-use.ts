import type { ArtifactRead, ArtifactUse, Declaration } from "./artifacts.js";
import type { Pack } from "./pack.js";
import type { Prompt } from "./prompt.js";
import type { State } from "./workflow.js";

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
