import type { Place } from "../diagnostic.js";
import type { State, Transition, Workflow } from "../pack/workflow.js";
import { getOrCreate } from "../text/collections.js";

/** A target that names no state, or that could not be read. Its own rule reports it; no run can follow it. */
export const DANGLING = -1;

/** Each once. */
export function inFileOrder(states: Iterable<number>): readonly number[] {
  return [...new Set(states)].sort((a, b) => a - b);
}

export interface Edge {
  readonly transition: Transition | undefined;
  readonly event: string;
  /** The state attempted, or DANGLING. */
  readonly target: number;
}

/** A state as the machine sees it: numbers instead of names. */
export interface MachineState {
  readonly index: number;
  readonly name: string;
  /** Entering it completes the run. */
  readonly ends: boolean;
  readonly edges: readonly Edge[];
  /** How often a run may enter it; absent when there is no guard. */
  readonly maxVisits: number | undefined;
  /** Where an attempt goes once it is spent: a state, DANGLING, or nowhere: the run stops. */
  readonly forcedExit: number | undefined;
  readonly forcedExitAt?: Place | undefined;
}

/** How a workflow runs. Nothing here changes; runs keep their own counts. */
export interface Machine {
  readonly states: readonly MachineState[];
  /** The states in which a run can start. */
  readonly roots: readonly number[];
}

export function buildMachine(workflow: Workflow): Machine {
  const states = workflow.states.map((state) => machineState(state, workflow));
  return { states, roots: workflow.roots.map(({ index }) => index) };
}

function machineState(state: State, workflow: Workflow): MachineState {
  const indexOf = (name: string | undefined): number =>
    name === undefined ? DANGLING : (workflow.stateNamed(name)?.index ?? DANGLING);
  const terminal = state.terminal?.value === true;
  const edges: Edge[] = terminal
    ? []
    : state.transitions.map((transition) => ({
        transition,
        event: transition.event.text,
        target: indexOf(transition.target?.text),
      }));
  // An unclear state may lead anywhere.
  if (state.isUnclear) edges.push({ transition: undefined, event: "", target: DANGLING });
  return {
    index: state.index,
    name: state.name.text,
    ends: edges.length === 0,
    edges,
    maxVisits: state.maxVisits?.value,
    forcedExit: state.onMaxVisits && indexOf(state.onMaxVisits.text),
    forcedExitAt: state.onMaxVisits,
  };
}

/** The events of a state as it numbers them. A part that could not be read has none. */
export interface KnownEvents {
  readonly numbers: readonly number[];
  readonly byName: ReadonlyMap<string, number>;
}

/** A run may come to a state a million times; states never change. */
const eventsByState = new WeakMap<MachineState, KnownEvents>();

export function knownEventsOf(state: MachineState): KnownEvents {
  return getOrCreate(eventsByState, state, () => indexEvents(state));
}

function indexEvents({ edges }: MachineState): KnownEvents {
  const numbers: number[] = [];
  const byName = new Map<string, number>();
  for (const [number, { event, transition }] of edges.entries()) {
    if (event === "" && transition === undefined) continue;
    numbers.push(number);
    if (!byName.has(event)) byName.set(event, number);
  }
  return { numbers, byName };
}
