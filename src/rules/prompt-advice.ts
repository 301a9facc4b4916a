import { guesser, nameAdvice } from "../nearest-name.js";
import type { Pack } from "../pack/pack.js";
import type { State } from "../pack/workflow.js";

/** Advice about names that are not prompts: the nearest one, or the one that such a state runs. */
export function promptAdvice({
  prompts,
  workflow,
}: Pick<Pack, "prompts" | "workflow">): (name: string) => string | undefined {
  const guess = guesser();
  let states: Map<string, State> | undefined;
  return (name) => {
    states ??= new Map(workflow?.states?.map((state) => [state.name.text, state]));
    return nameAdvice(name, prompts?.keys() ?? [], guess) ?? stateAdvice(states.get(name));
  };
}

/** Nothing for a state that runs no prompt either. */
function stateAdvice(state: State | undefined): string | undefined {
  return state?.prompt === undefined
    ? undefined
    : `It is a state, which runs the prompt "${state.prompt.key.text}".`;
}
