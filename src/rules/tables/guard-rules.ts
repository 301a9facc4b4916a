import { lapOf, type Trace } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { addEntries } from "../../document/edit.js";
import type { MappingNode } from "../../document/node.js";
import { type Facts, type ForcedExitCycle, verdictsOf } from "../../machine/facts.js";
import { guardsSpentEarlier } from "../../machine/laps.js";
import { entersAlike } from "../../machine/machine.js";
import { uncheckedExits } from "../../machine/unchecked-exits.js";
import { endsEveryRun, isReadable, type State, type Workflow } from "../../pack/workflow.js";
import { type Runtime, titlesOf } from "../../runtimes/runtime.js";
import { isOlderThan } from "../../schema/spec-version.js";
import { listNames } from "../../text/wording.js";
import { type Rule, rulesOf, type WorkflowContext } from "../rule.js";
import { lapText, stateNamesOf } from "../shared/describe-loop.js";
import { removePartFix, safeFix, unsafeFix, type WithFix } from "../shared/fixes.js";
import { stateCheck } from "../shared/name-corrections.js";

export const guardRules: readonly Rule[] = [
  ...rulesOf("workflow", {
    "terminal-with-transitions": {
      summary: "A terminal state has no events.",
      severity: "warning",
      fix: "safe",
      source: "RFC 0009, rule 1",
      *check({ workflow, facts, pack: { document } }) {
        const isOnlyEnd = facts.machine.states.filter(({ ends }) => ends).length === 1;
        for (const state of workflow.clearStates) {
          const { name, terminal, onEvent, transitions } = state;
          if (terminal?.value !== true || onEvent === undefined || transitions.length === 0) continue;
          const events = transitions.map(({ event }) => event.text);
          yield {
            at: onEvent,
            message: `State "${name.text}" is terminal, so its ${events.length === 1 ? "event" : "events"} ${listNames(events)} can never fire.`,
            advice: isOnlyEnd ? "Remove on_event." : "Remove on_event, or terminal.",
            related: [{ at: terminal, message: "marked terminal here" }],
            ...removePartFix(document, state, "on_event", workflow, facts),
          };
        }
      },
    },
    "ambiguous-terminal": {
      summary: "A state that ends the run says so with `terminal: true`.",
      severity: "warning",
      fix: "safe",
      source: "RFC 0009, rule 7",
      *check({ workflow, facts, pack: { document } }) {
        const { clearStates, spec, version } = workflow;
        if (isOlderThan(spec, "1.4.0")) return;
        const { unreachable } = verdictsOf(workflow, facts);
        for (const state of clearStates) {
          const { name, node, terminal, onEvent, transitions, maxVisits } = state;
          if (terminal?.value === true || maxVisits !== undefined || transitions.length > 0) continue;
          if (!isReadable(state)) continue;
          const isOldWay = onEvent !== undefined;
          // The workflow guide ends a run that way in version 1.
          if (isOldWay && (version === undefined || version.value < 2)) continue;
          const text = isOldWay
            ? `"${name.text}" ends the run in the old way, by an empty on_event`
            : `"${name.text}" has no events: is it the end, or unfinished?`;
          // An event may be missing that leads to an unreachable state.
          const mayFix = unreachable.every((other) => other === state);
          yield {
            at: name,
            wants: "an end",
            message: `State ${text}${isOldWay ? "." : ""}`,
            advice: isOldWay ? "Write terminal: true." : "Give it terminal: true, or events that lead on.",
            ...(mayFix && markTerminalFix(document, node, isOldWay)),
            group: { name: isOldWay ? "old" : "", also: text },
          };
        }
      },
    },
    "unknown-max-visits-target": {
      summary: "Every `on_max_visits` names a state of the workflow.",
      severity: "error",
      fix: "unsafe",
      source: "RFC 0009, rule 2",
      *check({ workflow, pack }) {
        const check = stateCheck(pack, workflow);
        for (const { name, onMaxVisits } of workflow.clearStates)
          yield* check(
            onMaxVisits,
            (target) => `The on_max_visits of state "${name.text}" is "${target}", which is not a state.`,
            // Redirecting to the state itself would be a cycle.
            name.text,
          );
      },
    },
    "max-visits-target-unused": {
      summary: "A state with `on_max_visits` also has a `max_visits`.",
      severity: "warning",
      fix: "safe",
      source: "RFC 0009, loop guards",
      *check({ workflow, facts, pack: { document } }) {
        for (const state of workflow.clearStates) {
          const { name, maxVisits, onMaxVisits } = state;
          if (onMaxVisits === undefined || maxVisits !== undefined || !isReadable(state)) continue;
          yield {
            at: onMaxVisits,
            message: `State "${name.text}" has an on_max_visits but no max_visits, so it is never used.`,
            advice: adviceFor(state, workflow, facts),
            ...removePartFix(document, state, "on_max_visits", workflow, facts),
          };
        }
      },
    },
  }),
  ...rulesOf("graph", {
    "forced-exit-cycle": {
      summary: "Following `on_max_visits` from state to state never leads in a circle.",
      severity: "error",
      fix: "proved",
      source: "RFC 0009, rule 2",
      *check({ workflow, facts: { forcedExitCycles } }) {
        for (const cycle of forcedExitCycles) {
          const names = stateNamesOf(workflow, cycle.states);
          const [first, ...others] = cycle.states.flatMap((index) => {
            const { name, onMaxVisits: at } = workflow.states[index] ?? {};
            return name === undefined || at === undefined ? [] : [{ name: name.text, at }];
          });
          if (first === undefined) continue;
          yield {
            at: first.at,
            ...(others.length === 0
              ? {
                  message: `State "${first.name}" names itself in on_max_visits: once spent, it redirects to itself forever.`,
                  advice: "Name a state without max_visits.",
                }
              : {
                  message: `The states ${listNames(names)} redirect to each other when spent: once all of them are spent, the run is stuck.`,
                  advice: "Let one of them redirect to a state without max_visits.",
                }),
            related: [
              ...others.map(({ name, at }) => ({ at, message: `"${name}" redirects here` })),
              ...stuckEventRelated(workflow, cycle),
            ],
            trace: cycle.witness,
            data: { states: names },
          };
        }
      },
    },
    "forced-exit-unchecked": {
      summary: "No runtime enters a spent state by `on_max_visits`.",
      severity: "warning",
      source: "promptpack, runtimes",
      defersTo: ["forced-exit-cycle"],
      *check(context) {
        const { workflow } = context;
        for (const [index, { runtimes, trace }] of findUncheckedExits(context)) {
          const { name, onMaxVisits: at } = workflow.states[index] ?? {};
          const target = at && workflow.stateNamed(at.text);
          if (name === undefined || at === undefined || target?.maxVisits === undefined) continue;
          const verb = runtimes.length === 1 ? "enters" : "enter";
          const exit = `Once "${name.text}" is spent, ${titlesOf(runtimes)} ${verb} "${at.text}" even when that is spent, too`;
          const lap = lapOf(trace);
          const until = endsEveryRun(workflow) !== false ? "until the budget ends it" : "forever";
          const { value } = target.maxVisits;
          yield {
            at,
            wants: "a state without max_visits",
            message:
              lap === undefined
                ? `${exit}: a run can enter it more often than its max_visits of ${value}.`
                : `${exit}, so this loop can repeat ${until}: ${lapText(lap)}.`,
            advice: "Name a state without max_visits.",
            ...(trace && { trace }),
            data: { runtime: runtimes[0]?.name },
          };
        }
      },
    },
    "forced-exit-chain": {
      summary: "`on_max_visits` names a state that has no `max_visits` itself.",
      severity: "info",
      source: "RFC 0009, rule 2",
      defersTo: ["forced-exit-unchecked"],
      *check(context) {
        const { states, stateNamed } = context.workflow;
        const { forcedExitEnds, machine } = context.facts;
        const unchecked = context.isOn("forced-exit-unchecked") ? findUncheckedExits(context).keys() : [];
        // Through an alias or a merge key, several states can share one exit.
        const reported = new Set(Array.from(unchecked, (index) => states[index]?.onMaxVisits?.start));
        for (const { index, name, onMaxVisits } of states) {
          if (onMaxVisits === undefined || reported.has(onMaxVisits.start)) continue;
          const target = stateNamed(onMaxVisits.text);
          const end = forcedExitEnds[index];
          const endsRun = [index, target?.index ?? -1].some((each) => machine.states[each]?.ends === true);
          if (target?.maxVisits === undefined || endsRun) continue;
          if (end?.kind !== "enters" && end?.kind !== "stops") continue;
          const last = end.kind === "enters" ? machine.states[end.state] : undefined;
          const then = last === undefined ? "stops" : `${last.ends ? "ends" : "continues"} in "${last.name}"`;
          yield {
            at: onMaxVisits,
            wants: "a state without max_visits",
            message: `Once spent, "${name.text}" redirects to "${target.name.text}", which has its own max_visits; once every state on the way is spent, the run ${then}.`,
            advice: "To avoid a chain, name a state without max_visits.",
          };
        }
      },
    },
    "dead-guard": {
      summary: "Every `max_visits` can be reached by some run.",
      severity: "info",
      source: "RFC 0009, loop guards",
      defersTo: ["forced-exit-cycle"],
      *check({ workflow, facts, isOn }) {
        const { entered, machine, attemptedWhileSpent, forcedExitCycles } = facts;
        if (attemptedWhileSpent === undefined || !verdictsOf(workflow, facts).fullyResolved) return;
        const { states } = workflow;
        // Through an alias or a merge key, several states can share one guard.
        const onCycles = isOn("forced-exit-cycle") ? forcedExitCycles.flatMap((cycle) => cycle.states) : [];
        const acting = new Set(
          [...attemptedWhileSpent, ...onCycles].map((index) => states[index]?.maxVisits?.start),
        );
        const dead = states.flatMap((state) => {
          const { index, maxVisits: at } = state;
          return at !== undefined && entered.has(index) && !acting.has(at.start) ? { state, index, at } : [];
        });
        if (dead.length === 0) return;
        const sooner = guardsSpentEarlier(facts);
        for (const { state, index, at } of dead) {
          const { why, advice } =
            machine.states[index]?.ends === true
              ? endingStateReason(state)
              : ordinaryStateReason(
                  state,
                  facts.worstCaseOf(index) ?? at.value,
                  stateNamesOf(workflow, sooner(index)),
                );
          yield { at, message: `This guard never acts: ${why}.`, advice };
        }
      },
    },
  }),
];

