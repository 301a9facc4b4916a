import type { Place } from "../diagnostic.js";
import type { Key, LocatedCount, LocatedString } from "../document/node.js";
import type { Edge, MachineState } from "../machine/machine.js";
import type { Outcome, RunStatus } from "../machine/run.js";

interface DeviationFields {
  "other-pack": { recorded: LocatedString; what: "id" | "version"; actual: string };
  "no-start": { at: Place };
  "second-start": { at: Place };
  /** `lacksStart`: more visits are counted than shown, so the start is missing. */
  "no-root": { state: LocatedString; lacksStart: boolean };
  /** `root` is the state in which the agent starts; absent when there is no such agent. */
  agent: { agent: LocatedString; state: LocatedString; root: string | undefined };
  "unknown-state": { name: LocatedString | Key };
  /** `isRepeated`: the move before was recorded twice. */
  gap: { from: LocatedString; was: string; isRepeated: boolean };
  /** `state` has ended the run; absent where the record itself has an end. */
  "after-end": { at: Place; state: MachineState | undefined };
  "next-run": { at: Place };
  "unknown-event": { event: LocatedString; state: MachineState };
  /** `unspent`: the record takes the forced exit of this state, which is not spent. */
  "wrong-state": {
    to: LocatedString;
    from: MachineState;
    edge: Edge;
    outcome: Outcome;
    unspent: MachineState | undefined;
  };
  /** A spent state was entered; `by` is the spent state whose forced exit led there. */
  spent: {
    to: LocatedString;
    state: MachineState;
    visits: number;
    by: MachineState | undefined;
    outcome: Outcome;
  };
  /** A context counts visits before its truncated history, and more than the guard allows. */
  unseen: { at: Place; state: MachineState; visits: number };
  forced: { at: Place; recorded: readonly string[]; outcome: Outcome };
  budget: { at: Place; limit: BudgetLimit; used: number; allowed: LocatedCount };
  "other-budget": { recorded: LocatedCount; allowed: LocatedCount | undefined };
  count: { at: Place; what: CountKind; recorded: number; actual: number; state?: string };
  "end-state": { at: LocatedString; actual: string };
  /** `event` is the one that ended the run according to the record. */
  "end-status": {
    at: LocatedString;
    actual: RunStatus;
    state: string;
    event?: LocatedString;
    enters?: string | undefined;
  };
  /** The run continues, although the record names an event that ended it. */
  "end-event": { event: LocatedString };
  "end-target": { at: LocatedString; event: string; actual: string };
  "undeclared-artifact": { name: Key };
  artifact: {
    at: Place;
    /** Several only if they are gone. */
    names: readonly string[];
    change: "set" | "changed" | "gone";
    mode: "append" | "replace" | undefined;
    left: string;
    /** On leaving the state, or while in it since the last transition. */
    when: "leaving" | "since";
  };
  capture: { at: Place; recorded: string; actual: string };
  captures: { at: Place; captures: number; moves: number };
  time: { time: LocatedString; before: LocatedString };
  cut: { at: Place; shown: number; hasCounts: boolean };
  unclosed: { at: Place };
  unmeasured: { at: Place; limit: BudgetLimit; allowed: LocatedCount };
}

export type BudgetLimit = "max_total_visits" | "max_tool_calls" | "max_wall_time_sec";
type CountKind = "step" | "visit" | "total" | "steps" | "visit_counts" | "left-out";

export type DeviationKind = keyof DeviationFields;
/** A difference between a record and its workflow. Each kind is reported by one rule. */
export type Deviation = {
  [K in DeviationKind]: { readonly kind: K } & Readonly<DeviationFields[K]>;
}[DeviationKind];
export type DeviationOf<K extends DeviationKind> = Extract<Deviation, { readonly kind: K }>;

export type ReportDeviation = (deviation: Deviation) => void;
