import type { Entry, Node } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { newestSpecVersion } from "../words/spec-versions.js";
import { nounOf } from "./thing.js";
import { places } from "./pack-places.js";

const newest = `v${newestSpecVersion} is the newest version known here.`;

/** Advice about a property that is not a mistake, only too new. */
export function laterAdvice({ key, value }: Entry, owner: Node): string | undefined {
  const noun = nounOf(owner);
  const later = noun && places.find((place) => place.noun === noun)?.later;
  const field = later && Object.hasOwn(later, key.text) ? later[key.text] : undefined;
  if (field === undefined || (value.kind === "mapping") !== (field.type === "object")) return undefined;
  return `It came with v${field.since}; ${newest}`;
}

/** Advice about a property that a state lacks because later versions do not require it. */
export function laterLack(missing: string, state: Node): string | undefined {
  const isComposition =
    missing === "prompt_task" &&
    nounOf(state) === "state" &&
    state.kind === "mapping" &&
    stringOf(state.get("orchestration")) === "composition";
  return isComposition ? `From v1.5 on, a composition needs none; ${newest}` : undefined;
}
