import { attemptedBy, type Finding, lapOf, type TraceStep } from "../../diagnostic.js";
import type { Facts, Loop, WitnessedStates } from "../../machine/facts.js";
import { isOlderThan } from "../../schema/spec-version.js";
import type { Workflow } from "../../pack/workflow.js";
import { listChoices, listNames, pluralize, quoteForTrace as bare } from "../../text/wording.js";

export function stateNamesOf(workflow: Workflow, states: Iterable<number>): readonly string[] {
  return [...states].flatMap((index) => workflow.states[index]?.name.text ?? []);
}

/** How to end the loop: through a guard that is spent on every lap, or a state that every lap enters. */
export function guardAdvice(workflow: Workflow, loop: Loop): string {
  const spent = loop.spentOnEveryLap(guardsOnShownLap(workflow, loop));
  if (spent.length > 0)
    return `Let the on_max_visits of ${listChoices(stateNamesOf(workflow, spent.slice(0, maxChoices)))} lead out of the loop`;
  const enough = loop.states.length === 1 ? loop.states : loop.onEveryLap(statesOnShownLap(workflow, loop));
  if (enough.length === 0)
    return "Give enough of its states a max_visits that leads out, so that every lap enters one";
  const isAny = enough.length === loop.states.length && enough.length > 1;
  const which = isAny
    ? "one of its states"
    : listChoices(stateNamesOf(workflow, enough.slice(0, maxChoices)));
  return `Give ${which} a max_visits that leads out`;
}

export function shownLap({ witness, lap }: Loop): readonly TraceStep[] | undefined {
  return lapOf(witness) ?? lap;
}

/** No state outside the lap shown can be on every lap. */
function statesOnShownLap(workflow: Workflow, loop: Loop): readonly number[] {
  const { states } = loop;
  const shown = shownLap(loop);
  if (shown === undefined) return states;
  const names = new Set(shown.map(({ to }) => to));
  return states.filter((state) => names.has(workflow.states[state]?.name.text ?? ""));
}

/** No guard outside the lap shown can be spent on every lap. */
function guardsOnShownLap({ stateNamed }: Workflow, loop: Loop): readonly number[] {
  const shown = shownLap(loop) ?? [];
  const names = new Set(shown.flatMap(({ forced = [] }) => forced));
  return [...names].slice(0, maxShownSteps).flatMap((name) => stateNamed(name)?.index ?? []);
}

const maxChoices = 3;

/** A finding at the first state of a group, in file order, with the run that shows it. */
export function* findingWithWitness(
  workflow: Workflow,
  { states, witness }: WitnessedStates,
  finding: Omit<Finding, "at">,
): Iterable<Finding> {
  const first = workflow.states[states[0] ?? -1];
  if (first === undefined) return;
  yield { at: first.name, ...finding, trace: witness, data: { states: stateNamesOf(workflow, states) } };
}

/** How a state is marked as the end of the run; `terminal` came with 1.4. */
export function terminalMarker({ spec }: Workflow): string {
  return isOlderThan(spec, "1.4.0") ? "an empty on_event" : "terminal: true";
}

/** The fault of a loop, one lap of it, why its guards do not help, and who decides on each lap. */
export function describeLoop(workflow: Workflow, { exact }: Facts, loop: Loop, fault: string): string {
  const names = stateNamesOf(workflow, loop.states);
  const lap = shownLap(loop);
  const untried = loop.certain ? "" : " There are too many runs to try them all.";
  if (lap === undefined)
    return `The loop through ${listNames(names)} ${fault}.${untried}${externalDecisionText(workflow, loop)}`;
  const passed = new Set(lap.flatMap(({ to }) => to ?? []));
  const others = names.filter((name) => !passed.has(name));
  return [
    `This loop ${fault}: ${lapText(lap)}.`,
    untried,
    others.length === 0
      ? ""
      : ` Other laps ${exact ? "" : "may "}go through ${otherStatesText(workflow, others)}.`,
    spentGuardsText(workflow, lap),
    externalDecisionText(workflow, loop, { passed: [...passed], exact }),
  ].join("");
}

function otherStatesText({ stateNamed }: Workflow, names: readonly string[]): string {
  const decided = names.filter((name) => stateNamed(name)?.orchestration?.text === "external");
  if (decided.length === 0) return listNames(names);
  if (decided.length === names.length) return `${listNames(names)}, where a person or system decides`;
  return `${listNames(names)}; a person or system decides at ${listNames(decided)}`;
}

/** Says who decides whether the loop continues; "on each lap" only if no lap can avoid those states. */
function externalDecisionText(
  workflow: Workflow,
  { states, canAvoid }: Loop,
  shown?: { readonly passed: readonly string[]; readonly exact: boolean },
): string {
  const external = states.filter((state) => workflow.states[state]?.orchestration?.text === "external");
  const everywhere = new Set(stateNamesOf(workflow, external));
  const here = shown?.passed.filter((name) => everywhere.has(name)) ?? [...everywhere];
  if (here.length === 0) return "";
  const onEachLap = !canAvoid(new Set(external));
  const subject = " A person or system decides";
  const at = `at ${listNames(here)}`;
  if (onEachLap && everywhere.size === 1) return `${subject} on each lap, ${at}.`;
  if (shown === undefined) return `${subject} ${at}.`;
  if (onEachLap) return `${subject} on each lap, here ${at}.`;
  return `${subject} on this lap, ${at}${shown.exact ? ", but not on every lap" : ""}.`;
}

const maxShownSteps = 6;

export function lapText(lap: readonly TraceStep[]): string {
  const stepText = (step: TraceStep): string =>
    `─${bare(step.event)}→ ${listEnds(attemptedBy(step), bare).join(" ⇒ ")}`;
  return [bare(lap[0]?.from ?? ""), ...listEnds(lap, stepText)].join(" ");
}

/** The first items, how many are left out, and the last one. */
function listEnds<T>(items: readonly T[], textOf: (item: T) => string): readonly string[] {
  if (items.length <= maxShownSteps) return items.map(textOf);
  const first = items.slice(0, maxShownSteps - 1).map(textOf);
  return [...first, `… (${items.length - maxShownSteps} more) …`, ...items.slice(-1).map(textOf)];
}

/** The spent guards on the lap, which look as if they ended the loop. */
function spentGuardsText(workflow: Workflow, lap: readonly TraceStep[]): string {
  const spent = [...new Set(lap.flatMap((step) => step.forced ?? []))];
  const words = spent.slice(0, maxShownSteps).map((name) => {
    const visits = workflow.stateNamed(name)?.maxVisits?.value ?? 0;
    return `"${name}" after ${pluralize(visits, "visit")}`;
  });
  if (spent.length > words.length) words.push(`${spent.length - words.length} more`);
  return words.length === 0 ? "" : ` Its guards only redirect the run: ${words.join(", ")}.`;
}
