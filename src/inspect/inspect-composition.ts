import type { Composition, Step } from "../composition/composition.js";
import { factsOf } from "../composition/facts.js";
import { predicateText } from "../composition/step-text.js";
import type { Answer } from "../composition/walk.js";
import type { LocatedString } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt } from "../pack/prompt.js";
import { appendTo } from "../text/collections.js";
import type { CompositionInspection, StepInspection, UpperBound } from "./inspection.js";

export function inspectCompositions({ compositions, workflow }: Pack): readonly CompositionInspection[] {
  const states = new Map<Composition, string[]>();
  for (const { composition, name } of workflow?.states ?? [])
    if (composition !== undefined) appendTo(states, composition, name.text);
  return [...compositions.values()].map((composition) => ({
    name: composition.key.text,
    clear: composition.isClear,
    states: states.get(composition) ?? [],
    steps: composition.steps.map((step) => inspectStep(step, composition)),
    output: composition.output?.text ?? null,
    ...inspectResult(composition),
  }));
}

function inspectStep(step: Step, composition: Composition): StepInspection {
  const { id, kindText, promptTask, tool, tools, provider, dependsOn, predicate, reduce, branches } = step;
  return {
    id: id.text,
    kind: kindText.text,
    prompt: textOf(promptTask),
    tool: textOf(tool),
    tools: tools?.map(({ text }) => text) ?? null,
    provider: textOf(provider),
    dependsOn: dependsOn.map(({ text }) => text),
    predicate: predicate === undefined ? null : predicateText(predicate),
    then: textOf(step.then),
    else: textOf(step.otherwise),
    branches: branches.map((nested) => inspectStep(nested, composition)),
    reduce: reduce === undefined ? null : { strategy: reduce.strategy.text, into: reduce.into.text },
    runs: composition.isClear ? factsOf(composition).mayRun(step) : null,
  };
}

function textOf(name: LocatedString | undefined): string | null {
  return name?.text ?? null;
}

function inspectResult(
  composition: Composition,
): Pick<CompositionInspection, "exact" | "results" | "withoutResult"> {
  if (!composition.isClear) return { exact: false, results: null, withoutResult: null };
  const { isExact, mayBeResult, outputSkipped, withoutResult } = factsOf(composition);
  const answers = outputSkipped ?? withoutResult;
  return {
    exact: isExact,
    results: composition.steps.filter(mayBeResult).map(({ id }) => id.text),
    withoutResult: answers?.map(outcomeOf) ?? null,
  };
}

function outcomeOf({ branch, isYes }: Answer): { readonly branch: string; readonly answer: boolean } {
  return { branch: branch.id.text, answer: isYes };
}

/**
 * The most rounds of tool calls in one turn: those of all its `agent` steps, as `prompt` steps call no tools. Undefined
 * if it has none.
 */
export function roundsOfComposition(
  composition: Composition | undefined,
  prompts: ReadonlyMap<string, Prompt>,
): UpperBound | undefined {
  if (composition?.isClear !== true) return null;
  let rounds: number | undefined;
  for (const step of composition.allSteps) {
    if (step.kind === "vendor") return null;
    if (step.kind !== "agent") continue;
    const prompt = prompts.get(step.promptTask?.text ?? "");
    if (prompt === undefined) return null;
    if (!mayCallTools(step, prompt)) continue;
    rounds = (rounds ?? 0) + (step.termination?.maxSteps?.value ?? Infinity);
  }
  return rounds === Infinity ? "unbounded" : rounds;
}

/** A step may call the tools that both it and its prompt list. */
function mayCallTools({ tools }: Step, prompt: Prompt): boolean {
  const listed = new Set(prompt.tools.map(({ text }) => text));
  return tools === undefined ? listed.size > 0 : tools.some(({ text }) => listed.has(text));
}
