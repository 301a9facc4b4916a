import type { Facts } from "../machine/facts.js";
import { readsByState } from "../pack/artifact-use.js";
import type { Declaration } from "../pack/artifacts.js";
import { hasUnknownPromptReference, type Pack } from "../pack/pack.js";
import { referencedNames } from "../pack/template-text.js";
import type { Syntax } from "../template/read-template.js";
import type { WorkflowRule } from "./rule.js";

export const unusedArtifact: WorkflowRule = {
  id: "unused-artifact",
  subject: "workflow",
  summary: "Every artifact is read by some template.",
  severity: "info",
  source: "RFC 0009, artifact lifecycle",
  *check(_workflow, facts, pack) {
    const { artifacts, delimiters, root } = pack;
    if (delimiters === undefined || !artifacts.hasAllDeclarations) return;
    if (!allReadsKnown(pack) || hasUnknownPromptReference(pack)) return;
    const unread = [...artifacts.declared].filter(([name]) => !artifacts.readNames.has(name));
    if (unread.length === 0) return;
    // Evals and validators may name it too.
    const readElsewhere = referencedNames(root, delimiters, ["artifact"]);
    const isNear = unread.some(([name]) => artifacts.likelyMisspellings.has(name));
    const reads = new Map(isNear ? readsByState(artifacts) : []);
    for (const [name, declarations] of unread) {
      const [first, ...others] = declarations.filter(({ artifact }) => artifact.node !== undefined);
      if (first === undefined || readElsewhere.has(name)) continue;
      const near = artifacts.likelyMisspellings.get(name);
      // artifact-not-in-state reports it for a state that declares this one and reads the near one.
      if (near !== undefined && declarations.some(({ state }) => reads.get(state)?.has(near))) continue;
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
  if (declarations.every(({ state }) => state.terminal?.value === true && state.transitions.length === 0))
    return "Remove it: runs end where it is declared, so no later state can read it.";
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
