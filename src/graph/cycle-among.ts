import { components } from "./components.js";
import { digraph } from "./digraph.js";

/** Whether some cycle passes these nodes alone. */
export function hasCycleAmong(
  nodes: readonly number[],
  successors: (node: number) => readonly number[],
): boolean {
  const position = new Map(nodes.map((node, index) => [node, index]));
  const among = nodes.map((node) => successors(node).flatMap((next) => position.get(next) ?? []));
  return components(digraph(among)).hasCycle;
}
