import { isNull, placeOf, type MappingNode } from "../document/node.js";
import { asMapping, itemsOf, LocatedString } from "../document/spelled-values.js";
import {
  readCount,
  type Capture,
  type ContextFields,
  type RecordedMove,
  type Recording,
  unreadableMove,
} from "./recording.js";

/** The reference runtime keeps no more transitions than this; the oldest go first. */
const maxHistoryLength = 1000;

/** Reads a workflow context as the reference runtime persists it. */
export function readWorkflowContext(root: MappingNode, isRoot: (state: string) => boolean): Recording {
  const history = root.get("history");
  const items = itemsOf(history);
  const hasHistory = history?.kind === "sequence" || isNull(history);
  // Without a history nobody knows what the captures belong to.
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
    end: { state: current, artifacts: asMapping(root.get("artifacts")), mayHaveWritten: true },
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
    isHistoryTruncated: moves.length === maxHistoryLength && (mayHaveMoreVisits || (first !== undefined && !isRoot(first))),
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
  // What is no object breaks the order in which captures and transitions belong together.
  if (captures.length < node.items.length) return undefined;
  return captures.map((capture) => ({
    node: capture,
    from: LocatedString.of(capture.get("from_state")),
    event: LocatedString.of(capture.get("event")),
    to: LocatedString.of(capture.get("to_state")),
    time: LocatedString.of(capture.get("timestamp")),
  }));
}
