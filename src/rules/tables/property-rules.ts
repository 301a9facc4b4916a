import type { Finding, Place, Trace, TraceStep } from "../../diagnostic.js";
import type { Pack } from "../../pack/pack.js";
import type { Workflow } from "../../pack/workflow.js";
import type { Property, Step, Steps } from "../../properties/property.js";
import { joinWords, listNames, pluralize } from "../../text/wording.js";
import { rulesOf } from "../rule.js";

export const propertyRules = rulesOf("graph", {
  "property-broken": {
    summary: "Every run keeps the properties that the config promises.",
    severity: "warning",
    source: "promptpack, properties",
    needs: "properties",
    *check({ workflow, pack, judgeProperties }) {
      for (const { property, verdict } of judgeProperties()) {
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
  },
  "property-undecided": {
    summary: "The properties that the config promises can be decided.",
    severity: "info",
    source: "promptpack, properties",
    needs: "properties",
    *check({ workflow, judgeProperties }) {
      for (const { property, verdict } of judgeProperties()) {
        if (verdict.kind !== "undecided") continue;
        const name = property.name.text;
        yield {
          at: workflow.at,
          message: `The workflow has too many runs to decide whether the property "${name}" holds.`,
          data: { property: name },
          related: [property.declaredAt],
        };
      }
    },
  },
});

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

/** Why a property is broken, as the rest of a sentence; `run` is how the sentence names the run that shows it. */
function describeBreach({ pattern, from }: Property, run: string, trace: Trace | undefined): string {
  const { of } = pattern;
  const earlier = trace?.steps.slice(0, -1) ?? [];
  const last = trace?.steps.at(-1);
  // The event comes before the state that it leads to.
  const isSentLast = (steps: Steps) =>
    last !== undefined && !endsWithEvent(of, last) && endsWithEvent(steps, last);
  const hasDone = (steps: Steps) =>
    earlier.some((taken) => steps.some((step) => doesStep(taken, step))) ||
    startsWith(trace, steps) ||
    isSentLast(steps);
  const sinceText = (since: Steps, otherwise: string) =>
    hasDone(since) ? ` since it last ${words(since, "done")}` : otherwise;
  switch (pattern.kind) {
    case "never":
      return `${run} ${words(of, "does")}`;
    case "never-before":
      return `${run} ${words(of, "does")} without having ${words(pattern.before, "done")}${sinceText(pattern.since, " before")}`;
    case "never-after": {
      const between = pattern.until.length === 0 ? "" : ` and has not ${words(pattern.until, "done")} since`;
      return `${run} ${words(of, "does")} after it ${words(pattern.after, "done")}${between}`;
    }
    case "eventually": {
      const start = pattern.after === undefined ? "" : ` ${words(pattern.after, "does")} and then`;
      const isEndless = trace === undefined || trace.loopFrom !== undefined;
      const end = isEndless ? "can go on forever" : describeEnd(trace);
      return `${run}${start} ${end} without ${words(of, "doing")}`;
    }
    case "at-most": {
      const times = pattern.times === 1 ? "once" : `${pattern.times} times`;
      if (of.some((step) => step.kind === "state" && step.state.text === "*"))
        return `${run} enters more than ${pluralize(pattern.times, "state")}${sinceText(pattern.since, "")}`;
      return `${run} ${words(of, "does")} more than ${times}${sinceText(pattern.since, "")}`;
    }
    case "ends-in":
      return `${run} ${describeEnd(trace)} instead of ${stateNames(of)}`;
    case "always-possible": {
      const yet = pattern.until.length === 0 ? "" : `, although it has not ${words(pattern.until, "done")}`;
      return `${run} can no longer ${words(of, "do")}${yet}`;
    }
    case "possible":
      return `no run ${from.length === 0 ? "" : `from ${listNames(from.map(({ text }) => text))} `}${words(of, "does")}`;
  }
}

function describeEnd(trace: Trace | undefined): string {
  const last = trace?.steps.at(-1);
  if (last?.end === undefined) return `ends in "${last?.to ?? trace?.root ?? ""}"`;
  return last.end === "stuck" ? "gets stuck in forced exits" : "is stopped by a spent guard";
}

/** `this run`, and from where if runs can start in several states. */
function nameRun({ roots, entry }: Workflow, { agents }: Pack, { root, steps }: Trace): string {
  const start = root ?? steps[0]?.from;
  if (roots.length < 2 || start === undefined) return "this run";
  const agent =
    start === entry?.text ? undefined : agents.members.find(({ state }) => state?.text === start)?.name;
  return `this run ${agent === undefined ? "" : `of the agent "${agent.text}" `}from "${start}"`;
}

function endsWithEvent(of: Steps, last: TraceStep): boolean {
  return of.some((step) => step.kind === "event" && doesStep(last, step));
}

function doesStep({ from, event, to, forced = [] }: TraceStep, step: Step): boolean {
  switch (step.kind) {
    case "state":
      return to !== null && isNamed(step, to);
    case "event":
      return step.event.text === event && (step.state === undefined || step.state.text === from);
    case "spent":
      return forced.includes(step.state.text);
  }
}

function startsWith(trace: Trace | undefined, steps: Steps): boolean {
  const start = trace?.root ?? trace?.steps[0]?.from;
  return start !== undefined && steps.some((step) => step.kind === "state" && isNamed(step, start));
}

function isNamed({ state }: Step & { readonly kind: "state" }, name: string): boolean {
  return state.text === "*" || state.text === name;
}

type Tense = "do" | "does" | "done" | "doing";

const verbs: Readonly<Record<Step["kind"], Readonly<Record<Tense, string>>>> = {
  state: { do: "enter", does: "enters", done: "entered", doing: "entering" },
  event: { do: "send", does: "sends", done: "sent", doing: "sending" },
  spent: { do: "attempt", does: "attempts", done: "attempted", doing: "attempting" },
};

/** `enters "a" or "b", or sends "E" in "c"`. */
function words(steps: Steps, tense: Tense): string {
  const others = steps.flatMap((step): readonly string[] => {
    const verb = verbs[step.kind][tense];
    if (step.kind === "state") return [];
    if (step.kind === "spent") return [`${verb} "${step.state.text}" while it is spent`];
    return [`${verb} "${step.event.text}"${step.state === undefined ? "" : ` in "${step.state.text}"`}`];
  });
  const entered = stateNames(steps);
  return joinSome(entered === "" ? others : [`${verbs.state[tense]} ${entered}`, ...others]);
}

function stateNames(steps: Steps): string {
  const states = new Set(steps.flatMap((step) => (step.kind === "state" ? step.state.text : [])));
  return joinSome([...states].map((name) => (name === "*" ? "any state" : `"${name}"`)));
}

const maxShown = 6;

function joinSome(parts: readonly string[]): string {
  const shown = parts.length > maxShown ? [...parts.slice(0, maxShown - 1), "others"] : parts;
  return joinWords(shown, "or");
}
