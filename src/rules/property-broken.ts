import type { Finding, Place, Trace } from "../diagnostic.js";
import type { Workflow } from "../pack/workflow.js";
import type { Property } from "../properties/property.js";
import type { GraphRule } from "./rule.js";
import { describeBreach, endsWithEvent, nameRun } from "./shared/describe-property.js";

export const propertyBroken: GraphRule = {
  id: "property-broken",
  subject: "graph",
  summary: "Every run keeps the properties that the config promises.",
  severity: "warning",
  source: "promptpack, properties",
  needs: "properties",
  *check(workflow, facts, pack, { judgeProperties }) {
    for (const { property, verdict } of judgeProperties?.(workflow, facts) ?? []) {
      if (verdict.kind !== "broken") continue;
      const { run } = verdict;
      const name = property.name.text;
      const shown = run === undefined ? "a run that is too long to show" : nameRun(workflow, pack, run);
      const claim = `The property "${name}" is broken`;
      yield {
        at: run === undefined ? placeOfState(workflow, property) : placeOfRun(workflow, property, run),
        message: `${claim}: ${describeBreach(property, shown, run)}.`,
        claim,
        ...budgetAdvice(workflow, run),
        severity: property.severity,
        data: { property: name },
        related: [property.declaredAt],
        trace: run,
      };
    }
  },
};

/** For what is not possible: the state that no run enters. */
function placeOfState({ stateNamed, at }: Workflow, { pattern }: Property): Place {
  const names = pattern.of.flatMap((step) => (step.kind === "state" ? step.state.text : []));
  return names.flatMap((name) => stateNamed(name)?.name ?? [])[0] ?? at;
}

/** The state that the last step enters; if the run ended or the step is an event, the one that it leaves. */
function placeOfRun({ stateNamed, at }: Workflow, { pattern }: Property, { root, steps }: Trace): Place {
  const last = steps.at(-1);
  const isEvent = last !== undefined && doesOf.has(pattern.kind) && endsWithEvent(pattern.of, last);
  const name = last === undefined ? root : isEvent ? last.from : (last.to ?? last.from);
  return (name === undefined ? undefined : stateNamed(name)?.name) ?? at;
}

/** The patterns that a run breaks by a step, not by the lack of one. */
const doesOf: ReadonlySet<Property["pattern"]["kind"]> = new Set([
  "never",
  "never-before",
  "never-after",
  "at-most",
]);

function budgetAdvice({ budget }: Workflow, run: Trace | undefined): Pick<Finding, "advice"> {
  const allowed = budget?.maxTotalVisits?.value;
  if (run === undefined || allowed === undefined) return {};
  // The last event needs another visit, even where a guard stops it.
  if (run.loopFrom === undefined && run.steps.length < allowed) return {};
  return { advice: `The budget would end this run earlier: its max_total_visits is ${allowed}.` };
}
