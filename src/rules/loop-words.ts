import type { Finding, TraceStep } from "../diagnostic.js";
import type { Witnessed } from "../machine/facts.js";
import type { Workflow } from "../pack/workflow.js";
import { listNames } from "../wording.js";

export function namesOf(workflow: Workflow, states: Iterable<number>): readonly string[] {
  return [...states].flatMap((index) => workflow.states?.[index]?.name.text ?? []);
}

/** A finding at the first state of a group, in file order, with the run that shows it. */
export function* witnessed(workflow: Workflow, found: Witnessed, finding: Omit<Finding, "at">): Iterable<Finding> {
  const first = workflow.states?.[found.states[0] ?? -1];
  if (first === undefined) return;
  yield { at: first.name, ...finding, ...(found.witness === undefined ? {} : { trace: found.witness }) };
}

/** One loop in words: how it goes round, what no longer holds it, and who decides each lap. */
export function describeLoop(workflow: Workflow, loop: Witnessed): string {
  const names = namesOf(workflow, loop.states);
  if (loop.witness?.loopFrom === undefined) return `round ${listNames(names)}`;
  const lap = loop.witness.steps.slice(loop.witness.loopFrom);
  return lapText(lap) + spentText(workflow, lap) + externalText(workflow, lap);
}

const mostSteps = 6;

/** `review ─ChangesNeeded→ implement ⇒ review`. */
function lapText(lap: readonly TraceStep[]): string {
  const shown = lap.length > mostSteps ? [...lap.slice(0, mostSteps - 1), undefined, ...lap.slice(-1)] : lap;
  const steps = shown.map((step) =>
    step === undefined
      ? ` … (${lap.length - mostSteps} more) …`
      : ` ─${step.event}→ ${[...(step.forced ?? []), step.to].join(" ⇒ ")}`,
  );
  return `${lap[0]?.from ?? ""}${steps.join("")}`;
}

/** Guards on the lap that are used up: the reader sees them in the file and wonders why they do not help. */
function spentText(workflow: Workflow, lap: readonly TraceStep[]): string {
  const spent = new Set(lap.flatMap((step) => step.forced ?? []));
  const words = [...spent].map((name) => {
    const visits = workflow.stateNamed(name)?.maxVisits?.value ?? 0;
    return `"${name}" (max_visits ${visits})`;
  });
  if (words.length === 0) return "";
  const many = words.length > 1;
  return `, once ${words.join(" and ")} ${many ? "are" : "is"} spent and only ${many ? "hand" : "hands"} the run on`;
}

function externalText(workflow: Workflow, lap: readonly TraceStep[]): string {
  const passed = new Set(lap.map((step) => step.to));
  const external = [...passed].filter((name) => workflow.stateNamed(name)?.orchestration?.text === "external");
  if (external.length === 0) return "";
  return `; a person or system decides each lap at ${listNames(external)}`;
}
