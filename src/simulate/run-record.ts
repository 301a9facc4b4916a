import type { ArtifactValues } from "../machine/artifact-modes.js";
import type { RunStatus } from "../machine/run.js";
import { formatJson } from "../text/visible-text.js";

/**
 * A run as it is kept: a start, its transitions, its end. `--format jsonl` writes one of them per line, and
 * `schema/run-record.schema.json` describes them.
 */
export type RunRecord = StartRecord | TransitionRecord | EndRecord;

export interface StartRecord {
  readonly record: "start";
  readonly schemaVersion: 1;
  readonly pack: { readonly id?: string; readonly version?: string };
  /** The agent that enters the workflow; absent when the run starts at its entry. */
  readonly agent?: string;
  /** The budget the run was held to; absent where there is none, or it was set aside. */
  readonly budget?: { readonly maxTotalVisits: number };
  readonly state: string;
}

/** A state was entered. Artifacts are as they stood then (RFC 0009, capture). */
export interface TransitionRecord {
  readonly record: "transition";
  /** Counted from 1. */
  readonly step: number;
  readonly from: string;
  readonly event: string;
  readonly to: string;
  /** The spent states on the way, in order. */
  readonly forced?: readonly string[];
  /** How often `to` has been entered, this time included. */
  readonly visit: number;
  /** Entries of all states so far. */
  readonly total: number;
  readonly artifacts: ArtifactValues;
}

export interface EndRecord {
  readonly record: "end";
  readonly status: RunStatus;
  readonly state: string;
  readonly steps: number;
  readonly total: number;
  /** The event that entered no state and so ended the run. */
  readonly event?: string;
  /** What that event attempted, as written. */
  readonly target?: string;
  readonly forced?: readonly string[];
  readonly artifacts: ArtifactValues;
}

/** The record as one line of JSON. */
export function recordLine(record: RunRecord): string {
  return formatJson(recordJson(record), 0);
}

/** The record as plain data. */
export function recordJson(record: RunRecord): object {
  return record.record === "start" ? record : { ...record, artifacts: Object.fromEntries(record.artifacts) };
}
