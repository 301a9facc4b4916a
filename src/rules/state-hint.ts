import { addTo } from "../add-to.js";
import { didYouMean, guesser } from "../nearest-name.js";
import type { Workflow } from "../pack/workflow.js";
import { listNames } from "../wording.js";

/** Hints to be put behind sentences about names that are not states: the nearest one, or those that run that prompt. */
export function stateHints({ states = [], stateNames }: Workflow): (name: string) => string {
  const guess = guesser();
  let running: Map<string, string[]> | undefined;
  return (name) => {
    running ??= statesByPrompt(states);
    return didYouMean(name, stateNames(), guess) || promptHint(running.get(name));
  };
}

function promptHint(states: readonly string[] | undefined): string {
  if (states === undefined) return "";
  return ` It is a prompt, run by the ${states.length === 1 ? "state" : "states"} ${listNames(states, 3)}.`;
}

function statesByPrompt(states: NonNullable<Workflow["states"]>): Map<string, string[]> {
  const byPrompt = new Map<string, string[]>();
  for (const { name, promptTask } of states) {
    if (promptTask !== undefined) addTo(byPrompt, promptTask.text, name.text);
  }
  return byPrompt;
}
