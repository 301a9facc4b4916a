import type { Document } from "../document/document.js";
import { addEntries } from "../document/edit.js";
import type { MappingNode } from "../document/node.js";
import { verdictsOf } from "../machine/verdicts.js";
import { isOlderThan } from "../pack/spec-version.js";
import type { WorkflowRule } from "./rule.js";
import { terminalMarker } from "./shared/describe-loop.js";
import { safeFix, type WithFix } from "./shared/fixes.js";

export const ambiguousTerminal: WorkflowRule = {
  id: "ambiguous-terminal",
  subject: "workflow",
  summary: "A state that ends the run says so with `terminal: true`.",
  severity: "warning",
  fix: "safe",
  source: "RFC 0009, rule 7",
  *check(workflow, facts, { document }) {
    const { clearStates, spec } = workflow;
    const emptyMeansTerminal = isOlderThan(spec, "1.4.0");
    const { unreachable } = verdictsOf(workflow, facts);
    for (const state of clearStates) {
      const { name, node, terminal, onEvent, transitions, maxVisits } = state;
      if (terminal?.value === true || maxVisits !== undefined) continue;
      if (transitions.length > 0 || (emptyMeansTerminal && onEvent !== undefined)) continue;
      yield {
        at: name,
        wants: "an end",
        message: `State "${name.text}" has no events: is it the end, or unfinished?`,
        advice: `Give it ${terminalMarker(workflow)}, or events that lead on.`,
        // An event may be missing that leads to an unreachable state.
        ...(unreachable.every((other) => other === state) &&
          markTerminalFix(document, node, emptyMeansTerminal)),
      };
    }
  },
};

/** Older specs mark the end of a run with an empty `on_event`. */
function markTerminalFix(
  document: Document,
  state: MappingNode | undefined,
  emptyMeansTerminal: boolean,
): WithFix {
  if (state === undefined || state.get("terminal") !== undefined) return {};
  return emptyMeansTerminal
    ? safeFix("Add an empty on_event.", addEntries(document, state, [{ name: "on_event", value: [] }]))
    : safeFix("Add terminal: true.", addEntries(document, state, [{ name: "terminal", value: true }]));
}
