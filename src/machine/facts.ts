import type { Trace, TraceStep } from "../diagnostic.js";
import type { Edge, Machine } from "./machine.js";

/** How the forced exits of a spent state go on: to a state that can be entered, to an end, or round for ever. */
export type ChainEnd =
  | { readonly kind: "enters"; readonly state: number }
  | { readonly kind: "stops" }
  | { readonly kind: "dangles" }
  | { readonly kind: "cycles" };

/** A fault with the run that shows it, where one could be written down. */
export interface WitnessedStates {
  /** State numbers, in file order. */
  readonly states: readonly number[];
  readonly witness: Trace | undefined;
}

/** A region that no run leaves, nor ends in. */
export interface Trap extends WitnessedStates {
  /** Its states by the guards that shut runs in there, those of the witness first. */
  readonly closedBy: () => readonly TrapClosure[];
  /** The loops of states that a caught run ends up in, whatever it does; none where they are not known. */
  readonly sinkLoops: () => readonly (readonly number[])[];
}

export interface TrapClosure {
  readonly states: readonly number[];
  /** Once these are spent, every run that is in one of the states is caught; absent where they could not be told. */
  readonly guards: readonly number[] | undefined;
}

/** A chain of forced exits that never arrives. */
export interface ForcedExitCycle extends WitnessedStates {
  /** What gets the run of the witness stuck: an event of the state it is in. */
  readonly stuckBy?: { readonly state: number; readonly edge: Edge | undefined };
}

export interface Loop extends WitnessedStates {
  /** False where only the shape of the graph suggests it, because not every run was explored. */
  readonly certain: boolean;
  /** Once round, where no run is known that gets there. */
  readonly lap?: readonly TraceStep[];
  /** Whether some lap enters none of these states; not exact: whether one may. */
  readonly canAvoid: (states: ReadonlySet<number>) => boolean;
  /** Those of these states that every lap enters; some may be left out where there is much to look at. */
  readonly onEveryLap: (states: readonly number[]) => readonly number[];
  /**
   * Those of these guards that every lap finds spent, so that they hand the run on; none where some state is entered by
   * forced exits alone.
   */
  readonly spentOnEveryLap: (guards: readonly number[]) => readonly number[];
}

/**
 * What the runs of a workflow can do, budgets set aside (docs/semantics.md, "What is proved"). Each claim is proven
 * by exploring every configuration where `exact`; otherwise it follows from the structure of the graph alone, and
 * claims that structure cannot prove are left out.
 */
export interface Facts {
  readonly machine: Machine;
  readonly exact: boolean;
  /** States that some run enters; not exact: that some run may enter. */
  readonly entered: ReadonlySet<number>;
  /** States that some run certainly enters; not exact: not all of them. */
  readonly certainlyEntered: ReadonlySet<number>;
  /** States that one run can enter twice; not exact: not all of them. */
  readonly reentered: ReadonlySet<number>;
  /** The shortest run that enters one of `states` twice; not exact: a short one. Nothing where none is known. */
  findReentry(states: Iterable<number>): Trace | undefined;
  /** Guarded states that some run attempts while they are spent; nothing is known where it is absent. */
  readonly attemptedWhileSpent: ReadonlySet<number> | undefined;
  /** Loops that never have to end: one per set of states that go round together. */
  readonly unboundedLoops: readonly Loop[];
  /** The same without the laps in a trap: from each that is left a run may still end. */
  readonly escapableLoops: readonly Loop[];
  /** Regions that runs can enter and from which none ends in any way. */
  readonly trapped: readonly Trap[];
  /** States that can be entered, from which no run completes though guards or dangling names may end it. */
  readonly neverCompletes: WitnessedStates | undefined;
  /** Chains of forced exits that never arrive, whether or not a run can get there. */
  readonly forcedExitCycles: readonly ForcedExitCycle[];
  /** Where the forced exits of each guarded state lead once all on the way are spent. */
  readonly forcedExitEnds: readonly (ChainEnd | undefined)[];
  /** The shortest run that completes; not exact: only where no other can be shorter. */
  readonly shortestComplete: { readonly entries: number; readonly witness: Trace | undefined } | undefined;
  /** The most entries any run makes before it ends; nothing is known where it is absent. */
  readonly worstCase: number | undefined;
  /**
   * The same for the entries of one state, on runs that are cut short after so many entries of all states, if that is
   * said; not exact: no run makes more.
   */
  worstCaseOf(state: number, entries?: number): number | undefined;
  /** The same where each entry of a state counts so much. */
  weightedWorstCase(weightOf: (state: number) => number, entries: number): number | undefined;
  /**
   * The states some run enters after entering one of `states`, themselves only if they come again; not exact: that it
   * may enter. Nothing once too much was asked.
   */
  statesAfter(states: readonly number[]): ReadonlySet<number> | undefined;
}
