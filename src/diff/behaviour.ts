import type { PackAnalysis, RunnableAnalysis } from "../analysis.js";
import type { Place, Trace } from "../diagnostic.js";
import { at, components } from "../graph/digraph.js";
import { canReach } from "../graph/paths.js";
import { findFacts } from "../machine/exact-facts.js";
import { COMPLETE } from "../machine/explore.js";
import type { Facts } from "../machine/facts.js";
import { DANGLING, type Machine } from "../machine/machine.js";
import { stepsOf } from "../machine/run.js";
import { buildStructure } from "../machine/structure.js";
import type { State } from "../pack/workflow.js";
import { pluralize } from "../text/wording.js";
import { type Change, createChange, mapSides, type Sides } from "./change.js";
import {
  type Arrival,
  type ComparedRuns,
  compareRuns,
  type DifferenceKind,
  type RootPair,
  type RunDifference,
  type UnplacedDifference,
} from "./paired-runs.js";

type Side = PackAnalysis & Pick<RunnableAnalysis, "workflow" | "machine" | "facts">;

export function compareBehaviour(before: PackAnalysis, after: PackAnalysis) {
  if (!hasWorkflow(before)) return { changes: [], behaviour: null };
  if (!hasWorkflow(after)) return { changes: removedStates(before, () => false), behaviour: null };
  const sides = { old: before, new: after };
  const renamed = findRenamed(sides);
  const isSame = renamed !== undefined || areEqual(sides);
  const runs = isSame ? { differences: [], isComplete: true } : compareAllRuns(sides);
  const changes = [
    ...(renamed === undefined
      ? removedStates(before, (name) => after.workflow.stateNamed(name) !== undefined)
      : [stateRenamed(renamed)]),
    ...runs.differences.map((difference) => differenceChange(difference, sides)),
    ...lostCompletions(sides),
    ...grownWorstCase(sides),
  ];
  return { changes, behaviour: behaviourOf(runs, sides), renamed };
}

function hasWorkflow(version: PackAnalysis): version is Side {
  return version.workflow !== undefined;
}

function rootsOf({ old, new: now }: Sides<Side>): readonly RootPair[] {
  const members = old.pack.agents.members.flatMap((member) => {
    const other = now.pack.agents.memberNamed(member.name.text);
    return other === undefined ? [] : [{ agent: member.name.text, old: member.state, new: other.state }];
  });
  const pairs = [{ agent: undefined, old: old.workflow.entry, new: now.workflow.entry }, ...members];
  return pairs.flatMap(({ agent, old: before, new: after }) => {
    const from = before && old.workflow.stateNamed(before.text);
    if (before === undefined || after === undefined || from === undefined) return [];
    const to = now.workflow.stateNamed(after.text);
    return [{ agent, old: from.index, new: to?.index ?? DANGLING, at: { old: before, new: after } }];
  });
}

/** The agents show what the entry does not. */
function compareAllRuns(sides: Sides<Side>): ComparedRuns {
  const machines = mapSides(sides, ({ machine }) => machine);
  const roots = rootsOf(sides).filter((root) => root.new !== DANGLING);
  const compareFrom = (starts: readonly RootPair[]) =>
    compareRuns(machines, starts, (difference) => differenceLevel(difference, sides));
  const ofEntry = compareFrom(roots.filter(({ agent }) => agent === undefined));
  const ofAgents = compareFrom(roots.filter(({ agent }) => agent !== undefined));
  const isShown = ({ kind, level }: RunDifference) =>
    ofEntry.differences.some((known) => known.kind === kind && known.level === level);
  return {
    differences: [...ofEntry.differences, ...ofAgents.differences.filter((found) => !isShown(found))],
    isComplete: ofEntry.isComplete && ofAgents.isComplete,
  };
}

/** A host sends the events of a state unless the model chooses them. */
function isChosenByModel(state: State | undefined): boolean {
  return !["external", "hybrid", "composition"].includes(state?.orchestration?.text ?? "internal");
}

function differenceLevel(
  { kind, from, old: before }: UnplacedDifference,
  { old, new: now }: Sides<Side>,
): Change["level"] {
  switch (kind) {
    case "event-refused":
      return isChosenByModel(from && old.workflow.states[from.old.index]) ? "behaviour" : "breaking";
    case "event-added":
      return isChosenByModel(from && now.workflow.states[from.new.index]) ? "behaviour" : "compatible";
    case "leads-elsewhere":
      return "behaviour";
    case "ends-differently":
      return before?.end === "stopped" || before?.end === "stuck" ? "behaviour" : "breaking";
  }
}

