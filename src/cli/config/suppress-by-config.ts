import type { Diagnostic, Suppression } from "../../diagnostic.js";
import { SuppressionIndex } from "../../suppress/silencers.js";
import type { IgnoredFinding } from "./config.js";

export interface SuppressionByConfig extends Suppression {
  readonly used: ReadonlySet<IgnoredFinding>;
}

/** Takes out what the config ignores. */
export function suppressByConfig(
  diagnostics: readonly Diagnostic[],
  entries: readonly IgnoredFinding[],
): SuppressionByConfig {
  const silencers = new SuppressionIndex<IgnoredFinding>();
  for (const entry of entries) silencers.add(entry.rule, entry.pointer, entry);
  const used = new Set<IgnoredFinding>();
  return { ...silencers.apply(diagnostics, "config", (entry) => used.add(entry)), used };
}
