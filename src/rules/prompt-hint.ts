import { didYouMean, guesser } from "../nearest-name.js";
import type { Pack } from "../pack/pack.js";
import type { State } from "../pack/workflow.js";

/** Hints to be put behind sentences about names that are not prompts: the nearest one, or the one that such a state runs. */
export function promptHints({
  prompts,
  workflow,
}: Pick<Pack, "prompts" | "workflow">): (name: string) => string {
  const guess = guesser();
  let states: Map<string, State> | undefined;
  return (name) => {
    states ??= new Map(workflow?.states?.map((state) => [state.name.text, state]));
    return didYouMean(name, prompts?.keys() ?? [], guess) || stateHint(states.get(name));
  };
}

/** Nothing for a state that runs no prompt either. */
function stateHint(state: State | undefined): string {
  return state?.prompt === undefined
    ? ""
    : ` It is a state, which runs the prompt "${state.prompt.key.text}".`;
}
