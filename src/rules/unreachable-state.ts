import { verdictsOf } from "../machine/verdicts.js";
import type { State, Workflow } from "../pack/workflow.js";
import { listNames } from "../words/wording.js";
import type { WorkflowRule } from "./rule.js";
import { lostStateRules } from "./shared/held-back.js";

export const unreachableState: WorkflowRule = {
  id: "unreachable-state",
  subject: "workflow",
  summary: "Every state can be entered by some run.",
  severity: "warning",
  source: "RFC 0005, question 3; workflow guide, checklist",
  heldBackBy: lostStateRules,
  *check(workflow, facts) {
    const { unreachable } = verdictsOf(workflow, facts);
    if (unreachable.length === 0) return;
    const starts = listNames(workflow.roots.map(({ name }) => name.text));
    const reasons = whyNever(workflow, unreachable);
    for (const { name } of unreachable) {
      const why = reasons.get(name.text) ?? "nothing leads there";
      yield {
        at: name,
        message: `Runs from ${starts} never enter "${name.text}": ${why}.`,
        advice: "Add an event that leads to it, or remove it.",
      };
    }
  },
};

/** For the states that others name, why that brings no run there: the reader sees the name in the file and wonders. */
function whyNever({ states = [] }: Workflow, unreachable: readonly State[]): ReadonlyMap<string, string> {
  const isNever = new Set(unreachable);
  const blocked = new Map<string, string>();
  const adrift = new Map<string, string>();
  for (const state of states) {
    const { name, onEvent, maxVisits, onMaxVisits } = state;
    const reasons = isNever.has(state) ? adrift : blocked;
    const say = (target: string | undefined, why: string): void => {
      if (target === undefined || target === name.text || reasons.has(target)) return;
      reasons.set(target, reasons === blocked ? why : "only states that no run enters lead there");
    };
    for (const { target } of onEvent?.transitions ?? []) {
      say(target?.text, `"${name.text}", which leads there, is terminal`);
    }
    const unused =
      maxVisits === undefined
        ? `"${name.text}", which names it in on_max_visits, has no max_visits`
        : `"${name.text}" would hand over to it once spent, but no run gets that far`;
    say(onMaxVisits?.text, unused);
  }
  return new Map([...adrift, ...blocked]);
}
