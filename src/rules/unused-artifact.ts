import type { Facts } from "../machine/facts.js";
import { readsByState } from "../pack/artifact-use.js";
import type { Declaration } from "../pack/artifacts.js";
import { hasUnknownPromptReference, type Pack } from "../pack/pack.js";
import { referencedNames } from "../pack/template-text.js";
import type { State } from "../pack/workflow.js";
import type { Syntax } from "../template/read-template.js";
import { appendTo } from "../text/collections.js";
import type { WorkflowRule } from "./rule.js";

export const unusedArtifact: WorkflowRule = {
  id: "unused-artifact",
  subject: "workflow",
  summary: "Every artifact is read by some template, or is the output of the workflow.",
  severity: "info",
  source: "RFC 0009, artifact lifecycle",
  defersTo: ["artifact-not-in-state"],
  *check(_workflow, facts, pack, { isOn }) {
    const { artifacts, delimiters, root } = pack;
    if (delimiters === undefined || !artifacts.hasAllDeclarations) return;
    if (!allReadsKnown(pack) || hasUnknownPromptReference(pack)) return;
    // What a state that ends the run writes is the workflow's output.
    const isOutput = ({ state }: Declaration) => facts.machine.states[state.index]?.ends === true;
    const unread = [...artifacts.declared].filter(
      ([name, declarations]) => !artifacts.readNames.has(name) && !declarations.some(isOutput),
    );
    if (unread.length === 0) return;
    // Evals and validators may name it too.
    const readElsewhere = referencedNames(root, delimiters, ["artifact"]);
    const isNear = unread.some(([name]) => artifacts.likelyMisspellings.has(name));
    const reads = new Map<State, ReadonlySet<string>[]>();
    for (const { state, names } of isNear ? readsByState(artifacts) : []) appendTo(reads, state, names);
    for (const [name, declarations] of unread) {
      const [first, ...others] = declarations.filter(({ artifact }) => artifact.node !== undefined);
      if (first === undefined || readElsewhere.has(name)) continue;
      const near = artifacts.likelyMisspellings.get(name);
      // artifact-not-in-state reports it for a state that declares this one and reads the near one.
      const isReported = ({ state }: Declaration) =>
        near !== undefined && reads.get(state)?.some((names) => names.has(near)) === true;
      if (isOn("artifact-not-in-state") && declarations.some(isReported)) continue;
      const { start } = first.artifact.name;
      yield {
        at: first.artifact.name,
        message: `No template reads the artifact "${name}".`,
        advice:
          near === undefined ? adviceFor(name, declarations, delimiters, facts) : `Did you mean "${near}"?`,
        related: others
          .filter(({ artifact }) => artifact.name.start !== start)
          .map(({ state, artifact }) => ({
            at: artifact.name,
            message: `"${state.name.text}" declares it too`,
          })),
      };
    }
  },
};

function adviceFor(
  name: string,
  declarations: readonly Declaration[],
  { open, close }: Syntax,
  { reentered }: Facts,
): string {
  const path = `artifacts.${name}`;
  const again = declarations.some(({ state }) => reentered.has(state.index)) ? "on a later visit or " : "";
  return `Read it as ${open}${path}${close} ${again}in a later state that also declares it, or remove it.`;
}

/** Whatever is unclear might read the artifact. */
function allReadsKnown({ artifacts, fragments, hasAllFragments, prompts, templates }: Pack): boolean {
  if (prompts.size === 0 || !hasAllFragments || artifacts.readsWholeNamespace || !templates.allResolved)
    return false;
  if (!artifacts.reads.every(({ name }) => artifacts.declared.has(name))) return false;
  return [...fragments.values()].every(({ template }) => template !== undefined);
}
