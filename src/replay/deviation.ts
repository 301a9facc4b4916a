import type { Place } from "../diagnostic.js";
import type { Key, LocatedCount, LocatedString } from "../document/node.js";
import type { Edge, MachineState } from "../machine/machine.js";
import type { Outcome, RunStatus } from "../machine/run.js";

/** Where a record and the machine part. Each kind is one rule's to report. */
export type Deviation =
  | {
      readonly kind: "other-pack";
      readonly said: LocatedString;
      readonly what: "id" | "version";
      readonly is: string;
    }
  | { readonly kind: "no-start"; readonly at: Place }
  | { readonly kind: "second-start"; readonly at: Place }
  /** `lacksStart`: more visits are counted than are shown, so there were some before. */
  | { readonly kind: "no-root"; readonly state: LocatedString; readonly lacksStart: boolean }
  /** `root` is the state in which the agent starts; absent when there is no such agent. */
  | {
      readonly kind: "agent";
      readonly agent: LocatedString;
      readonly state: LocatedString;
      readonly root: string | undefined;
    }
  | { readonly kind: "unknown-state"; readonly name: LocatedString | Key }
  /** `isRepeated`: it is the move before once more. */
  | { readonly kind: "gap"; readonly from: LocatedString; readonly was: string; readonly isRepeated: boolean }
  /** `state` has ended the run; absent where the record itself says that it ended. */
  | { readonly kind: "after-end"; readonly at: Place; readonly state: MachineState | undefined }
  /** Behind the end of a record another run starts. */
  | { readonly kind: "next-run"; readonly at: Place }
  | { readonly kind: "unknown-event"; readonly event: LocatedString; readonly state: MachineState }
  | WrongState
  /** A spent state was entered. `by` is the spent state that handed the run on to it, without looking. */
  | {
      readonly kind: "spent";
      readonly to: LocatedString;
      readonly state: MachineState;
      readonly visits: number;
      readonly by: MachineState | undefined;
      readonly outcome: Outcome;
    }
  /** Visits that a context counts, and its cut history does not show, are more than the guard allows. */
  | { readonly kind: "unseen"; readonly at: Place; readonly state: MachineState; readonly visits: number }
  | {
      readonly kind: "forced";
      readonly at: Place;
      readonly said: readonly string[];
      readonly outcome: Outcome;
    }
  | {
      readonly kind: "budget";
      readonly at: Place;
      readonly limit: BudgetLimit;
      readonly used: number;
      readonly allowed: LocatedCount;
    }
  | { readonly kind: "other-budget"; readonly said: LocatedCount; readonly allowed: LocatedCount | undefined }
  | {
      readonly kind: "count";
      readonly at: Place;
      readonly what: CountKind;
      readonly said: number;
      readonly is: number;
      readonly state?: string;
    }
  | { readonly kind: "end-state"; readonly at: LocatedString; readonly is: string }
  /** `event` is the one that is said to have ended it. */
  | {
      readonly kind: "end-status";
      readonly at: LocatedString;
      readonly is: RunStatus;
      readonly state: string;
      readonly event?: LocatedString;
      readonly enters?: string | undefined;
    }
  /** The run goes on, and yet an event is named that is said to have entered no state. */
  | { readonly kind: "end-event"; readonly event: LocatedString }
  | { readonly kind: "end-target"; readonly at: LocatedString; readonly event: string; readonly is: string }
  | { readonly kind: "undeclared-artifact"; readonly name: Key }
  | {
      readonly kind: "artifact";
      readonly at: Place;
      /** One, unless several have disappeared. */
      readonly names: readonly string[];
      readonly change: "set" | "changed" | "gone";
      /** With which the state declares it, or them; absent where it does not. */
      readonly mode: "append" | "replace" | undefined;
      readonly left: string;
      /** On leaving the state; while in it, since the last transition; or after that, when nothing happened. */
      readonly when: "leaving" | "since" | "closed";
    }
  | { readonly kind: "capture"; readonly at: Place; readonly said: string; readonly is: string }
  | { readonly kind: "captures"; readonly at: Place; readonly captures: number; readonly moves: number }
  | { readonly kind: "time"; readonly time: LocatedString; readonly before: LocatedString }
  | { readonly kind: "cut"; readonly at: Place; readonly shown: number; readonly hasCounts: boolean }
  | { readonly kind: "unclosed"; readonly at: Place }
  | {
      readonly kind: "unmeasured";
      readonly at: Place;
      readonly limit: BudgetLimit;
      readonly allowed: LocatedCount;
    };

export interface WrongState {
  readonly kind: "wrong-state";
  readonly to: LocatedString;
  readonly from: MachineState;
  readonly edge: Edge;
  readonly outcome: Outcome;
  /** The record takes the forced exit of a state that is not spent. */
  readonly unspent: MachineState | undefined;
}

/** Takes note of a deviation. */
export type ReportDeviation = (deviation: Deviation) => void;

export type BudgetLimit = "max_total_visits" | "max_tool_calls" | "max_wall_time_sec";
type CountKind = "step" | "visit" | "total" | "steps" | "visit_counts" | "left-out";
export type DeviationKind = Deviation["kind"];
export type DeviationOf<K extends DeviationKind> = Extract<Deviation, { readonly kind: K }>;
