import { verdictsOf } from "../machine/verdicts.js";
import { listNames } from "../wording.js";
import type { WorkflowRule } from "./rule.js";

/** Artifact names asked about in one pack; each needs a walk of its own. */
const mostNames = 1000;

export const artifactNeverSet: WorkflowRule = {
  id: "artifact-never-set",
  subject: "workflow",
  summary: "Some state that declares an artifact can come before the one that reads it.",
  severity: "warning",
  source: "RFC 0009, artifact lifecycle",
  *check(workflow, facts, { artifacts }) {
    if (!verdictsOf(workflow, facts).sound) return;
    const after = new Map<string, ReadonlySet<number>>();
    for (const { name, prompt, reading, states } of artifacts.reads) {
      const readers = states.filter(({ index }) => facts.entered.has(index));
      const declarations = artifacts.declared.get(name);
      if (readers.length === 0 || declarations === undefined) continue;
      let reached = after.get(name);
      if (reached === undefined) {
        if (after.size === mostNames) return;
        reached = facts.statesAfter(
          declarations.map(({ state }) => state.index).filter((index) => facts.entered.has(index)),
        );
        after.set(name, reached);
      }
      if (readers.some(({ index }) => reached.has(index))) continue;
      const setters = listNames(declarations.map(({ state }) => state.name.text));
      yield {
        at: reading.source.placeOf(reading.reference),
        message: `The artifact "${name}" is always empty here: no run enters ${setters}, which may set it, before ${listNames(readers.map((state) => state.name.text))} runs the prompt "${prompt.key.text}".`,
        related: declarations
          .slice(0, 3)
          .map(({ state, artifact }) => ({ at: artifact.name, message: `"${state.name.text}" declares it` })),
      };
    }
  },
};
