import type { Diagnostic, Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import {
  asMapping,
  type Entry,
  isNull,
  itemsOf,
  LocatedCount,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  placeOf,
  SequenceNode,
  stringOf,
} from "../document/node.js";
import type { Machine } from "../machine/machine.js";
import { runStatusOf } from "../machine/run.js";
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
function unreadableMove(node: Node): RecordedMove {
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
export interface Capture extends Pick<RecordedMove, "from" | "event" | "to" | "time"> {
  readonly node: MappingNode;
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

/** Each run of a file that holds several, one after another. */
export function splitRuns(document: Document): readonly Document[] {
  const { root } = document;
  if (root?.kind !== "sequence") return [document];
  const runs: Node[][] = [];
  for (const item of root.items) {
    const last = runs.at(-1);
    if (last === undefined || recordKind(item) === "start") runs.push([item]);
    else last.push(item);
  }
  return runs.map((items) => ({ ...document, root: new SequenceNode(root.start, root.end, items) }));
}

/** Reads the records that `simulate --format jsonl` writes. */
export function readTransitionRecords({ root, faults }: Document): Recording {
  const lines = itemsOf(root).flatMap((node) => asMapping(node) ?? []);
  const moves: RecordedMove[] = [];
  const laterStarts: Place[] = [];
  let start: RecordedStart | undefined;
  let end: RecordedEnd | undefined;
  let afterEnd: Recording["afterEnd"];
  let hasUnreadable = false;
  for (const [index, node] of lines.entries()) {
    const kind = recordKind(node);
    if (end !== undefined) {
      afterEnd = { at: linePlace(node), isStart: kind === "start" };
      break;
    }
    if (kind === "transition") moves.push(readMove(node));
    else if (kind === "end") end = readEnd(node);
    else if (kind !== "start") {
      hasUnreadable = true;
      moves.push(unreadableMove(node));
    } else if (index === 0) start = readStart(node);
    else laterStarts.push(linePlace(node));
  }
  const [first] = lines;
  const at = first === undefined ? { pointer: "", start: 0, end: 0 } : linePlace(first);
  const hasUnreadableStart = first !== undefined && recordKind(first) === "start" && start === undefined;
  return {
    at,
    start,
    hasUnreadableStart,
    moves,
    end,
    laterStarts,
    afterEnd,
    hasUnreadable: hasUnreadable || hasUnreadableStart,
    isTruncated: faults.length > 0,
    context: undefined,
  };
}

function recordKind(node: Node): string | undefined {
  return stringOf(asMapping(node)?.get("record"));
}

/** Where findings about a whole line are shown. */
function linePlace(node: MappingNode): Place {
  const record = node.get("record");
  return record === undefined ? placeOf(node) : placeOf(record);
}

function readStart(node: MappingNode): RecordedStart | undefined {
  const state = LocatedString.of(node.get("state"));
  const pack = asMapping(node.get("pack"));
  if (state === undefined) return undefined;
  return {
    state,
    agent: LocatedString.of(node.get("agent")),
    packId: LocatedString.of(pack?.get("id")),
    packVersion: LocatedString.of(pack?.get("version")),
    maxTotalVisits: LocatedCount.of(asMapping(node.get("budget"))?.get("maxTotalVisits")),
  };
}

function readMove(node: MappingNode): RecordedMove {
  const to = LocatedString.of(node.get("to"));
  const artifacts = asMapping(node.get("artifacts"));
  return {
    node,
    from: LocatedString.of(node.get("from")),
    event: LocatedString.of(node.get("event")),
    to,
    forced: readForcedStates(node),
    forcedAt: node.entry("forced")?.key ?? to ?? linePlace(node),
    step: LocatedCount.of(node.get("step")),
    visit: LocatedCount.of(node.get("visit")),
    total: LocatedCount.of(node.get("total")),
    artifacts,
    lacksArtifacts: artifacts === undefined,
  };
}

/** Undefined where the list cannot be read. */
function readForcedStates(node: MappingNode): readonly LocatedString[] | undefined {
  const forced = node.get("forced");
  if (forced === undefined) return [];
  const states = locatedStringsOf(forced);
  return states.length === Math.max(itemsOf(forced).length, 1) ? states : undefined;
}

/** The schema reports an unknown status. */
function readStatus(node: MappingNode): LocatedString | undefined {
  const status = LocatedString.of(node.get("status"));
  return status === undefined || runStatusOf(status.text) === undefined ? undefined : status;
}

function readEnd(node: MappingNode): RecordedEnd {
  return {
    state: LocatedString.of(node.get("state")),
    status: readStatus(node),
    event: LocatedString.of(node.get("event")),
    target: LocatedString.of(node.get("target")),
    forced: readForcedStates(node),
    limit: stringOf(node.get("limit")),
    steps: readCount(node.get("steps")),
    total: readCount(node.get("total")),
    artifacts: asMapping(node.get("artifacts")),
  };
}

/** The reference runtime keeps only so many transitions, and drops the oldest. */
const maxHistoryLength = 1000;

/** Reads a workflow context as the reference runtime persists it. */
export function readWorkflowContext(root: MappingNode, isRoot: (state: string) => boolean): Recording {
  const history = root.get("history");
  const items = itemsOf(history);
  const hasHistory = history?.kind === "sequence" || isNull(history);
  // Without a history, captures cannot be matched with transitions.
  const captures = hasHistory ? readCaptures(root) : undefined;
  const moves = items.map((item, index) => {
    const node = asMapping(item);
    const capture = captures?.[captures.length - items.length + index]?.node;
    return node === undefined ? unreadableMove(item) : readHistoryEntry(node, capture);
  });
  const current = LocatedString.of(root.get("current_state"));
  const state = moves.length === 0 ? current : moves[0]?.from;
  const context = readContextFields(root, moves, captures, isRoot);
  return {
    at: current ?? placeOf(root),
    start: !hasHistory || context.isHistoryTruncated || state === undefined ? undefined : { state },
    hasUnreadableStart: !hasHistory,
    moves,
    end: { state: current, artifacts: asMapping(root.get("artifacts")) },
    laterStarts: [],
    afterEnd: undefined,
    hasUnreadable: !hasHistory || items.some(({ kind }) => kind !== "mapping"),
    isTruncated: false,
    context,
  };
}

function readContextFields(
  root: MappingNode,
  moves: readonly RecordedMove[],
  captures: readonly Capture[] | undefined,
  isRoot: (state: string) => boolean,
): ContextFields {
  const counts = root.entry("visit_counts");
  const entries = asMapping(counts?.value)?.entries;
  const counted = entries?.reduce((sum, { value }) => sum + (readCount(value)?.value ?? 0), 0);
  const first = moves[0]?.from?.text;
  const mayHaveMoreVisits = counted === undefined || counted > moves.length + 1;
  const history = root.entry("history");
  return {
    historyAt: history?.key ?? placeOf(root),
    mayHaveMoreVisits,
    isHistoryTruncated:
      moves.length === maxHistoryLength && (mayHaveMoreVisits || (first !== undefined && !isRoot(first))),
    captures,
    visitCounts: counts === undefined || entries === undefined ? undefined : { at: counts.key, entries },
    toolCalls: readCount(root.get("total_tool_calls")),
    startedAt: LocatedString.of(root.get("started_at")),
    updatedAt: LocatedString.of(root.get("updated_at")),
  };
}

function readHistoryEntry(node: MappingNode, capture: MappingNode | undefined): RecordedMove {
  const to = LocatedString.of(node.get("to"));
  const artifacts = asMapping(capture?.get("values"));
  return {
    node,
    from: LocatedString.of(node.get("from")),
    event: LocatedString.of(node.get("event")),
    to,
    forcedAt: to ?? placeOf(node),
    artifacts,
    lacksArtifacts: capture !== undefined && artifacts === undefined,
    time: LocatedString.of(node.get("timestamp")),
  };
}

function readCaptures(root: MappingNode): readonly Capture[] | undefined {
  const node = root.get("artifact_history");
  if (node?.kind !== "sequence") return undefined;
  const captures = node.items.flatMap((item) => asMapping(item) ?? []);
  // Captures match transitions by position, so a single unreadable one breaks the order.
  if (captures.length < node.items.length) return undefined;
  return captures.map((capture) => ({
    node: capture,
    from: LocatedString.of(capture.get("from_state")),
    event: LocatedString.of(capture.get("event")),
    to: LocatedString.of(capture.get("to_state")),
    time: LocatedString.of(capture.get("timestamp")),
  }));
}
