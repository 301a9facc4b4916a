import type { LogEvent } from "../agentic/log-event.js";
import type { LoggedRun } from "../agentic/logged-run.js";
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
  type Node,
  placeOf,
  SequenceNode,
  stringOf,
} from "../document/node.js";
import type { Machine } from "../machine/machine.js";
import { runStatusOf } from "../machine/run.js";
import type { Pack } from "../pack/pack.js";
import type { State, Workflow } from "../pack/workflow.js";
import { transitionTool } from "../routes/routes.js";

export interface RecordedRun {
  readonly kind: "transitions" | "context";
  /** The records as a list of objects, or the context as one object. */
  readonly document: Document;
  readonly pack: Pack;
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly checksBudget: boolean;
}

/** A record of one run, read as far as it is well-formed: `run-record` reports the rest. */
export type Recording = ReturnType<typeof readTransitionRecords> & { readonly measured?: Measured };
export type RecordedStart = NonNullable<ReturnType<typeof readStart>>;
export type RecordedMove = ReturnType<typeof readMove>;
export type RecordedEnd = ReturnType<typeof readEnd>;
export type ContextFields = ReturnType<typeof readContextFields>;

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
export function readTransitionRecords({ root, faults }: Pick<Document, "root" | "faults">) {
  const lines = itemsOf(root).flatMap((node) => asMapping(node) ?? []);
  const endIndex = lines.findIndex((node) => recordKind(node) === "end");
  const [end, next] = endIndex === -1 ? [] : lines.slice(endIndex);
  const before = end === undefined ? lines : lines.slice(0, endIndex);
  const starts = before.filter((node) => recordKind(node) === "start");
  const others = before.filter((node) => recordKind(node) !== "start");
  const isTransition = (node: Node): boolean => recordKind(node) === "transition";
  const [first] = lines;
  const startLine = starts[0] === first ? first : undefined;
  const start = startLine && readStart(textAt(startLine, "state"), startLine);
  const hasUnreadableStart = startLine !== undefined && start === undefined;
  return {
    at: first === undefined ? { pointer: "", start: 0, end: 0 } : linePlace(first),
    start,
    hasUnreadableStart,
    moves: others.map((node) => readMove(node, isTransition(node) ? node : undefined)),
    end: end && readEnd(textAt(end, "state"), end.get("artifacts"), end),
    laterStarts: starts.filter((node) => node !== startLine).map(linePlace),
    afterEnd: next && linePlace(next),
    hasUnreadable: hasUnreadableStart || !others.every(isTransition),
    /** Whether a line cannot be parsed, so that the end may be missing. */
    isTruncated: faults.length > 0,
    context: undefined as ContextFields | undefined,
  };
}

function recordKind(node: Node): string | undefined {
  return stringOf(asMapping(node)?.get("record"));
}

/** Where findings about a whole line are shown. */
function linePlace(node: Node): Place {
  return placeOf(asMapping(node)?.get("record") ?? node);
}

function textAt(node: MappingNode | undefined, name: string): LocatedString | undefined {
  return LocatedString.of(node?.get(name));
}

/** A count that may be 0. */
export function readCount(node: Node | undefined): LocatedCount | undefined {
  return node?.kind === "scalar" && node.value === 0 ? new LocatedCount(0, node) : LocatedCount.of(node);
}

/** The start of a run; a context has only its state. */
function readStart(state: LocatedString | undefined, node?: MappingNode) {
  if (state === undefined) return undefined;
  const pack = asMapping(node?.get("pack"));
  return {
    state,
    agent: textAt(node, "agent"),
    packId: textAt(pack, "id"),
    packVersion: textAt(pack, "version"),
    maxTotalVisits: LocatedCount.of(asMapping(node?.get("budget"))?.get("maxTotalVisits")),
  };
}

/** A transition; `record` is undefined if it cannot be read. */
function readMove(node: Node, record: MappingNode | undefined) {
  const to = textAt(record, "to");
  const ending = textAt(record, "end");
  const artifacts = asMapping(record?.get("artifacts"));
  return {
    node,
    /** Where a context keeps the artifacts. */
    capture: undefined as Capture | undefined,
    from: textAt(record, "from"),
    event: textAt(record, "event"),
    to,
    /** The word for an event that the runtime refused, so that the run stayed where it was. */
    refusal: to === undefined && ending?.text === "refused" ? ending : undefined,
    /** Undefined where a context does not record them, or they cannot be read. */
    forced: readForcedStates(record),
    forcedAt: record?.entry("forced")?.key ?? to ?? linePlace(node),
    step: LocatedCount.of(record?.get("step")),
    visit: LocatedCount.of(record?.get("visit")),
    total: LocatedCount.of(record?.get("total")),
    artifacts,
    /** Whether artifact values should be recorded here and are not. */
    lacksArtifacts: artifacts === undefined,
    time: textAt(record, "timestamp"),
  };
}

/** Undefined where the list cannot be read. */
function readForcedStates(node: MappingNode | undefined): readonly LocatedString[] | undefined {
  const forced = node?.get("forced");
  if (forced === undefined) return [];
  const states = locatedStringsOf(forced);
  return states.length === Math.max(itemsOf(forced).length, 1) ? states : undefined;
}

/** The quantities that a budget limits. */
interface Measured {
  readonly toolCalls: LocatedCount | undefined;
  readonly startedAt: LocatedString | undefined;
  readonly times: readonly (LocatedString | undefined)[];
}

/** The event of the workflow that a request sends. */
export function eventSentBy(request: LogEvent): LocatedString | undefined {
  return textAt(asMapping(request.field("tool_payload")) ?? request.payload, "event");
}

