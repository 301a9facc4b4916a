import type { Diagnostic, Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import {
  type Entry,
  LocatedCount,
  type LocatedString,
  type MappingNode,
  type Node,
  placeOf,
} from "../document/node.js";
import type { Machine } from "../machine/machine.js";
import type { Pack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";

/** A count that may be 0. */
export function readCount(node: Node | undefined): LocatedCount | undefined {
  return node?.kind === "scalar" && node.value === 0 ? new LocatedCount(0, node) : LocatedCount.of(node);
}

/** A transition as it was recorded. What is missing or ill-formed is absent: `run-record` reports it. */
export interface RecordedMove {
  readonly node: Node;
  readonly from?: LocatedString | undefined;
  readonly event?: LocatedString | undefined;
  readonly to?: LocatedString | undefined;
  /** The spent states it says it passed through; absent where the record does not tell. */
  readonly forced?: readonly LocatedString[] | undefined;
  /** Where forced exits are told, or ought to be. */
  readonly forcedAt: Place;
  readonly step?: LocatedCount | undefined;
  readonly visit?: LocatedCount | undefined;
  readonly total?: LocatedCount | undefined;
  /** Artifact values as the state that is entered finds them; absent where the record does not tell. */
  readonly artifacts?: MappingNode | undefined;
  /** Whether the record ought to tell them here, and does not. */
  readonly lacksArtifacts: boolean;
  readonly time?: LocatedString | undefined;
}

/** What stands among the moves and cannot be read: one of them, perhaps. */
export function unreadableMove(node: Node): RecordedMove {
  return { node, forcedAt: placeOf(node), lacksArtifacts: true };
}

/** Whether one move was written twice: one that happens again has another step, or another time. */
export function isRepeatedMove(a: RecordedMove, b: RecordedMove): boolean {
  if (b.step === undefined && b.time === undefined) return false;
  const isAlike = (["from", "event", "to", "time"] as const).every((part) => a[part]?.text === b[part]?.text);
  return isAlike && a.step?.value === b.step?.value;
}

export interface RecordedStart {
  readonly state: LocatedString;
  readonly agent?: LocatedString | undefined;
  /** The pack that the record says it is of. */
  readonly packId?: LocatedString | undefined;
  readonly packVersion?: LocatedString | undefined;
  /** The budget that the run says it was held to. */
  readonly maxTotalVisits?: LocatedCount | undefined;
}

/** How the run stood when the record was closed. */
export interface RecordedEnd {
  readonly state: LocatedString | undefined;
  /** Only transition records tell. */
  readonly status?: LocatedString | undefined;
  readonly event?: LocatedString | undefined;
  readonly target?: LocatedString | undefined;
  readonly forced?: readonly LocatedString[] | undefined;
  readonly steps?: LocatedCount | undefined;
  readonly total?: LocatedCount | undefined;
  readonly artifacts: MappingNode | undefined;
  /** Whether the last state may have written since it was entered. */
  readonly mayHaveWritten: boolean;
}

/** Artifact values as a workflow context keeps them, one capture a transition. */
export interface Capture {
  readonly node: MappingNode;
  readonly from: LocatedString | undefined;
  readonly event: LocatedString | undefined;
  readonly to: LocatedString | undefined;
  readonly time: LocatedString | undefined;
}

/** What only a workflow context holds. */
export interface ContextFields {
  /** Where its history is shown. */
  readonly historyAt: Place;
  /** There were more visits than the history shows, or nobody counted. */
  readonly mayHaveMoreVisits: boolean;
  /** The history shows only its last transitions, or may. */
  readonly isHistoryTruncated: boolean;
  readonly captures: readonly Capture[] | undefined;
  readonly visitCounts: { readonly at: Place; readonly entries: readonly Entry[] } | undefined;
  readonly toolCalls: LocatedCount | undefined;
  readonly startedAt: LocatedString | undefined;
  readonly updatedAt: LocatedString | undefined;
}

/** A record of one run, read as far as it is well-formed. */
export interface Recording {
  /** Where the record as a whole is shown. */
  readonly at: Place;
  readonly start: RecordedStart | undefined;
  /** How the run began is told, and cannot be read. */
  readonly hasUnreadableStart: boolean;
  readonly moves: readonly RecordedMove[];
  readonly end: RecordedEnd | undefined;
  /** Records that stand where none may: starts that are not the first record, anything behind an end. */
  readonly laterStarts: readonly Place[];
  readonly afterEnd: { readonly at: Place; readonly isStart: boolean } | undefined;
  /** A part of it could not be read at all. */
  readonly hasUnreadable: boolean;
  /** A line cannot be read: it, or one after it, may have been the end. */
  readonly isTruncated: boolean;
  readonly context: ContextFields | undefined;
}

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
