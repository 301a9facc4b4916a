import { guesser, nameAdvice } from "../nearest-name.js";
import type { Pack } from "../pack/pack.js";
import type { State } from "../pack/workflow.js";
import type { Correct } from "./near-name-fix.js";

/** Advice about names that are not prompts: the nearest one, or the one that such a state runs. */
export function promptAdvice({ prompts, workflow }: Pick<Pack, "prompts" | "workflow">): Correct {
  const guess = guesser();
  const names = () => prompts?.keys() ?? [];
  let states: Map<string, State> | undefined;
  return (name, repair) => {
    const advice = nameAdvice(name, names(), guess);
    if (advice !== undefined) return { advice, ...repair(names()) };
    states ??= new Map(workflow?.states?.map((state) => [state.name.text, state]));
    return { advice: stateAdvice(states.get(name)) };
  };
}

/** Nothing for a state that runs no prompt either. */
function stateAdvice(state: State | undefined): string | undefined {
  return state?.prompt === undefined
    ? undefined
    : `It is a state, which runs the prompt "${state.prompt.key.text}".`;
}
