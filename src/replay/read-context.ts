import { isNull, placeOf, type MappingNode } from "../document/node.js";
import { asMapping, itemsOf, Text } from "../document/spelled-values.js";
import {
  countOf,
  type Capture,
  type ContextParts,
  type RecordedMove,
  type Recording,
  unreadableMove,
} from "./recording.js";

/** The reference runtime keeps no more transitions than this; the oldest go first. */
const longestHistory = 1000;

/** Reads a workflow context as the reference runtime persists it. */
export function readContext(root: MappingNode, isRoot: (state: string) => boolean): Recording {
  const history = root.get("history");
  const items = itemsOf(history);
  const hasHistory = history?.kind === "sequence" || isNull(history);
  // Without a history nobody knows what the captures belong to.
  const captures = hasHistory ? capturesOf(root) : undefined;
  const moves = items.map((item, index) => {
    const node = asMapping(item);
    const capture = captures?.[captures.length - items.length + index]?.node;
    return node === undefined ? unreadableMove(item) : moveOf(node, capture);
  });
  const current = Text.of(root.get("current_state"));
  const state = moves.length === 0 ? current : moves[0]?.from;
  const context = partsOf(root, moves, captures, isRoot);
  return {
    at: current ?? placeOf(root),
    start: !hasHistory || context.isCut || state === undefined ? undefined : { state },
    hasUnreadableStart: !hasHistory,
    moves,
    end: { state: current, artifacts: asMapping(root.get("artifacts")), mayHaveWritten: true },
    laterStarts: [],
    afterEnd: undefined,
    hasUnreadable: !hasHistory || items.some(({ kind }) => kind !== "mapping"),
    isCutOff: false,
    context,
  };
}

function partsOf(
  root: MappingNode,
  moves: readonly RecordedMove[],
  captures: readonly Capture[] | undefined,
  isRoot: (state: string) => boolean,
): ContextParts {
  const counts = root.entry("visit_counts");
  const entries = asMapping(counts?.value)?.entries;
  const counted = entries?.reduce((sum, { value }) => sum + (countOf(value)?.value ?? 0), 0);
  const first = moves[0]?.from?.text;
  const mayHaveMore = counted === undefined || counted > moves.length + 1;
  const history = root.entry("history");
  return {
    historyAt: history?.key ?? placeOf(root),
    mayHaveMore,
    isCut: moves.length === longestHistory && (mayHaveMore || (first !== undefined && !isRoot(first))),
    captures,
    visitCounts: counts === undefined || entries === undefined ? undefined : { at: counts.key, entries },
    toolCalls: countOf(root.get("total_tool_calls")),
    startedAt: Text.of(root.get("started_at")),
    updatedAt: Text.of(root.get("updated_at")),
  };
}

function moveOf(node: MappingNode, capture: MappingNode | undefined): RecordedMove {
  const to = Text.of(node.get("to"));
  const artifacts = asMapping(capture?.get("values"));
  return {
    node,
    from: Text.of(node.get("from")),
    event: Text.of(node.get("event")),
    to,
    forcedAt: to ?? placeOf(node),
    artifacts,
    losesArtifacts: capture !== undefined && artifacts === undefined,
    time: Text.of(node.get("timestamp")),
  };
}

function capturesOf(root: MappingNode): readonly Capture[] | undefined {
  const node = root.get("artifact_history");
  if (node?.kind !== "sequence") return undefined;
  const captures = node.items.flatMap((item) => asMapping(item) ?? []);
  // What is no object breaks the order in which captures and transitions belong together.
  if (captures.length < node.items.length) return undefined;
  return captures.map((capture) => ({
    node: capture,
    from: Text.of(capture.get("from_state")),
    event: Text.of(capture.get("event")),
    to: Text.of(capture.get("to_state")),
    time: Text.of(capture.get("timestamp")),
  }));
}
