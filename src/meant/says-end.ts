import { type Entry, isNull, type MappingNode } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { truthOf } from "../words/truth-word.js";
import { meantProperty } from "./meant-property.js";

/** Whether a state is written to be an end, or not to be one, in whatever way. */
export function marksEnd(state: MappingNode): boolean {
  return state.get("terminal") !== undefined || state.entries.some(saysEnd);
}

/** Whether what should be true or false says that the state is no end: `terminal: no`. */
export function deniesEnd(state: MappingNode): boolean {
  const terminal = state.get("terminal");
  return isNull(terminal) || truthOf(stringOf(terminal) ?? "") === false;
}

/** `type: final`, as other formats mark a state that ends the run; one with events does not. */
export function saysEnd({ key, value }: Entry): boolean {
  if (key.text !== "type" && key.text !== "kind") return false;
  const state = value.parent;
  if (state?.kind === "mapping" && (state.get("terminal") ?? state.get("on_event")) !== undefined)
    return false;
  const word = stringOf(value)?.toLowerCase() ?? "";
  return word === "terminal" || meantProperty(word, ["terminal"]) !== undefined;
}
