import type { Document } from "../document/document.js";
import type { Key, LocatedString, MappingNode } from "../document/node.js";
import type { Syntax } from "../template/read-template.js";
import type { Agents } from "./agents.js";
import type { ArtifactUse } from "./artifacts.js";
import type { Eval, Fragment, Prompt, Readings, Tool } from "./prompt.js";
import type { Skills } from "./skills.js";
import type { Spec } from "./spec-version.js";
import type { TemplateUse } from "./template-use.js";
import type { ToolUse } from "./tool-use.js";
import type { State, Workflow } from "./workflow.js";

/** What a pack file says, as far as it is well-formed. Sections that are missing or ill-formed are empty, or absent. */
export interface Pack {
  readonly document: Document;
  readonly root: MappingNode;
  readonly spec: Spec;
  /** `/template_engine/syntax`. */
  readonly templateSyntax: LocatedString | undefined;
  /** How templates mark a reference; absent when the declared syntax is not understood, or no string. */
  readonly delimiters: Syntax | undefined;
  readonly prompts: ReadonlyMap<string, Prompt>;
  /** Those that keep to the schema: what rules look into. */
  readonly clearPrompts: readonly Prompt[];
  /** Whether no prompt has this name; never while `prompts` is unclear. */
  isUnknownPrompt(name: string): boolean;
  readonly fragments: ReadonlyMap<string, Fragment>;
  /** False while `fragments` breaks the schema: any name may then be a fragment's. */
  readonly hasAllFragments: boolean;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Those of the pack itself; a prompt has its own. */
  readonly evals: readonly Eval[];
  readonly skills: Skills;
  readonly agents: Agents;
  /** Whether there is one, or may be: it can be unreadable, or hidden behind a key the schema does not know. */
  readonly hasWorkflow: boolean;
  readonly workflow: Workflow | undefined;
  readonly readings: Readings;
  readonly templates: TemplateUse;
  readonly artifacts: ArtifactUse;
  readonly toolUse: ToolUse;
}

/** Every place that names a prompt as one: an agent is called like its prompt, and a state runs one. */
export function promptReferences({ agents, workflow }: Pack): readonly (LocatedString | Key)[] {
  const tasks = (workflow?.states ?? []).map(({ promptTask }) => promptTask);
  return [agents.entry, ...agents.members.map(({ name }) => name), ...tasks].flatMap((name) => name ?? []);
}

/** Where the workflow is entered: at its entry, and at the states of agents. */
function entryReferences({ agents, workflow }: Pack): readonly LocatedString[] {
  return [workflow?.entry, ...agents.members.map(({ state }) => state)].flatMap((name) => name ?? []);
}

/** Every place that names a state. */
export function stateReferences(pack: Pack): readonly LocatedString[] {
  return [...entryReferences(pack), ...(pack.workflow?.states ?? []).flatMap(targetReferences)];
}

/** Where the events of a state lead, and its forced exit. */
function targetReferences({ transitions, onMaxVisits }: State): readonly LocatedString[] {
  return [...transitions.map(({ target }) => target), onMaxVisits].flatMap((name) => name ?? []);
}

/** Whether a state or an agent names a prompt that is not there: what it would use is not known. */
export function hasUnknownPromptReference(pack: Pack): boolean {
  return promptReferences(pack).some(({ text }) => !pack.prompts.has(text));
}

/** Whether something names a state that is not there, or that could not be read. */
export function hasUnknownStateReference(pack: Pack, workflow: Workflow): boolean {
  return (
    entryReferences(pack).some(({ text }) => workflow.stateNamed(text) === undefined) ||
    workflow.states.some((state) => hasUnknownTarget(state, workflow))
  );
}

/** Whether a name in this state leads nowhere, even one that no run follows: what it stood for is not known. */
export function hasUnknownTarget(state: State, { stateNamed }: Workflow): boolean {
  return (
    state.isUnclear ||
    state.transitions.some(({ target }) => target === undefined) ||
    targetReferences(state).some(({ text }) => stateNamed(text) === undefined)
  );
}

/** Evals whose ids have to differ: a prompt's own may take the place of the pack's (RFC 0006). */
interface EvalScope {
  /** Who has them, to begin a sentence. */
  readonly owner: string;
  readonly evals: readonly Eval[];
}

export function* evalScopes({ evals, prompts }: Pack): Iterable<EvalScope> {
  if (evals.length > 0) yield { owner: "The pack", evals };
  for (const prompt of prompts.values())
    if (prompt.evals.length > 0) yield { owner: `Prompt "${prompt.key.text}"`, evals: prompt.evals };
}
