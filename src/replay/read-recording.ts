import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import {
  asMapping,
  isNull,
  itemsOf,
  LocatedCount,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  placeOf,
  stringOf,
} from "../document/node.js";
import { runStatusOf } from "../machine/run.js";
import {
  type Capture,
  type ContextFields,
  readCount,
  type RecordedEnd,
  type RecordedMove,
  type RecordedStart,
  type Recording,
  unreadableMove,
} from "./recording.js";

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

function recordKind(node: MappingNode): string | undefined {
  return stringOf(node.get("record"));
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
