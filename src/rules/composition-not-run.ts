import { addEntries, replaceText } from "../document/edit.js";
import type { PackRule } from "./rule.js";
import { unsafeFix } from "./shared/fixes.js";

export const compositionNotRun: PackRule = {
  id: "composition-not-run",
  subject: "pack",
  summary: "A state that names a composition has `orchestration: composition`.",
  severity: "error",
  fix: "unsafe",
  since: "1.5.0",
  source: "RFC 0010, workflow states",
  *check({ workflow, compositions, document }) {
    for (const state of workflow?.clearStates ?? []) {
      const { name, node, compositionName, runsComposition, orchestration, promptTask } = state;
      if (node === undefined || compositionName === undefined || runsComposition) continue;
      // unknown-composition reports an unknown name, and the schema a state without a prompt.
      if (!compositions.has(compositionName.text) || promptTask === undefined) continue;
      const edits =
        orchestration === undefined
          ? addEntries(document, node, [{ name: "orchestration", value: "composition" }])
          : replaceText(document, orchestration.node, "composition");
      yield {
        at: compositionName,
        alsoAt: [`${name.pointer}/orchestration`],
        message: `State "${name.text}" does not run the composition "${compositionName.text}": its orchestration is ${orchestration === undefined ? "not" : `"${orchestration.text}", not`} "composition".`,
        advice: 'Set orchestration to "composition", or remove the composition.',
        ...unsafeFix('Set orchestration to "composition".', edits),
      };
    }
  },
};
