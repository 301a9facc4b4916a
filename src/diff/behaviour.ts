import type { Located, Place, Trace } from "../diagnostic.js";
import { at, components } from "../graph/digraph.js";
import { canReach } from "../graph/paths.js";
import { findFacts } from "../machine/exact-facts.js";
import { COMPLETE } from "../machine/explore.js";
import type { Facts } from "../machine/facts.js";
import { DANGLING, knownEventsOf, type Machine } from "../machine/machine.js";
import { stepsOf } from "../machine/run.js";
import { buildStructure } from "../machine/structure.js";
import type { Pack } from "../pack/pack.js";
import type { State, Workflow } from "../pack/workflow.js";
import { pluralize } from "../text/wording.js";
import type { Change } from "./change.js";
import {
  type Arrival,
  compareRuns,
  type DifferenceKind,
  type RootPair,
  type RunDifference,
} from "./paired-runs.js";

/** How the runs from the entry differ: for each kind of difference, the events of the shortest run that shows it. */
export interface Behaviour extends Readonly<Record<DifferenceKind, readonly string[] | null>> {
  readonly compared: boolean;
  readonly worstCase: Sides<number | null> & { readonly unbounded: Sides<boolean> };
  readonly shortest: Sides<number | null>;
}

export interface Sides<T> {
  readonly old: T;
  readonly new: T;
}

export interface BehaviourDifference {
  readonly changes: readonly Change[];
  /** Null without a workflow on both sides. */
  readonly behaviour: Behaviour | null;
  /** The state whose new name is the only difference between the machines. */
  readonly renamed?: Sides<State> | undefined;
}

/** One of the two versions: an analysis of a pack. */
export interface AnalyzedPack {
  readonly pack: Pack;
  readonly workflow: Workflow | undefined;
  readonly machine: Machine | undefined;
  readonly facts: Facts | undefined;
}

/** A version with a workflow. */
interface Side {
  readonly pack: Pack;
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly facts: Facts;
}

export function compareBehaviour(before: AnalyzedPack, after: AnalyzedPack): BehaviourDifference {
  if (!hasWorkflow(before)) return { changes: [], behaviour: null };
  if (!hasWorkflow(after)) return { changes: removedStates(before, () => false), behaviour: null };
  const sides = { old: before, new: after };
  const renamed = findRenamed(sides);
  const runs = renamed === undefined && !areEqual(sides) ? compareAllRuns(sides) : equalRuns;
  const changes = [
    ...(renamed === undefined
      ? removedStates(before, (name) => after.workflow.stateNamed(name) !== undefined)
      : [renamedChange(renamed)]),
    ...runs.differences.map((difference) => differenceChange(difference, sides)),
    ...lostCompletions(sides),
    ...grownWorstCase(sides),
  ];
  return { changes, behaviour: behaviourOf(runs, sides), renamed };
}

function hasWorkflow(version: AnalyzedPack): version is AnalyzedPack & Side {
  return version.workflow !== undefined;
}

/** A place where runs start on both sides: the entry, or the state of an agent. */
interface NamedRoot extends RootPair {
  readonly agent: string | undefined;
  /** The names of the states; the new one may name none. */
  readonly at: Sides<Located>;
}

function rootsOf({ old, new: now }: Sides<Side>): readonly NamedRoot[] {
  const members = old.pack.agents.members.flatMap((member) => {
    const other = now.pack.agents.memberNamed(member.name.text);
    return other === undefined ? [] : [{ agent: member.name.text, old: member.state, new: other.state }];
  });
  const pairs = [{ agent: undefined, old: old.workflow.entry, new: now.workflow.entry }, ...members];
  return pairs.flatMap(({ agent, old: before, new: after }) => {
    const [from, to] = [
      before && old.workflow.stateNamed(before.text),
      after && now.workflow.stateNamed(after.text),
    ];
    if (before === undefined || after === undefined || from === undefined) return [];
    return [{ agent, old: from.index, new: to?.index ?? DANGLING, at: { old: before, new: after } }];
  });
}

interface ComparedRuns {
  readonly differences: readonly (RunDifference & { readonly start: NamedRoot })[];
  readonly isComplete: boolean;
}

const equalRuns: ComparedRuns = { differences: [], isComplete: true };

