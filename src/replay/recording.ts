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

/** A recorded transition. What is missing or ill-formed is absent: `run-record` reports it. */
export interface RecordedMove {
  readonly node: Node;
  readonly from?: LocatedString | undefined;
  readonly event?: LocatedString | undefined;
  readonly to?: LocatedString | undefined;
  readonly forced?: readonly LocatedString[] | undefined;
  /** Where a wrong list of forced exits is reported. */
  readonly forcedAt: Place;
  readonly step?: LocatedCount | undefined;
  readonly visit?: LocatedCount | undefined;
  readonly total?: LocatedCount | undefined;
  readonly artifacts?: MappingNode | undefined;
  /** Whether artifact values should be recorded here and are not. */
  readonly lacksArtifacts: boolean;
  readonly time?: LocatedString | undefined;
}

/** Something among the moves that cannot be read. */
export function unreadableMove(node: Node): RecordedMove {
  return { node, forcedAt: placeOf(node), lacksArtifacts: true };
}

/** Whether one move was recorded twice: a repeated transition has another step or time. */
export function isRepeatedMove(a: RecordedMove, b: RecordedMove): boolean {
  if (b.step === undefined && b.time === undefined) return false;
  const isAlike = (["from", "event", "to", "time"] as const).every((part) => a[part]?.text === b[part]?.text);
  return isAlike && a.step?.value === b.step?.value;
}

export interface RecordedStart {
  readonly state: LocatedString;
  readonly agent?: LocatedString | undefined;
  readonly packId?: LocatedString | undefined;
  readonly packVersion?: LocatedString | undefined;
  readonly maxTotalVisits?: LocatedCount | undefined;
}

/** The run when the record was closed. */
export interface RecordedEnd {
  readonly state: LocatedString | undefined;
  /** Only in transition records, as are event, target, forced, steps and total. */
  readonly status?: LocatedString | undefined;
  readonly event?: LocatedString | undefined;
  readonly target?: LocatedString | undefined;
  readonly forced?: readonly LocatedString[] | undefined;
  /** The limit that the run reached. */
  readonly limit?: string | undefined;
  readonly steps?: LocatedCount | undefined;
  readonly total?: LocatedCount | undefined;
  readonly artifacts: MappingNode | undefined;
}

/** The artifact values that a workflow context keeps for one transition. */
export interface Capture {
  readonly node: MappingNode;
  readonly from: LocatedString | undefined;
  readonly event: LocatedString | undefined;
  readonly to: LocatedString | undefined;
  readonly time: LocatedString | undefined;
}

/** The parts of a record that only a workflow context has. */
export interface ContextFields {
  readonly historyAt: Place;
  /** Whether there were more visits than the history shows, or none are counted. */
  readonly mayHaveMoreVisits: boolean;
  /** Whether the history may show only the last transitions. */
  readonly isHistoryTruncated: boolean;
  readonly captures: readonly Capture[] | undefined;
  readonly visitCounts: { readonly at: Place; readonly entries: readonly Entry[] } | undefined;
  readonly toolCalls: LocatedCount | undefined;
  readonly startedAt: LocatedString | undefined;
  readonly updatedAt: LocatedString | undefined;
}

/** A record of one run, read as far as it is well-formed. */
export interface Recording {
  /** Where findings about the whole record are shown. */
  readonly at: Place;
  readonly start: RecordedStart | undefined;
  /** Whether there is a start that cannot be read. */
  readonly hasUnreadableStart: boolean;
  readonly moves: readonly RecordedMove[];
  readonly end: RecordedEnd | undefined;
  /** Starts that are not the first record. */
  readonly laterStarts: readonly Place[];
  readonly afterEnd: { readonly at: Place; readonly isStart: boolean } | undefined;
  readonly hasUnreadable: boolean;
  /** Whether a line cannot be parsed, so that the end may be missing. */
  readonly isTruncated: boolean;
  readonly context: ContextFields | undefined;
}

export interface ReplayTarget {
  readonly pack: Pack;
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly checksBudget: boolean;
}

export interface RecordedRun extends ReplayTarget {
  readonly kind: "transitions" | "context";
  /** The records as a list of objects, or the context as one object. */
  readonly document: Document;
}

export interface CheckedRun {
  readonly diagnostics: readonly Diagnostic[];
  /** The transition table, with the first deviation marked. */
  readonly text: string;
}
