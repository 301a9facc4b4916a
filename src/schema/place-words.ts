import type { Node } from "../document/node.js";
import { joined } from "../words/wording.js";
import { quoted } from "./show-value.js";

export function belongsInside(home: string): string {
  if (home === "") return "It belongs at the top level of the pack.";
  if (home.endsWith("states.*")) return "It belongs inside a state.";
  return `It belongs inside ${home === "prompts.*" ? "a prompt" : quoted(home)}.`;
}

/** What to do about a property of the state among its artifacts or in one of them, unless the state has one already. */
export function besideArtifacts(name: string, artifacts: Node | null): string | undefined {
  const state = artifacts?.parent;
  const isFree = state?.kind === "mapping" && state.get(name) === undefined;
  return isFree ? 'Put it beside "artifacts".' : undefined;
}

/** Neighbouring entries: by their names, or by the first and the last of many. */
export function linesFrom(names: readonly string[]): string {
  const [first = "", ...rest] = names.map(quoted);
  const last = rest.at(-1) ?? first;
  return rest.length > 1 ? `the entries from ${first} to ${last}` : joined([first, ...rest], "and");
}