/** From the entry, then from the agents for what the entry does not show. */
function compareAllRuns(sides: Sides<Side>): ComparedRuns {
  const machines = { old: sides.old.machine, new: sides.new.machine };
  const levelOf = (difference: Omit<RunDifference, "events" | "root">): string =>
    differenceLevel(difference, sides);
  const roots = rootsOf(sides).filter((root) => root.new !== DANGLING);
  const ofEntry = roots.filter(({ agent }) => agent === undefined);
  const found = new Map<string, RunDifference & { readonly start: NamedRoot }>();
  let isComplete = true;
  for (const starts of [ofEntry, roots.filter((root) => !ofEntry.includes(root))]) {
    const compared = compareRuns(machines, starts, levelOf);
    isComplete &&= compared.isComplete;
    for (const difference of compared.differences) {
      const start = starts[difference.root];
      const key = `${difference.kind} ${levelOf(difference)}`;
      if (start !== undefined && !found.has(key)) found.set(key, { ...difference, start });
    }
  }
  return { differences: [...found.values()], isComplete };
}

/** A host sends the events of a state unless the model chooses them. */
function isChosenByModel(state: State | undefined): boolean {
  return !["external", "hybrid", "composition"].includes(state?.orchestration?.text ?? "internal");
}

function differenceLevel(
  { kind, from, old: before }: Omit<RunDifference, "events" | "root">,
  { old, new: now }: Sides<Side>,
): Change["level"] {
  const oldState = from && old.workflow.states[from.old.index];
  const newState = from && now.workflow.states[from.new.index];
  switch (kind) {
    case "refused":
      return isChosenByModel(oldState) ? "behaviour" : "breaking";
    case "added":
      return isChosenByModel(newState) ? "behaviour" : "compatible";
    case "leadsElsewhere":
      return "behaviour";
    case "endsDifferently":
      return before?.end === "stopped" || before?.end === "stuck" ? "behaviour" : "breaking";
  }
}

const differenceRules = {
  refused: "event-refused",
  added: "event-added",
  leadsElsewhere: "leads-elsewhere",
  endsDifferently: "ends-differently",
} as const satisfies Record<DifferenceKind, string>;

function differenceChange(difference: ComparedRuns["differences"][number], sides: Sides<Side>): Change {
  const { kind, events, start } = difference;
  const side = kind === "refused" ? "old" : "new";
  const level = differenceLevel(difference, sides);
  const traces = {
    old: traceOf(sides.old, start.old, kind === "added" ? events.slice(0, -1) : events),
    new: traceOf(sides.new, start.new, kind === "refused" ? events.slice(0, -1) : events),
  };
  return {
    rule: differenceRules[kind],
    level,
    side,
    at: differencePlace(difference, sides, side),
    message: `${describeDifference(difference, level)}${describeBudget(traces, sides)}`,
    ...(kind === "added" && { adds: true }),
    traces,
  };
}

/** The event that differs; where it leads if that differs; the start if nothing was sent yet. */
function differencePlace(
  { kind, events, from, start, ...arrivals }: ComparedRuns["differences"][number],
  sides: Sides<Side>,
  side: "old" | "new",
): Place {
  const state = from && sides[side].workflow.states[from[side].index];
  const transition = state?.transitions.find(({ event }) => event.text === events.at(-1));
  if (state === undefined || transition === undefined) return start.at[side];
  if (kind === "refused" || kind === "added") return transition.event;
  const lastForced = arrivals[side]?.forced.at(-1);
  const exit = lastForced === undefined ? undefined : sides[side].machine.states[lastForced]?.forcedExitAt;
  return exit ?? transition.target ?? transition.event;
}

const effects: Readonly<Record<string, string>> = {
  "refused breaking": ": a host that sends it fails",
  "refused behaviour": ": the model cannot choose it",
  "added behaviour": ": the model may choose it",
};

function describeDifference(
  { kind, events, from, start, old: before, new: after }: ComparedRuns["differences"][number],
  level: Change["level"],
): string {
  const event = `"${events.at(-1)}"`;
  const where = `in "${from?.old.name}"`;
  if (kind === "refused" || kind === "added") {
    const claim = `${event} is ${kind === "refused" ? "no longer taken" : "taken now"}`;
    if (from?.old.name !== from?.new.name)
      return `${claim}: the run is in "${from?.new.name}" then, not in "${from?.old.name}".`;
    return `${claim} ${where}${effects[`${kind} ${level}`] ?? ""}.`;
  }
  const owner = start.agent === undefined ? "Runs" : `Runs of the agent "${start.agent}"`;
  const subject = events.length === 0 ? `${owner} start` : `${event} ${where}`;
  if (kind === "leadsElsewhere" && events.length === 0)
    return `${subject} in "${after?.state.name}" now, not in "${before?.state.name}".`;
  if (kind === "leadsElsewhere")
    return `${subject} leads to "${after?.state.name}" now, not to "${before?.state.name}".`;
  return `After ${events.length === 0 ? "the start" : subject} the run ${describeEnd(after, "is")} now; before, it ${describeEnd(before, "was")}.`;
}

