import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Machine } from "../machine/machine.js";
import type { Pack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";

/** What a run is held against. */
export interface ReplayTarget {
  readonly pack: Pack;
  readonly workflow: Workflow;
  readonly machine: Machine;
  /** Whether `engine.budget` counts. */
  readonly checksBudget: boolean;
}

/** A recorded run of a workflow, and the pack it is held against. */
export interface RecordedRun extends ReplayTarget {
  readonly kind: "transitions" | "context";
  /** The records as a list of objects, or the context as one object. */
  readonly document: Document;
}

export interface CheckedRun {
  readonly diagnostics: readonly Diagnostic[];
  /** For people: the transition table, with the first deviation marked. */
  readonly text: string;
}
