import type { Step } from "../composition/composition.js";
import type { Document } from "../document/document.js";
import type { Key, LocatedString, MappingNode } from "../document/node.js";
import { checkSchema, detailedErrors } from "../schema/check-schema.js";
import type { Spec } from "../schema/spec-version.js";
import { Unclear } from "../schema/unclear.js";
import { withLazy } from "../text/collections.js";
import { analyzeArtifactUse, type ArtifactUse } from "./artifact-use.js";
import { type Governance, readGovernance } from "./governance.js";
import { type PackParts, readParts } from "./pack-parts.js";
import { analyzeTemplateUse, Readings, type TemplateUse } from "./template-use.js";
import { analyzeToolUse, type ToolUse } from "./tool-use.js";
import { isReadable, type State, type Workflow } from "./workflow.js";

export interface Pack extends PackParts {
  readonly readings: Readings;
  readonly templates: TemplateUse;
  readonly artifacts: ArtifactUse;
  readonly toolUse: ToolUse;
  readonly governance: Governance;
}

/** Reads what is well-formed; the schema reports the rest. What follows from it is computed on first use. */
export function readPack(
  document: Document,
  root: MappingNode,
  spec: Spec,
  errors = checkSchema(document, spec),
): Pack {
  const unclear = new Unclear(document, detailedErrors(errors, spec));
  const parts = readParts(document, root, spec, unclear);
  const readings = new Readings(parts.fragments);
  const pack: Pack = withLazy(
    { ...parts, readings },
    {
      templates: () => analyzeTemplateUse(parts, readings),
      artifacts: () => analyzeArtifactUse(parts, readings, pack.templates),
      toolUse: () => analyzeToolUse(parts),
      governance: () => readGovernance(parts, unclear),
    },
  );
  return pack;
}

export function clearSteps({ steps }: Pack): readonly Step[] {
  return steps.filter(({ isUnclear }) => !isUnclear);
}

/** Every place that names a prompt to run: states, steps, and agents, whose names are those of their prompts. */
export function promptReferences({ agents, workflow, steps }: Pack): readonly (LocatedString | Key)[] {
  const states = (workflow?.states ?? []).filter(({ runsComposition }) => !runsComposition);
  const tasks = [...states, ...steps].map(({ promptTask }) => promptTask);
  return [agents.entry, ...agents.members.map(({ name }) => name), ...tasks].flatMap((name) => name ?? []);
}

/** The names of the states in which runs start. */
function entryReferences({ agents, workflow }: Pack): readonly LocatedString[] {
  return [workflow?.entry, ...agents.members.map(({ state }) => state)].flatMap((name) => name ?? []);
}

export function stateReferences(pack: Pack): readonly LocatedString[] {
  return [...entryReferences(pack), ...(pack.workflow?.states ?? []).flatMap(targetReferences)];
}

function targetReferences({ transitions, onMaxVisits }: State): readonly LocatedString[] {
  return [...transitions.map(({ target }) => target), onMaxVisits].flatMap((name) => name ?? []);
}

/** Whether a state, a step or an agent names a prompt that does not exist, so that its uses are unknown. */
export function hasUnknownPromptReference(pack: Pack): boolean {
  return promptReferences(pack).some(({ text }) => !pack.prompts.has(text));
}

/** Whether something names a state that does not exist, or a state is unclear. */
export function hasUnknownStateReference(pack: Pack, workflow: Workflow): boolean {
  return (
    entryReferences(pack).some(({ text }) => workflow.stateNamed(text) === undefined) ||
    workflow.states.some((state) => hasUnknownTarget(state, workflow))
  );
}

/** Whether this state is unclear or names a state that does not exist. */
export function hasUnknownTarget(state: State, { stateNamed }: Workflow): boolean {
  return (
    !isReadable(state) ||
    state.transitions.some(({ target }) => target === undefined) ||
    targetReferences(state).some(({ text }) => stateNamed(text) === undefined)
  );
}

/** Evals whose ids must differ, with the subject of a sentence. A prompt's eval may override one of the pack (RFC 0006). */
export function* evalScopes({ evals, prompts }: Pack) {
  if (evals.length > 0) yield { owner: "The pack", evals };
  for (const prompt of prompts.values())
    if (prompt.evals.length > 0) yield { owner: `Prompt "${prompt.key.text}"`, evals: prompt.evals };
}