function describeEnd(arrival: Arrival | undefined, be: "is" | "was"): string {
  switch (arrival?.end) {
    case "complete":
      return `${be} complete in "${arrival.state.name}"`;
    case "stopped":
      return `${be} stopped by a guard`;
    case "stuck":
      return `${be} stuck in forced exits`;
    case undefined:
      return be === "is" ? "goes on" : "went on";
  }
}

function describeBudget(traces: Sides<Trace>, sides: Sides<Side>): string {
  const ends = (["old", "new"] as const).filter((side) => {
    const most = sides[side].workflow.budget?.maxTotalVisits?.value ?? Infinity;
    return traces[side].steps.length >= most;
  });
  if (ends.length === 0) return "";
  return ends.length === 2
    ? " The budget would end both runs earlier."
    : ` The budget would end the ${ends[0]} run earlier.`;
}

function traceOf({ machine }: Side, root: number, events: readonly string[]): Trace {
  return { root: machine.states[root]?.name ?? "", steps: stepsOf(machine, root, events) };
}

/** Only states that some run enters: no saved run is in the others. */
function removedStates({ workflow, facts }: Side, isKept: (name: string) => boolean): readonly Change[] {
  return workflow.states.flatMap(({ index, name }): readonly Change[] => {
    if (isKept(name.text) || !facts.certainlyEntered.has(index)) return [];
    const message = `The state "${name.text}" is gone: saved runs that are in it cannot go on.`;
    return [{ rule: "state-removed", level: "breaking", side: "old", at: name, message }];
  });
}

function renamedChange({ old, new: now }: Sides<State>): Change {
  const message = `The state "${old.name.text}" is called "${now.name.text}" now: saved runs that are in it cannot go on.`;
  return { rule: "state-renamed", level: "breaking", side: "new", at: now.name, message };
}

/** The state whose new name is the only difference between the two machines. */
function findRenamed(sides: Sides<Side>): Sides<State> | undefined {
  const { old, new: now } = { old: sides.old.workflow, new: sides.new.workflow };
  const gone = old.states.filter(({ name }) => now.stateNamed(name.text) === undefined);
  const added = now.states.filter(({ name }) => old.stateNamed(name.text) === undefined);
  const [before, after] = [gone[0], added[0]];
  if (gone.length !== 1 || added.length !== 1 || before === undefined || after === undefined)
    return undefined;
  const rename = (name: string): string => (name === before.name.text ? after.name.text : name);
  return areEqual(sides, rename) ? { old: before, new: after } : undefined;
}

/** Whether the machines are the same once the states of the old one are renamed; their order does not count. */
function areEqual(sides: Sides<Side>, rename = (name: string): string => name): boolean {
  const { old, new: now } = sides;
  const isSame = (before: number | undefined, after: number | undefined): boolean => {
    const [was, is] = [old.machine.states[before ?? -1]?.name, now.machine.states[after ?? -1]?.name];
    return (was === undefined ? undefined : rename(was)) === is;
  };
  return (
    old.machine.states.length === now.machine.states.length &&
    rootsOf(sides).every((root) => isSame(root.old, root.new)) &&
    old.machine.states.every((state) => {
      const other = now.machine.states[now.workflow.stateNamed(rename(state.name))?.index ?? -1];
      if (state.ends !== other?.ends) return false;
      if (state.maxVisits !== other.maxVisits) return false;
      const hasExit = state.maxVisits !== undefined && state.forcedExit !== undefined;
      if (hasExit !== (other.maxVisits !== undefined && other.forcedExit !== undefined)) return false;
      if (hasExit && !isSame(state.forcedExit, other.forcedExit)) return false;
      const events = knownEventsOf(other).byName;
      return (
        state.edges.length === other.edges.length &&
        state.edges.every(({ event, target }) => isSame(target, other.edges[events.get(event) ?? -1]?.target))
      );
    })
  );
}