function differenceChange(difference: RunDifference, sides: Sides<Side>): Change {
  const { kind, level, events, start } = difference;
  const side = kind === "event-refused" ? "old" : "new";
  const traces = {
    old: traceOf(sides.old, start.old, kind === "event-added" ? events.slice(0, -1) : events),
    new: traceOf(sides.new, start.new, kind === "event-refused" ? events.slice(0, -1) : events),
  };
  return {
    rule: kind,
    level,
    side,
    at: differencePlace(difference, sides, side),
    message: `${describeDifference(difference)}${describeBudget(traces, sides)}`,
    ...(kind === "event-added" && { adds: true }),
    traces,
  };
}

function differencePlace(
  { kind, events, from, start, ...arrivals }: RunDifference,
  sides: Sides<Side>,
  side: "old" | "new",
): Place {
  const state = from && sides[side].workflow.states[from[side].index];
  const transition = state?.transitions.find(({ event }) => event.text === events.at(-1));
  if (state === undefined || transition === undefined) return start.at[side];
  if (kind === "event-refused" || kind === "event-added") return transition.event;
  const lastForced = arrivals[side]?.forced.at(-1);
  const exit = lastForced === undefined ? undefined : sides[side].machine.states[lastForced]?.forcedExitAt;
  return exit ?? transition.target ?? transition.event;
}

const effects: Readonly<Record<string, string>> = {
  "event-refused breaking": ": a host that sends it fails",
  "event-refused behaviour": ": the model cannot choose it",
  "event-added behaviour": ": the model may choose it",
};

function describeDifference(difference: RunDifference): string {
  const { kind, level, events, from, start, old: before, new: after } = difference;
  const event = `"${events.at(-1)}"`;
  const where = `in "${from?.old.name}"`;
  if (kind === "event-refused" || kind === "event-added") {
    const claim = `${event} is ${kind === "event-refused" ? "no longer taken" : "taken now"}`;
    if (from?.old.name !== from?.new.name)
      return `${claim}: the run is in "${from?.new.name}" then, not in "${from?.old.name}".`;
    return `${claim} ${where}${effects[`${kind} ${level}`] ?? ""}.`;
  }
  const owner = start.agent === undefined ? "Runs" : `Runs of the agent "${start.agent}"`;
  const subject = events.length === 0 ? `${owner} start` : `${event} ${where}`;
  if (kind === "leads-elsewhere") {
    const [leads, to] = events.length === 0 ? ["in", "in"] : ["leads to", "to"];
    return `${subject} ${leads} "${after?.state.name}" now, not ${to} "${before?.state.name}".`;
  }
  return `After ${events.length === 0 ? "the start" : subject} the run ${describeEnd(after, "is")} now; before, it ${describeEnd(before, "was")}.`;
}

function describeEnd(arrival: Arrival | undefined, be: "is" | "was"): string {
  if (arrival?.end === undefined) return be === "is" ? "goes on" : "went on";
  const { state, end } = arrival;
  const how = {
    complete: `complete in "${state.name}"`,
    stopped: "stopped by a guard",
    stuck: "stuck in forced exits",
  };
  return `${be} ${how[end]}`;
}

function describeBudget(traces: Sides<Trace>, sides: Sides<Side>): string {
  const ends = (["old", "new"] as const).filter((side) => {
    const most = sides[side].workflow.budget?.maxTotalVisits?.value ?? Infinity;
    return traces[side].steps.length >= most;
  });
  const runs = ends.length === 2 ? "both runs" : `the ${ends[0]} run`;
  return ends.length === 0 ? "" : ` The budget would end ${runs} earlier.`;
}

function traceOf({ machine }: Side, root: number, events: readonly string[]): Trace {
  return { root: machine.states[root]?.name ?? "", steps: stepsOf(machine, root, events) };
}

/** Only states that some run enters: no saved run is in the others. */
function removedStates({ workflow, facts }: Side, isKept: (name: string) => boolean): readonly Change[] {
  return workflow.states
    .filter(({ index, name }) => !isKept(name.text) && facts.certainlyEntered.has(index))
    .map(({ name }) => createChange("state-removed", "old", name, `the state "${name.text}" is gone`));
}

function stateRenamed({ old, new: now }: Sides<State>): Change {
  const words = `the state "${old.name.text}" is called "${now.name.text}" now`;
  return createChange("state-renamed", "new", now.name, words);
}