/** Reads what a log of RFC-103 events shows of the workflow. A run starts in `root`, unless a transition says where. */
export function readLoggedRun({ first, steps, end }: LoggedRun, root: State | undefined): Recording {
  const moves: RecordedMove[] = [];
  let last = 0;
  for (const { step, requests, results } of steps) {
    const [request, result] = [requests.at(-1), results.at(-1)];
    const isEvent = request?.tool.text === transitionTool;
    // Any transitions may be missing.
    if (step > last + 1 || (isEvent && result === undefined)) moves.push(readMove(first.node, undefined));
    last = step;
    if (!isEvent || result?.isOk !== true) continue;
    const record = asMapping(result.field("result")) ?? result.payload;
    const event = eventSentBy(request);
    const counts = { step: undefined, visit: undefined, total: undefined };
    moves.push({
      ...readMove(result.node, record),
      event,
      ...counts,
      artifacts: undefined,
      lacksArtifacts: true,
    });
  }
  const isWhole = (steps[0]?.step ?? 1) === 1;
  const entry = root && first.type && new LocatedString(root.name.text, first.type.node);
  const start = isWhole ? readStart(moves[0]?.from ?? entry) : undefined;
  const requests = steps.flatMap((step) => step.requests);
  const calls = requests.filter(({ tool }) => tool.text !== transitionTool);
  const lastCall = calls.at(-1)?.type;
  const times = requests.map((request) => request.text("requested_at"));
  const isUnknownStart = start === undefined;
  return {
    ...readTransitionRecords({ root: undefined, faults: [] }),
    at: first.at,
    start,
    hasUnreadableStart: isUnknownStart,
    hasUnreadable: isUnknownStart,
    moves,
    end: end && readEnd(undefined, end.field("output")),
    // agentic-run-open reports a run without an end.
    isTruncated: end === undefined,
    measured: {
      toolCalls: lastCall && new LocatedCount(calls.length, lastCall.node),
      startedAt: times[0],
      times,
    },
  };
}

/** The run when the record was closed; a context has only its state and artifacts. */
function readEnd(state: LocatedString | undefined, artifacts: Node | undefined, node?: MappingNode) {
  const status = textAt(node, "status");
  const limit = stringOf(node?.get("limit"));
  return {
    state,
    /** The schema reports an unknown status. */
    status: status && runStatusOf(status.text) && status,
    event: textAt(node, "event"),
    target: textAt(node, "target"),
    forced: readForcedStates(node),
    limit,
    /** Whether it says that the budget, not a guard, ended the run. */
    isByBudget: status?.text === "exhausted" || (limit !== undefined && limit !== "max_visits"),
    steps: readCount(node?.get("steps")),
    total: readCount(node?.get("total")),
    artifacts: asMapping(artifacts),
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
  const moves = items.map((item, index) =>
    readHistoryEntry(item, captures?.[captures.length - items.length + index]),
  );
  const current = textAt(root, "current_state");
  const first = moves.length === 0 ? current : moves[0]?.from;
  const context = readContextFields(root, moves, captures, isRoot);
  return {
    at: current ?? placeOf(root),
    start: readStart(hasHistory && !context.isHistoryTruncated ? first : undefined),
    hasUnreadableStart: !hasHistory,
    moves,
    end: readEnd(current, root.get("artifacts")),
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
  captures: ReturnType<typeof readCaptures>,
  isRoot: (state: string) => boolean,
) {
  const counts = root.entry("visit_counts");
  const entries = asMapping(counts?.value)?.entries;
  const counted = entries?.reduce((sum, { value }) => sum + (readCount(value)?.value ?? 0), 0);
  const first = moves[0]?.from?.text;
  const mayHaveMoreVisits = counted === undefined || counted > moves.length + 1;
  return {
    historyAt: root.entry("history")?.key ?? placeOf(root),
    /** Whether there were more visits than the history shows, or none are counted. */
    mayHaveMoreVisits,
    isHistoryTruncated:
      moves.length === maxHistoryLength && (mayHaveMoreVisits || (first !== undefined && !isRoot(first))),
    captures,
    visitCounts: counts === undefined || entries === undefined ? undefined : { at: counts.key, entries },
    toolCalls: readCount(root.get("total_tool_calls")),
    startedAt: textAt(root, "started_at"),
    updatedAt: textAt(root, "updated_at"),
  };
}

/** A context records neither counts nor forced exits, and artifacts apart from its history. */
function readHistoryEntry(item: Node, capture: Capture | undefined): RecordedMove {
  const node = asMapping(item);
  const artifacts = asMapping(capture?.node.get("values"));
  return {
    ...readMove(item, node),
    capture,
    forced: undefined,
    step: undefined,
    visit: undefined,
    total: undefined,
    artifacts: node && artifacts,
    lacksArtifacts: node === undefined || (capture !== undefined && artifacts === undefined),
  };
}

/** The artifact values that a workflow context keeps, each for one transition. */
function readCaptures(root: MappingNode) {
  const node = root.get("artifact_history");
  if (node?.kind !== "sequence") return undefined;
  const captures = node.items.flatMap((item) => asMapping(item) ?? []);
  // Captures match transitions by position, so a single unreadable one breaks the order.
  if (captures.length < node.items.length) return undefined;
  return captures.map(readCapture);
}

type Capture = ReturnType<typeof readCapture>;

function readCapture(node: MappingNode) {
  const event = textAt(node, "event");
  return {
    node,
    at: event ?? placeOf(node),
    from: textAt(node, "from_state"),
    event,
    to: textAt(node, "to_state"),
    time: textAt(node, "timestamp"),
  };
}