/** The roots from which runs could complete, and cannot now. */
function lostCompletions(sides: Sides<Side>): readonly Change[] {
  const [could, can] = [completionOf(sides.old), completionOf(sides.new)];
  return rootsOf(sides).flatMap(({ agent, old, new: now, at: place }): readonly Change[] => {
    if (could(old) !== true || can(now) !== false) return [];
    const name = `"${place.new.text}"${now === DANGLING ? ", which is no state," : ""}`;
    const owner = agent === undefined ? `from the entry ${name}` : `of the agent "${agent}" from ${name}`;
    const message = `No run ${owner} can complete any more.`;
    return [{ rule: "no-longer-completes", level: "breaking", side: "new", at: place.new, message }];
  });
}

/** Whether some run from a root completes; undefined if unknown. */
function completionOf({ machine, facts }: Side): (root: number) => boolean | undefined {
  if (facts.exploration !== undefined) {
    const { graph, starts, runs } = facts.exploration;
    const completes = canReach(graph, components(graph), (node) => (at(runs.endings, node) & COMPLETE) !== 0);
    return (root) => completes[starts[machine.roots.indexOf(root)] ?? -1] === 1;
  }
  const { events, possible } = buildStructure(machine);
  const ends = (state: number): boolean => machine.states[state]?.ends === true;
  const certain = canReach(events, components(events), ends);
  const maybe = canReach(possible, components(possible), ends);
  return (root) => (certain[root] === 1 ? true : (maybe[root] ?? 0) === 0 ? false : undefined);
}

function grownWorstCase({ old, new: now }: Sides<Side>): readonly Change[] {
  const [before, after] = [worstCaseOf(old.facts), worstCaseOf(now.facts)];
  const [root] = now.workflow.roots;
  if (before === undefined || after === undefined || after <= before || root === undefined) return [];
  const { maxTotalVisits, maxWallTimeSec } = now.workflow.budget ?? {};
  const most = maxTotalVisits?.value ?? Infinity;
  const cap =
    most < after
      ? `The budget ends a run after ${pluralize(most, "visit")}.`
      : maxWallTimeSec === undefined
        ? "No budget caps it."
        : `The budget ends a run after ${pluralize(maxWallTimeSec.value, "second")}.`;
  const grown = after === Infinity ? "can go on for ever" : `can take ${pluralize(after, "visit")}`;
  const message = `A run ${grown} now; before, the most was ${before}. ${cap}`;
  return [{ rule: "worst-case-grew", level: "behaviour", side: "new", at: root.name, message }];
}

/** The most entries of any run, as far as it is known. */
function worstCaseOf({ worstCase, unboundedLoops }: Facts): number | undefined {
  return worstCase ?? (unboundedLoops.some(({ certain }) => certain) ? Infinity : undefined);
}

function behaviourOf({ differences, isComplete }: ComparedRuns, sides: Sides<Side>): Behaviour {
  const shortestOf = (kind: DifferenceKind): readonly string[] | null => {
    const found = differences.filter(
      (difference) => difference.kind === kind && difference.start.agent === undefined,
    );
    return found.map(({ events }) => events).sort((a, b) => a.length - b.length)[0] ?? null;
  };
  const facts = { old: entryFacts(sides.old), new: entryFacts(sides.new) };
  const worst = { old: facts.old && worstCaseOf(facts.old), new: facts.new && worstCaseOf(facts.new) };
  const bounded = (most: number | undefined): number | null =>
    most === undefined || most === Infinity ? null : most;
  return {
    compared: isComplete,
    refused: shortestOf("refused"),
    leadsElsewhere: shortestOf("leadsElsewhere"),
    endsDifferently: shortestOf("endsDifferently"),
    added: shortestOf("added"),
    worstCase: {
      old: bounded(worst.old),
      new: bounded(worst.new),
      unbounded: { old: worst.old === Infinity, new: worst.new === Infinity },
    },
    shortest: {
      old: facts.old?.shortestComplete?.entries ?? null,
      new: facts.new?.shortestComplete?.entries ?? null,
    },
  };
}

function entryFacts({ machine, workflow, facts }: Side): Facts | undefined {
  const entry = workflow.entry && workflow.stateNamed(workflow.entry.text);
  if (entry === undefined) return undefined;
  return machine.roots.length === 1 ? facts : findFacts({ ...machine, roots: [entry.index] });
}
