import type { Document } from "../document/document.js";
import type { Key, LocatedString, MappingNode } from "../document/node.js";
import type { Syntax } from "../template/read-template.js";
import type { Composition, Step } from "../composition/composition.js";
import type { Agents } from "./agents.js";
import type { ArtifactUse } from "./artifacts.js";
import type { Governance } from "./governance.js";
import type { Eval, Fragment, Prompt, Readings, Tool } from "./prompt.js";
import type { Providers } from "./providers.js";
import type { Skills } from "./skills.js";
import type { Spec } from "../schema/spec-version.js";
import type { TemplateUse } from "./template-use.js";
import type { ToolUse } from "./tool-use.js";
import { isReadable, type State, type Workflow } from "./workflow.js";

/** The content of a pack, as far as it is well-formed. Missing and ill-formed sections are empty or absent. */
export interface Pack {
  readonly document: Document;
  readonly root: MappingNode;
  readonly spec: Spec;
  readonly templateSyntax: LocatedString | undefined;
  /** Absent when the declared syntax is not supported. */
  readonly delimiters: Syntax | undefined;
  readonly prompts: ReadonlyMap<string, Prompt>;
  /** The prompts that do not break the schema. */
  readonly clearPrompts: readonly Prompt[];
  /** False while `prompts` breaks the schema or is empty: any name may then be a prompt's. */
  readonly hasAllPrompts: boolean;
  /** Whether no prompt has this name; never while `prompts` is unclear. */
  isUnknownPrompt(name: string): boolean;
  readonly fragments: ReadonlyMap<string, Fragment>;
  /** False while `fragments` breaks the schema: any name may then be a fragment's. */
  readonly hasAllFragments: boolean;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly hasTools: boolean;
  /** False while `tools` breaks the schema: any name may then be a tool's. */
  readonly hasAllTools: boolean;
  /** Without those of prompts. */
  readonly evals: readonly Eval[];
  /** False while one of them breaks the schema: any id may then be an eval's. */
  readonly hasAllEvals: boolean;
  readonly skills: Skills;
  readonly agents: Agents;
  readonly compositions: ReadonlyMap<string, Composition>;
  /** False while `compositions` breaks the schema: any name may then be a composition's. */
  readonly hasAllCompositions: boolean;
  readonly providers: Providers;
  readonly governance: Governance;
  /** Whether there is one, or may be behind a key that the schema does not know. */
  readonly hasWorkflow: boolean;
  readonly workflow: Workflow | undefined;
  readonly readings: Readings;
  readonly templates: TemplateUse;
  readonly artifacts: ArtifactUse;
  readonly toolUse: ToolUse;
}

/** The steps that do not break the schema, of all compositions. */
export function clearSteps({ compositions }: Pack): readonly Step[] {
  return [...compositions.values()].flatMap(({ allSteps }) => allSteps.filter(({ isUnclear }) => !isUnclear));
}

/** Every place that names a prompt to run: states, steps, and agents, whose names are those of their prompts. */
export function promptReferences({ agents, workflow, compositions }: Pack): readonly (LocatedString | Key)[] {
  const states = (workflow?.states ?? []).filter(({ runsComposition }) => !runsComposition);
  const steps = [...compositions.values()].flatMap(({ allSteps }) => allSteps);
  const tasks = [...states, ...steps].map(({ promptTask }) => promptTask);
  return [agents.entry, ...agents.members.map(({ name }) => name), ...tasks].flatMap((name) => name ?? []);
}

/** The names of the states in which runs start. */
function entryReferences({ agents, workflow }: Pack): readonly LocatedString[] {
  return [workflow?.entry, ...agents.members.map(({ state }) => state)].flatMap((name) => name ?? []);
}

/** Every place that names a state. */
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
