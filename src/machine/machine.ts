import type { Place } from "../diagnostic.js";
import type { Artifact, State, Transition, Workflow } from "../pack/workflow.js";
import { cached } from "../text/collections.js";

/** A target that is missing, unreadable or not a state; other rules report it. */
export const DANGLING = -1;

export interface Edge {
  readonly transition: Transition | undefined;
  readonly event: string;
  /** The state attempted, or DANGLING. */
  readonly target: number;
}

export interface MachineState {
  readonly index: number;
  readonly name: string;
  /** Entering it completes the run. */
  readonly ends: boolean;
  readonly edges: readonly Edge[];
  /** How often a run may enter it; undefined for an unguarded state. */
  readonly maxVisits: number | undefined;
  /** The state attempted instead once this one is spent, or DANGLING; if undefined, the run stops. */
  readonly forcedExit: number | undefined;
  readonly forcedExitAt?: Place | undefined;
  /** The name in `on_max_visits`; undefined if the guard could not be read. */
  readonly forcedExitName?: string | undefined;
  readonly artifacts?: ReadonlyMap<string, Artifact>;
}

/** Where runtimes differ about how a workflow runs. */
export interface Reading {
  /** Whether a forced exit attempts its target, which may be spent, too, or enters it whatever its guard says. */
  readonly forcedExits: "attempted" | "entered";
  /** What happens when a run attempts to enter a spent state without `on_max_visits`. */
  readonly stops: "run ends" | "event refused";
}

/** RFC 0009, and rule 2 of it about chains of forced exits. */
export const rfcReading: Reading = { forcedExits: "attempted", stops: "run ends" };

export function isRfcReading({ reading: { forcedExits, stops } }: Machine): boolean {
  return forcedExits === rfcReading.forcedExits && stops === rfcReading.stops;
}

/** How a workflow runs, by one reading. It is immutable: each run keeps its own counts. */
export interface Machine {
  readonly states: readonly MachineState[];
  readonly roots: readonly number[];
  readonly reading: Reading;
}

export function buildMachine(workflow: Workflow, reading = rfcReading): Machine {
  const states = workflow.states.map((state) => machineState(state, workflow));
  return { states, roots: workflow.roots.map(({ index }) => index), reading };
}

/** Whether runs enter the same states by all readings: no spent guard leads to another one. */
export function entersAlike({ states }: Machine): boolean {
  return states.every(
    ({ maxVisits, forcedExit }) =>
      maxVisits === undefined || forcedExit === undefined || states[forcedExit]?.maxVisits === undefined,
  );
}

/** Whether all readings agree: they also end alike, as no guard ends a run. */
export function runsAlike(machine: Machine): boolean {
  return (
    entersAlike(machine) &&
    machine.states.every(({ maxVisits, forcedExit }) => maxVisits === undefined || forcedExit !== undefined)
  );
}

function machineState(state: State, { stateNamed }: Workflow): MachineState {
  const indexOf = (name: string | undefined): number =>
    (name === undefined ? undefined : stateNamed(name)?.index) ?? DANGLING;
  const transitions = state.terminal?.value === true ? [] : state.transitions;
  const edges: Edge[] = transitions.map((transition) => ({
    transition,
    event: transition.event.text,
    target: indexOf(transition.target?.text),
  }));
  if (state.hasUnreadableEvents) edges.push({ transition: undefined, event: "", target: DANGLING });
  // No run passes a guard that cannot be read.
  const { maxVisits, onMaxVisits, hasUnreadableGuard, artifacts } = state;
  return {
    index: state.index,
    name: state.name.text,
    ends: edges.length === 0,
    edges,
    maxVisits: maxVisits?.value ?? (hasUnreadableGuard ? 1 : undefined),
    forcedExit: hasUnreadableGuard ? DANGLING : onMaxVisits && indexOf(onMaxVisits.text),
    forcedExitAt: onMaxVisits,
    forcedExitName: hasUnreadableGuard ? undefined : onMaxVisits?.text,
    ...(artifacts.length > 0 && { artifacts: new Map(artifacts.map((each) => [each.name.text, each])) }),
  };
}

/** The names of all artifacts, in the order of their first declarations. */
export function artifactNames({ states }: Machine): readonly string[] {
  return [...new Set(states.flatMap(({ artifacts }) => [...(artifacts?.keys() ?? [])]))];
}

/** The events of a state by number, without those that could not be read. A run may enter it a million times. */
export const knownEventsOf = cached(({ edges }: MachineState) => {
  const numbers: number[] = [];
  const byName = new Map<string, number>();
  for (const [number, { event, transition }] of edges.entries()) {
    if (event === "" && transition === undefined) continue;
    numbers.push(number);
    if (!byName.has(event)) byName.set(event, number);
  }
  return { numbers, byName };
});

/** Without duplicates. */
export function inFileOrder(states: Iterable<number>): readonly number[] {
  return [...new Set(states)].sort((a, b) => a - b);
}
