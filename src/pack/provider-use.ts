import type { Step } from "../composition/composition.js";
import type { Place } from "../diagnostic.js";
import { childrenOf, LocatedString, type Node } from "../document/node.js";
import { clearSteps, type Pack } from "./pack.js";

/** A prompt or a step that names the provider it runs on (RFC 0017). */
export interface ProviderUse {
  /** The subject of a sentence. */
  readonly owner: string;
  readonly key: LocatedString;
  /** Why only a language model can serve it, if so. */
  readonly needsModel: ModelNeed | undefined;
}

export interface ModelNeed {
  readonly at: Place;
  /** Follows "since". */
  readonly reason: string;
  /** Whether an `output_schema` would do. */
  readonly lacksSchema: boolean;
}

export function providerUses(pack: Pack): readonly ProviderUse[] {
  const needs = needsByPrompt(pack);
  const uses: ProviderUse[] = [];
  for (const { key: name, provider } of pack.clearPrompts)
    if (provider !== undefined)
      uses.push({ owner: `Prompt "${name.text}"`, key: provider, needsModel: needs.get(name.text) });
  for (const step of clearSteps(pack))
    if (step.provider !== undefined)
      uses.push({ owner: `Step "${step.id.text}"`, key: step.provider, needsModel: needOf(step, "it") });
  return uses;
}

/** By the name of a prompt, the first state or step that runs it on its own provider and needs a language model. */
function needsByPrompt(pack: Pack): ReadonlyMap<string, ModelNeed> {
  const needs = new Map<string, ModelNeed>();
  const add = (prompt: string | undefined, need: ModelNeed | undefined): void => {
    if (prompt !== undefined && need !== undefined && !needs.has(prompt)) needs.set(prompt, need);
  };
  for (const { name, prompt } of pack.workflow?.clearStates ?? [])
    add(prompt?.key.text, {
      at: name,
      reason: `state "${name.text}" runs it as a conversation`,
      lacksSchema: false,
    });
  for (const step of clearSteps(pack))
    if (step.provider === undefined)
      add(step.promptTask?.text, needOf(step, `step "${step.id.text}" runs it and`));
  return needs;
}

/** A prompt step with an `output_schema` can run on any provider that answers the schema. */
function needOf({ kind, at, outputSchema }: Step, subject: string): ModelNeed | undefined {
  if (kind === "agent") return { at, reason: `${subject} calls tools in a loop`, lacksSchema: false };
  if (kind !== "prompt" || outputSchema !== undefined) return undefined;
  return { at, reason: `${subject} has no output_schema`, lacksSchema: true };
}

export function allProviderUsesKnown({
  prompts,
  clearPrompts,
  compositions,
  hasAllCompositions,
}: Pack): boolean {
  return (
    clearPrompts.length > 0 &&
    clearPrompts.length === prompts.size &&
    hasAllCompositions &&
    [...compositions.values()].every(({ isClear }) => isClear)
  );
}

/** The settings of evals, validators, middleware and steps of vendors, which may name a provider in their own way. */
export function* namesInSettings({ root, prompts, compositions }: Pack): Iterable<string> {
  const steps = [...compositions.values()].flatMap(({ allSteps }) => allSteps);
  const settings = [
    root.get("evals"),
    ...[...prompts.values()].flatMap(({ node }) =>
      ["evals", "validators", "pipeline"].map((name) => node?.get(name)),
    ),
    ...steps.filter(({ kind }) => kind === "vendor").map(({ node }) => node),
  ];
  const open: Node[] = settings.flatMap((node) => node ?? []);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const text = LocatedString.of(node);
    if (text !== undefined) yield text.text;
    for (const child of childrenOf(node)) open.push(child);
  }
}
