import type { Place } from "../diagnostic.js";
import { placeOf, type Entry, type MappingNode, type Node } from "../document/node.js";
import { type Text, Whole } from "../document/spelled-values.js";

/** A count that may be 0. */
export function countOf(node: Node | undefined): Whole | undefined {
  return node?.kind === "scalar" && node.value === 0 ? new Whole(0, node) : Whole.of(node);
}

/** A transition as it was recorded. What is missing or ill-formed is absent: `run-record` reports it. */
export interface RecordedMove {
  readonly node: Node;
  readonly from?: Text | undefined;
  readonly event?: Text | undefined;
  readonly to?: Text | undefined;
  /** The spent states it says it passed through; absent where the record does not tell. */
  readonly forced?: readonly Text[] | undefined;
  /** Where forced exits are told, or ought to be. */
  readonly forcedAt: Place;
  readonly step?: Whole | undefined;
  readonly visit?: Whole | undefined;
  readonly total?: Whole | undefined;
  /** Artifact values as the state that is entered finds them; absent where the record does not tell. */
  readonly artifacts?: MappingNode | undefined;
  /** Whether the record ought to tell them here, and does not. */
  readonly losesArtifacts: boolean;
  readonly time?: Text | undefined;
}

/** What stands among the moves and cannot be read: one of them, perhaps. */
export function unreadableMove(node: Node): RecordedMove {
  return { node, forcedAt: placeOf(node), losesArtifacts: true };
}

/** Whether one move was written twice: one that happens again has another step, or another time. */
export function isTwice(a: RecordedMove, b: RecordedMove): boolean {
  if (b.step === undefined && b.time === undefined) return false;
  const isAlike = (["from", "event", "to", "time"] as const).every((part) => a[part]?.text === b[part]?.text);
  return isAlike && a.step?.value === b.step?.value;
}

export interface RecordedStart {
  readonly state: Text;
  readonly agent?: Text | undefined;
  /** The pack that the record says it is of. */
  readonly packId?: Text | undefined;
  readonly packVersion?: Text | undefined;
  /** The budget that the run says it was held to. */
  readonly maxTotalVisits?: Whole | undefined;
}

/** How the run stood when the record was closed. */
export interface RecordedEnd {
  readonly state: Text | undefined;
  /** Only transition records tell. */
  readonly status?: Text | undefined;
  readonly event?: Text | undefined;
  readonly target?: Text | undefined;
  readonly forced?: readonly Text[] | undefined;
  readonly steps?: Whole | undefined;
  readonly total?: Whole | undefined;
  readonly artifacts: MappingNode | undefined;
  /** Whether the last state may have written since it was entered. */
  readonly mayHaveWritten: boolean;
}

/** Artifact values as a workflow context keeps them, one capture a transition. */
export interface Capture {
  readonly node: MappingNode;
  readonly from: Text | undefined;
  readonly event: Text | undefined;
  readonly to: Text | undefined;
  readonly time: Text | undefined;
}

/** What only a workflow context holds. */
export interface ContextParts {
  /** Where its history is shown. */
  readonly historyAt: Place;
  /** There were more visits than the history shows, or nobody counted. */
  readonly mayHaveMore: boolean;
  /** The history shows only its last transitions, or may. */
  readonly isCut: boolean;
  readonly captures: readonly Capture[] | undefined;
  readonly visitCounts: { readonly at: Place; readonly entries: readonly Entry[] } | undefined;
  readonly toolCalls: Whole | undefined;
  readonly startedAt: Text | undefined;
  readonly updatedAt: Text | undefined;
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
  readonly isCutOff: boolean;
  readonly context: ContextParts | undefined;
}
