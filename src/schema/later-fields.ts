import type { Entry, Node } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { newestVersion } from "../words/spec-versions.js";
import { nounOf } from "./thing.js";
import type { Noun } from "./vocabulary.js";

/** What versions after the newest one here added: the version, and whether it is an object or a word. */
type Later = readonly [since: string, kind: "mapping" | "scalar"];

const laterFields: Partial<Readonly<Record<Noun, Readonly<Record<string, Later>>>>> = {
  agent: { governance: ["1.6", "mapping"], extensions: ["1.8", "mapping"] },
  eval: { extensions: ["1.8", "mapping"] },
  pack: { compositions: ["1.5", "mapping"], requires: ["1.5.1", "mapping"] },
  prompt: { extensions: ["1.8", "mapping"], provider: ["1.9", "scalar"] },
  state: {
    composition: ["1.5", "scalar"],
    control: ["1.7", "scalar"],
    extensions: ["1.8", "mapping"],
  },
  tool: { action_scope: ["1.6", "mapping"], extensions: ["1.6", "mapping"] },
  validator: { id: ["1.8", "scalar"], extensions: ["1.8", "mapping"] },
};

const newest = `v${newestVersion} is the newest version known here.`;

/** Of a property that is no mistake, only too new. */
export function laterAdvice({ key, value }: Entry, owner: Node): string | undefined {
  const noun = nounOf(owner);
  const fields = noun === undefined ? undefined : laterFields[noun];
  if (fields === undefined || !Object.hasOwn(fields, key.text)) return undefined;
  const [since, kind] = fields[key.text] ?? [];
  return value.kind === kind ? `It came with v${since}; ${newest}` : undefined;
}

/** Of a property that a state lacks because later versions do not ask for it. */
export function laterLack(missing: string, state: Node): string | undefined {
  const isComposition =
    missing === "prompt_task" &&
    nounOf(state) === "state" &&
    state.kind === "mapping" &&
    stringOf(state.get("orchestration")) === "composition";
  return isComposition ? `From v1.5 on, a composition needs none; ${newest}` : undefined;
}
