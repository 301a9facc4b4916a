import type { DiagnoseOptions } from "../diagnose.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Machine } from "../machine/machine.js";
import type { Pack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";

/** A recorded run of a workflow, and the pack it is held against. */
export interface RecordedRun {
  readonly kind: "transitions" | "context";
  /** The records as a list of objects, or the context as one object. */
  readonly document: Document;
  readonly pack: Pack;
  readonly workflow: Workflow;
  readonly machine: Machine;
  /** Whether `engine.budget` counts. */
  readonly budget: boolean;
}

export interface CheckedRun {
  readonly diagnostics: readonly Diagnostic[];
  /** For people: the transition table, with the first deviation marked, and what the record cannot show. */
  readonly text: string;
}

/** Holds a recorded run against its workflow. */
export function checkRun(_run: RecordedRun, _options: DiagnoseOptions): CheckedRun {
  return { diagnostics: [], text: "" };
}
