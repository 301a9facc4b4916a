import { addTo } from "../add-to.js";
import { guesser, nameAdvice } from "../nearest-name.js";
import type { Workflow } from "../pack/workflow.js";
import { listNames } from "../wording.js";
import type { Correct } from "./near-name-fix.js";

/** Advice about names that are not states: the nearest one, or those that run that prompt. */
export function stateAdvice({ states = [], stateNames }: Workflow): Correct {
  const guess = guesser();
  let running: Map<string, string[]> | undefined;
  return (name, repair) => {
    const advice = nameAdvice(name, stateNames(), guess);
    if (advice !== undefined) return { advice, ...repair(stateNames()) };
    running ??= statesByPrompt(states);
    return { advice: promptAdvice(running.get(name)) };
  };
}

function promptAdvice(states: readonly string[] | undefined): string | undefined {
  if (states === undefined) return undefined;
  return `It is a prompt, run by the ${states.length === 1 ? "state" : "states"} ${listNames(states, 3)}.`;
}

function statesByPrompt(states: NonNullable<Workflow["states"]>): Map<string, string[]> {
  const byPrompt = new Map<string, string[]>();
  for (const { name, prompt } of states) {
    if (prompt !== undefined) addTo(byPrompt, prompt.key.text, name.text);
  }
  return byPrompt;
}
