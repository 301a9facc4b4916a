import { getOrCreate } from "../maps/get-or-make.js";
import type { Pack } from "../pack/pack.js";
import type { State } from "../pack/workflow.js";
import type { ArtifactInspection } from "./inspection.js";

/** Every artifact, in the order it is first declared: who may write it, and who reads it. */
export function inspectArtifacts({ artifacts }: Pack): readonly ArtifactInspection[] {
  const readers = new Map<string, Map<string, readonly string[]>>();
  // Every read of a prompt has the same states: of a thousand reads under a thousand states the names are listed once.
  const names = new Map<readonly State[], readonly string[]>();
  for (const { name, prompt, states } of artifacts.reads) {
    const prompts = getOrCreate(readers, name, () => new Map());
    const running = getOrCreate(names, states, () => states.map((state) => state.name.text));
    prompts.set(prompt.key.text, running);
  }
  return [...artifacts.declared].map(([name, declarations]) => ({
    name,
    types: unique(declarations.flatMap(({ artifact }) => artifact.type?.text ?? [])),
    modes: unique(
      declarations.map(({ artifact }) => (artifact.mode?.text === "append" ? "append" : "replace")),
    ),
    declaredBy: unique(declarations.map(({ state }) => state.name.text)),
    readBy: [...(readers.get(name) ?? [])].map(([prompt, states]) => ({ prompt, states })),
  }));
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}
