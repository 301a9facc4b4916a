import type { Facts } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import type { Workflow } from "../pack/workflow.js";
import { listNames } from "../wording.js";
import { lostStates } from "./held-back.js";
import type { WorkflowRule } from "./rule.js";

export const unreachableState: WorkflowRule = {
  id: "unreachable-state",
  subject: "workflow",
  summary: "Every state can be entered by some run.",
  severity: "warning",
  source: "RFC 0005, question 3; workflow guide, checklist",
  heldBackBy: lostStates,
  *check(workflow, facts) {
    if (!verdictsOf(workflow, facts).sound) return;
    if (facts.entered.size === workflow.states?.length) return;
    const starts = listNames(workflow.roots.map(({ name }) => name.text));
    const reasons = whyNever(workflow, facts);
    for (const { index, name } of workflow.states ?? []) {
      if (facts.entered.has(index)) continue;
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
function whyNever({ states = [] }: Workflow, { entered }: Facts): ReadonlyMap<string, string> {
  const blocked = new Map<string, string>();
  const adrift = new Map<string, string>();
  for (const { index, name, onEvent, maxVisits, onMaxVisits } of states) {
    const reasons = entered.has(index) ? blocked : adrift;
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
