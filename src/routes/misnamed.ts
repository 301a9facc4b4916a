import { createGuesser } from "../words/nearest-name.js";

/** By a plugin that is routed and not allowed, the one that is allowed, has no route, and is called nearly the same. */
export function findMisspelledPlugins(
  routed: Iterable<string>,
  isAllowed: (plugin: string) => boolean,
  unrouted: Iterable<string>,
): ReadonlyMap<string, string> {
  const lost = new Set(unrouted);
  const misnamed = new Map<string, string>();
  const guess = createGuesser();
  for (const plugin of routed) {
    const near = lost.size === 0 || isAllowed(plugin) ? undefined : guess(plugin, lost);
    if (near === undefined) continue;
    lost.delete(near);
    misnamed.set(plugin, near);
  }
  return misnamed;
}
