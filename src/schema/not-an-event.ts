import type { Words } from "../diagnostic.js";
import { Key, type Node } from "../document/node.js";
import { isStateProperty } from "../words/homes.js";
import { quoted } from "./show-value.js";
import { kindOfThing } from "./thing.js";

/** What stands in `on_event` and leads nowhere, as it is no event: a state, or a property of the state around it. */
export function notAnEvent(node: Node): Words | undefined {
  const events = node.parent;
  const state = events?.parent;
  if (!isKey(node.key) || !isKey(events?.key) || !isKey(state?.key)) return undefined;
  if (events.key.text !== "on_event" || kindOfThing(state) !== "a state") return undefined;
  const name = quoted(node.key.text);
  if (node.kind === "mapping" && node.get("prompt_task") !== undefined)
    return {
      message: `${name} is a state, not an event.`,
      advice: `Put it beside ${quoted(state.key.text)}.`,
    };
  if (isStateProperty(node.key.text))
    return {
      message: `${name} is a property of a state, not an event.`,
      advice: `Put it beside "on_event".`,
    };
  return undefined;
}

function isKey(key: Node["key"] | undefined): key is Key {
  return key instanceof Key;
}
