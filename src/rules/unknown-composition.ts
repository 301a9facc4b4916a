import type { PackRule } from "./rule.js";
import { createCorrector } from "./shared/name-corrections.js";

export const unknownComposition: PackRule = {
  id: "unknown-composition",
  subject: "pack",
  summary: "Every `composition` of a state is a composition of the pack.",
  severity: "error",
  fix: "unsafe",
  since: "1.5.0",
  source: "RFC 0010, workflow states",
  *check({ workflow, compositions, hasAllCompositions, document }) {
    if (!hasAllCompositions) return;
    const correct = createCorrector(document, () => compositions.keys());
    for (const { name, compositionName } of workflow?.clearStates ?? []) {
      if (compositionName === undefined || compositions.has(compositionName.text)) continue;
      yield {
        at: compositionName,
        wants: "a composition",
        message: `State "${name.text}" names the composition "${compositionName.text}", which is not in "compositions".`,
        ...correct(compositionName),
      };
    }
  },
};