interface UncheckedExit {
  readonly runtimes: readonly Runtime[];
  readonly trace: Trace | undefined;
}

/** By state, what the runtimes do that enter a spent state by its forced exit. Rings have a rule of their own. */
function findUncheckedExits({ facts, entriesIn, target, isOn }: WorkflowContext): Map<number, UncheckedExit> {
  const { forcedExitCycles, machine } = facts;
  const isRing = isOn("forced-exit-cycle") ? forcedExitCycles.flatMap(({ states }) => states) : [];
  const found = new Map<number, UncheckedExit>();
  if (entersAlike(machine)) return found;
  for (const runtime of target.runtimes) {
    const own = entriesIn(runtime);
    if (own === undefined) continue;
    for (const [state, trace] of uncheckedExits(own)) {
      if (isRing.includes(state)) continue;
      const { runtimes = [] } = found.get(state) ?? {};
      found.set(state, { runtimes: [...runtimes, runtime], trace: found.get(state)?.trace ?? trace });
    }
  }
  return found;
}

/** Without on_event, the author may not have finished the state. */
function markTerminalFix(document: Document, state: MappingNode | undefined, isSafe: boolean): WithFix {
  if (state === undefined || state.get("terminal") !== undefined) return {};
  const edits = addEntries(document, state, [{ name: "terminal", value: true }]);
  return (isSafe ? safeFix : unsafeFix)("Add terminal: true.", edits);
}

