import { childrenOf, type Node } from "../document/node.js";
import type { LogEvent } from "./log-event.js";

/** Every string in what a result carries, in no order. */
export function stringsIn(result: LogEvent): readonly string[] {
  const strings: string[] = [];
  const waiting: Node[] = result.resultEntries.map(({ value }) => value);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "scalar" && typeof node.value === "string") strings.push(node.value);
    for (const child of childrenOf(node)) waiting.push(child);
  }
  return strings;
}
