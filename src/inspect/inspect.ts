import { stringOf } from "../document/node.js";
import type { Facts } from "../machine/facts.js";
import type { Pack } from "../pack/pack.js";
import type { State, Workflow } from "../pack/workflow.js";
import { getOrCreate } from "../text/collections.js";
import { inspectWorkflow } from "./inspect-workflow.js";
import type { ArtifactInspection, Inspection } from "./inspection.js";

export function inspect(
  file: string,
  pack: Pack,
  workflow: { readonly workflow: Workflow; readonly facts: Facts } | undefined,
): Inspection {
  const { root, spec } = pack;
  const { members, entry } = pack.agents;
  const textOf = (name: string): string | null => stringOf(root.get(name)) ?? null;
  return {
    schemaVersion: 1,
    file,
    id: textOf("id"),
    name: textOf("name"),
    version: textOf("version"),
    specVersion: spec.version,
    unknownSpecVersion: spec.problem === undefined ? null : spec.pinned || (spec.declared?.text ?? null),
    prompts: [...pack.prompts.keys()],
    tools: [...pack.tools.keys()],
    fragments: [...pack.fragments.keys()],
    evals: [pack.evals, ...[...pack.prompts.values()].map((prompt) => prompt.evals)]
      .flat()
      .map(({ id: evalId }) => evalId?.text ?? ""),
    skills: pack.skills.sources.map((source) =>
      source.kind === "path" ? source.path.text : source.name.text,
    ),
    agents: members.map(({ name, state }) => ({
      name: name.text,
      state: state?.text ?? null,
      entry: entry?.text === name.text,
    })),
    workflow:
      workflow === undefined
        ? null
        : {
            ...inspectWorkflow(workflow.workflow, workflow.facts, members),
            artifacts: inspectArtifacts(pack),
          },
  };
}

/** In the order of the first declarations. */
function inspectArtifacts({ artifacts }: Pack): readonly ArtifactInspection[] {
  const readers = new Map<string, Map<string, readonly string[]>>();
  // All reads of a prompt share a list of states, whose names are collected only once.
  const namesOf = new Map<readonly State[], readonly string[]>();
  for (const { name, prompt, states } of artifacts.reads) {
    const prompts = getOrCreate(readers, name, () => new Map());
    prompts.set(
      prompt.key.text,
      getOrCreate(namesOf, states, () => states.map((state) => state.name.text)),
    );
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