/** Suggests a guard only where it would act and lead elsewhere. */
function adviceFor({ index, name, onMaxVisits }: State, workflow: Workflow, facts: Facts): string {
  if (facts.machine.states[index]?.ends === true) return `Remove it: "${name.text}" ends the run.`;
  const target = workflow.stateNamed(onMaxVisits?.text ?? "")?.index ?? -1;
  const isKnown = facts.exact && verdictsOf(workflow, facts).fullyResolved;
  // If nothing else leads to the target, the guard was probably forgotten.
  if (isKnown && !facts.reentered.has(index) && facts.entered.has(target))
    return `Remove it: no run enters "${name.text}" twice.`;
  const end = facts.forcedExitEnds[target];
  const leadsBack = target === index || (end?.kind === "enters" && end.state === index);
  return `Add max_visits${leadsBack ? " and name a state that has none" : ""}, or remove it.`;
}

/** The event that gets the run stuck; it leads nowhere, so the trace has no step for it. */
function stuckEventRelated({ states }: Workflow, { witness, stuckBy }: ForcedExitCycle) {
  const event = stuckBy?.edge?.transition?.event;
  const name = states[stuckBy?.state ?? -1]?.name.text;
  if (event === undefined || name === undefined || witness === undefined) return [];
  const when = witness.steps.length === 0 ? `right after a start in "${name}"` : "after the run shown";
  return [{ at: event, message: `${when}, ${event.text} finds no state to enter` }];
}

function endingStateReason(state: State) {
  const { name, terminal } = state;
  if (terminal?.value === true)
    return {
      why: entryLimitText(name.text, 1),
      advice: `Remove ${guardFields(state)}: a terminal state ends the run.`,
    };
  return {
    why: `"${name.text}" has no events, so the run ends when it is first entered`,
    advice: `Add its events, or write terminal: true in place of ${guardFields(state)}.`,
  };
}

function ordinaryStateReason(state: State, most: number, [first, ...others]: readonly string[]) {
  const why = entryLimitText(state.name.text, most);
  if (others.length > 0) return { why, advice: "The guards of other states always act first." };
  if (first !== undefined) return { why, advice: `The guard of "${first}" always acts first.` };
  const advice = `Add an event that leads back to it, or remove ${guardFields(state)}.`;
  return { why, advice: most === 1 ? advice : undefined };
}

/** Without `max_visits`, `on_max_visits` has no effect either. */
function guardFields({ onMaxVisits }: State): string {
  return onMaxVisits === undefined ? "the guard" : "max_visits and on_max_visits";
}

function entryLimitText(name: string, most: number): string {
  return `no run tries to enter "${name}" more than ${most === 1 ? "once" : `${most} times`}`;
}
