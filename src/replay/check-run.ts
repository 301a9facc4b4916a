import type { DiagnoseOptions } from "../diagnose.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { checkReplay } from "../lint.js";
import type { Ground } from "./replay-run.js";
import { replayText } from "./replay-text.js";
import { RunReplay } from "./run-replay.js";

/** A recorded run of a workflow, and the pack it is held against. */
export interface RecordedRun extends Ground {
  readonly kind: "transitions" | "context";
  /** The records as a list of objects, or the context as one object. */
  readonly document: Document;
}

export interface CheckedRun {
  readonly diagnostics: readonly Diagnostic[];
  /** For people: the transition table, with the first deviation marked. */
  readonly text: string;
}

/** Holds a recorded run against its workflow. */
export function checkRun(run: RecordedRun, options: DiagnoseOptions): CheckedRun {
  const { document } = run;
  const replay = new RunReplay(document.root, document.text, run);
  const diagnostics = checkReplay(document, replay, options);
  return { diagnostics, text: replayText(replay, diagnostics) };
}
