import type { Pipeline } from "./routes-file.js";

/**
 * Pipelines whose event names one plugin while they run another, which is allowed and has no route: most likely a copy
 * whose event was left as it was. By pipeline, the plugin it is for.
 */
export function findMisdirectedPipelines(
  pipelines: Iterable<Pipeline>,
  unrouted: Iterable<string>,
): ReadonlyMap<Pipeline, string> {
  const lost = new Set(unrouted);
  const misdirected = new Map<Pipeline, string>();
  for (const pipeline of pipelines) {
    const used = new Set(pipeline.steps?.map(({ uses }) => uses?.text));
    if (used.has(pipeline.plugin) || used.has(undefined)) continue;
    const [plugin, ...more] = [...used].filter((each) => each !== undefined && lost.has(each));
    if (plugin === undefined || more.length > 0) continue;
    lost.delete(plugin);
    misdirected.set(pipeline, plugin);
  }
  return misdirected;
}
