import type { Facts } from "../machine/facts.js";
import type { Pack } from "../pack/pack.js";
import { stringOf } from "../document/spelled-values.js";
import type { Workflow } from "../pack/workflow.js";
import { inspectArtifacts } from "./inspect-artifacts.js";
import type { Inspection } from "./inspection.js";
import { inspectWorkflow } from "./inspect-workflow.js";

/** Everything that is known of a pack. `facts` belong to its workflow. */
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
    evals: evalsOf(pack),
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

function evalsOf({ evals, prompts }: Pack): readonly string[] {
  const ofPrompts = [...prompts.values()].map((prompt) => prompt.evals);
  return [evals, ...ofPrompts].flat().map(({ id }) => id?.text ?? "");
}
