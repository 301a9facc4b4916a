import type { Trace, TraceStep } from "../diagnostic.js";
import type { Edge, Machine } from "./machine.js";

/** Where the chain of forced exits of a spent state ends. */
export type ChainEnd =
  | { readonly kind: "enters"; readonly state: number }
  | { readonly kind: "stops" }
  | { readonly kind: "dangles" }
  | { readonly kind: "cycles" };

/** A fault, and a run that shows it if one is known. */
export interface WitnessedStates {
  /** In file order. */
  readonly states: readonly number[];
  readonly witness: Trace | undefined;
}

/** A region in which runs neither leave nor end. */
export interface Trap extends WitnessedStates {
  /** The states grouped by the guards that trap runs there, those of the witness first. */
  readonly closedBy: () => readonly TrapClosure[];
  /** The loops in which trapped runs finally stay; empty if unknown. */
  readonly sinkLoops: () => readonly (readonly number[])[];
}

export interface TrapClosure {
  readonly states: readonly number[];
  /** Once these are spent, every run in one of the states is trapped; undefined if unknown. */
  readonly guards: readonly number[] | undefined;
}

export interface ForcedExitCycle extends WitnessedStates {
  /** The event after which the run of the witness is stuck. */
  readonly stuckBy?: { readonly state: number; readonly edge: Edge | undefined };
}

export interface Loop extends WitnessedStates {
  /** Whether some run certainly repeats it. */
  readonly certain: boolean;
  /** One lap, if no run into the loop is known. */
  readonly lap?: readonly TraceStep[];
  /** Whether some lap (if not exact, possibly) avoids these states. */
  readonly canAvoid: (states: ReadonlySet<number>) => boolean;
  /** The given states that every lap enters, as far as the search budget lasts. */
  readonly onEveryLap: (states: readonly number[]) => readonly number[];
  /** The given guards that redirect every lap; empty if some state is entered by forced exits only. */
  readonly spentOnEveryLap: (guards: readonly number[]) => readonly number[];
}

/**
 * Everything that the runs of a workflow can do, ignoring budgets (docs/semantics.md, "What is proved"). If `exact`, every
 * configuration was explored; otherwise facts follow from the graph's structure, and those it cannot prove are omitted.
 */
export interface Facts {
  readonly machine: Machine;
  readonly exact: boolean;
  /** States that some run enters (if not exact, possibly). */
  readonly entered: ReadonlySet<number>;
  /** States that some run certainly enters (if not exact, not all of them). */
  readonly certainlyEntered: ReadonlySet<number>;
  /** States that one run can enter twice (if not exact, not all of them). */
  readonly reentered: ReadonlySet<number>;
  /** The shortest run (if not exact, a short one) that enters one of these states twice. */
  findReentry(states: Iterable<number>): Trace | undefined;
  /** Guarded states that some run attempts while they are spent; undefined if unknown. */
  readonly attemptedWhileSpent: ReadonlySet<number> | undefined;
  /** Loops that can repeat forever, one per set of states. */
  readonly unboundedLoops: readonly Loop[];
  /** Unbounded loops from which a run can still end: laps inside traps are left out. */
  readonly escapableLoops: readonly Loop[];
  /** The loops over these states alone that can repeat forever, without laps inside traps if `escapable`. */
  loopsAmong(states: ReadonlySet<number>, escapable: boolean): readonly Loop[];
  readonly trapped: readonly Trap[];
  /** States that can be entered but never lead to completion, although guards or dangling names may end the run. */
  readonly neverCompletes: WitnessedStates | undefined;
  /** Includes those that no run reaches. */
  readonly forcedExitCycles: readonly ForcedExitCycle[];
  /** For each guarded state, the end of its chain if all guards on the way are spent. */
  readonly forcedExitEnds: readonly (ChainEnd | undefined)[];
  readonly shortestComplete: { readonly entries: number; readonly witness: Trace | undefined } | undefined;
  /** The maximum number of entries in one run; undefined if unknown. */
  readonly worstCase: number | undefined;
  /** The maximum number of entries of one state in runs of at most `entries` entries (if not exact, an upper bound). */
  worstCaseOf(state: number, entries?: number): number | undefined;
  /** The maximum sum of the weights of all entries in a run of at most `entries` entries. */
  weightedWorstCase(weightOf: (state: number) => number, entries: number): number | undefined;
  /**
   * The states that some run (if not exact, possibly) enters after entering one of `states`; undefined once the search
   * budget is used up.
   */
  statesAfter(states: readonly number[]): ReadonlySet<number> | undefined;
}
