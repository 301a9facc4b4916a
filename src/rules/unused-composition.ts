import type { PackRule } from "./rule.js";

export const unusedComposition: PackRule = {
  id: "unused-composition",
  subject: "pack",
  summary: "In a pack with a workflow, every composition is run by some state.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "promptpack, compositions",
  *check({ workflow, compositions }) {
    // Without a workflow, a host opens compositions by name.
    if (workflow?.hasClearStates !== true) return;
    const named = new Set<string>();
    for (const { runsComposition, compositionName } of workflow.states) {
      if (compositionName !== undefined) named.add(compositionName.text);
      // A misspelt or missing name may be the use.
      const isKnown = compositionName !== undefined && compositions.has(compositionName.text);
      if (!isKnown && (runsComposition || compositionName !== undefined)) return;
    }
    for (const { key } of compositions.values()) {
      if (named.has(key.text)) continue;
      yield {
        at: key,
        message: `No state runs the composition "${key.text}".`,
        advice: "Run it in a state, or remove it.",
      };
    }
  },
};
