import type { Document } from "../document/document.js";
import { addEntries } from "../document/edit.js";
import type { MappingNode } from "../document/node.js";
import { verdictsOf } from "../machine/verdicts.js";
import { isOlderThan } from "../schema/spec-version.js";
import type { WorkflowRule } from "./rule.js";
import { terminalMarker } from "./shared/describe-loop.js";
import { safeFix, unsafeFix, type WithFix } from "./shared/fixes.js";

export const ambiguousTerminal: WorkflowRule = {
  id: "ambiguous-terminal",
  subject: "workflow",
  summary: "A state that ends the run says so with `terminal: true`.",
  severity: "warning",
  fix: "safe",
  source: "RFC 0009, rule 7",
  *check(workflow, facts, { document }) {
    const { clearStates, spec } = workflow;
    const isOlder = isOlderThan(spec, "1.4.0");
    const { unreachable } = verdictsOf(workflow, facts);
    for (const state of clearStates) {
      const { name, node, terminal, onEvent, transitions, maxVisits } = state;
      if (terminal?.value === true || maxVisits !== undefined) continue;
      if (transitions.length > 0 || (isOlder && onEvent !== undefined)) continue;
      const isOldWay = onEvent !== undefined;
      // An event may be missing that leads to an unreachable state.
      const mayFix = !isOlder && unreachable.every((other) => other === state);
      yield {
        at: name,
        wants: "an end",
        message: isOldWay
          ? `State "${name.text}" ends the run in the old way, by an empty on_event.`
          : `State "${name.text}" has no events: is it the end, or unfinished?`,
        advice: isOldWay
          ? "Write terminal: true."
          : `Give it ${terminalMarker(workflow)}, or events that lead on.`,
        ...(mayFix && markTerminalFix(document, node, isOldWay)),
      };
    }
  },
};

/** Without on_event, the author may not have finished the state. */
function markTerminalFix(document: Document, state: MappingNode | undefined, isSafe: boolean): WithFix {
  if (state === undefined || state.get("terminal") !== undefined) return {};
  const edits = addEntries(document, state, [{ name: "terminal", value: true }]);
  return (isSafe ? safeFix : unsafeFix)("Add terminal: true.", edits);
}