function findRenamed(sides: Sides<Side>): Sides<State> | undefined {
  const { old, new: now } = mapSides(sides, ({ workflow }) => workflow);
  const [before, ...gone] = old.states.filter(({ name }) => now.stateNamed(name.text) === undefined);
  const [after, ...added] = now.states.filter(({ name }) => old.stateNamed(name.text) === undefined);
  if (before === undefined || after === undefined || gone.length + added.length > 0) return undefined;
  const rename = (name: string): string => (name === before.name.text ? after.name.text : name);
  return areEqual(sides, rename) ? { old: before, new: after } : undefined;
}

/** Whether the machines are the same once the states of the old one are renamed; their order does not count. */
function areEqual(sides: Sides<Side>, rename = (name: string): string => name): boolean {
  const { old, new: now } = mapSides(sides, ({ machine }) => machine.states);
  const areSameRoots = rootsOf(sides).every((root) => {
    const [was, is] = [old[root.old], now[root.new]];
    return (was && rename(was.name)) === is?.name;
  });
  return areSameRoots && shapeOf(old, rename) === shapeOf(now, (name) => name);
}

function shapeOf(states: Machine["states"], rename: (name: string) => string): string {
  const names = states.map(({ name }) => rename(name));
  const shapes = states.map(({ ends, maxVisits, forcedExit, edges }, index) => {
    const exit = maxVisits === undefined || forcedExit === undefined ? [] : [names[forcedExit]];
    const targets = edges.map(({ event, target }) => JSON.stringify([event, names[target]]));
    return JSON.stringify([names[index], ends, maxVisits, exit, targets.sort()]);
  });
  return shapes.sort().join("\n");
}

function lostCompletions(sides: Sides<Side>): readonly Change[] {
  const { old: could, new: can } = mapSides(sides, completionOf);
  const lost = rootsOf(sides).filter((root) => could(root.old) === true && can(root.new) === false);
  return lost.map(({ agent, new: now, at: place }) => {
    const name = `"${place.new.text}"${now === DANGLING ? ", which is no state," : ""}`;
    const owner = agent === undefined ? `from the entry ${name}` : `of the agent "${agent}" from ${name}`;
    return createChange("no-longer-completes", "new", place.new, `no run ${owner} can complete any more`);
  });
}

/** Undefined if unknown. */
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
      ? `The budget ends a run after ${pluralize(most, "visit")}`
      : maxWallTimeSec === undefined
        ? "No budget caps it"
        : `The budget ends a run after ${pluralize(maxWallTimeSec.value, "second")}`;
  const grown = after === Infinity ? "can go on for ever" : `can take ${pluralize(after, "visit")}`;
  const words = `a run ${grown} now; before, the most was ${before}. ${cap}`;
  return [createChange("worst-case-grew", "new", root.name, words)];
}

/** The most entries of any run, as far as it is known. */
function worstCaseOf({ worstCase, unboundedLoops }: Facts): number | undefined {
  return worstCase ?? (unboundedLoops.some(({ certain }) => certain) ? Infinity : undefined);
}

function behaviourOf({ differences, isComplete }: ComparedRuns, sides: Sides<Side>) {
  const shortestOf = (kind: DifferenceKind): readonly string[] | null => {
    const found = differences.filter(
      (difference) => difference.kind === kind && difference.start.agent === undefined,
    );
    return found.map(({ events }) => events).sort((a, b) => a.length - b.length)[0] ?? null;
  };
  const facts = mapSides(sides, entryFacts);
  const worst = mapSides(facts, (known) => known && worstCaseOf(known));
  return {
    compared: isComplete,
    refused: shortestOf("event-refused"),
    leadsElsewhere: shortestOf("leads-elsewhere"),
    endsDifferently: shortestOf("ends-differently"),
    added: shortestOf("event-added"),
    worstCase: {
      ...mapSides(worst, (most) => (most === undefined || most === Infinity ? null : most)),
      unbounded: mapSides(worst, (most) => most === Infinity),
    },
    shortest: mapSides(facts, (known) => known?.shortestComplete?.entries ?? null),
  };
}

function entryFacts({ machine, workflow, facts }: Side): Facts | undefined {
  const entry = workflow.entry && workflow.stateNamed(workflow.entry.text);
  if (entry === undefined) return undefined;
  return machine.roots.length === 1 ? facts : findFacts({ ...machine, roots: [entry.index] });
}
