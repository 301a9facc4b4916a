import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { placeOf, type MappingNode } from "../document/node.js";
import { runStatuses } from "../machine/run.js";
import { asMapping, itemsOf, stringOf, Text, textsOf, Whole } from "../document/spelled-values.js";
import {
  countOf,
  type RecordedEnd,
  type RecordedMove,
  type RecordedStart,
  type Recording,
  unreadableMove,
} from "./recording.js";

/** The kind that a line says it is. */
function recordKind(node: MappingNode): string | undefined {
  return stringOf(node.get("record"));
}

/** Reads the records that `simulate --format jsonl` writes. */
export function readTransitions({ root, faults }: Document): Recording {
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
      afterEnd = { at: lineAt(node), isStart: kind === "start" };
      break;
    }
    if (kind === "transition") moves.push(moveOf(node));
    else if (kind === "end") end = endOf(node);
    else if (kind !== "start") {
      hasUnreadable = true;
      moves.push(unreadableMove(node));
    } else if (index === 0) start = startOf(node);
    else laterStarts.push(lineAt(node));
  }
  const [first] = lines;
  const at = first === undefined ? { pointer: "", start: 0, end: 0 } : lineAt(first);
  // A start whose state cannot be read is there all the same.
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
    isCutOff: faults.length > 0,
    context: undefined,
  };
}

/** Where a line as a whole is shown. */
function lineAt(node: MappingNode): Place {
  const record = node.get("record");
  return record === undefined ? placeOf(node) : placeOf(record);
}

function startOf(node: MappingNode): RecordedStart | undefined {
  const state = Text.of(node.get("state"));
  const pack = asMapping(node.get("pack"));
  if (state === undefined) return undefined;
  return {
    state,
    agent: Text.of(node.get("agent")),
    packId: Text.of(pack?.get("id")),
    packVersion: Text.of(pack?.get("version")),
    maxTotalVisits: Whole.of(asMapping(node.get("budget"))?.get("maxTotalVisits")),
  };
}

function moveOf(node: MappingNode): RecordedMove {
  const to = Text.of(node.get("to"));
  const artifacts = asMapping(node.get("artifacts"));
  return {
    node,
    from: Text.of(node.get("from")),
    event: Text.of(node.get("event")),
    to,
    forced: forcedIn(node),
    forcedAt: node.entry("forced")?.key ?? to ?? lineAt(node),
    step: Whole.of(node.get("step")),
    visit: Whole.of(node.get("visit")),
    total: Whole.of(node.get("total")),
    artifacts,
    losesArtifacts: artifacts === undefined,
  };
}

/** Where it cannot be read, the record does not tell. */
function forcedIn(node: MappingNode): readonly Text[] | undefined {
  const forced = node.get("forced");
  if (forced === undefined) return [];
  const states = textsOf(forced);
  return states.length === Math.max(itemsOf(forced).length, 1) ? states : undefined;
}

/** One that is none is the schema's to report. */
function statusOf(node: MappingNode): Text | undefined {
  const status = Text.of(node.get("status"));
  return runStatuses.some((known) => known === status?.text) ? status : undefined;
}

function endOf(node: MappingNode): RecordedEnd {
  const event = Text.of(node.get("event"));
  return {
    state: Text.of(node.get("state")),
    status: statusOf(node),
    event,
    target: Text.of(node.get("target")),
    forced: forcedIn(node),
    steps: countOf(node.get("steps")),
    total: countOf(node.get("total")),
    artifacts: asMapping(node.get("artifacts")),
    // The event that entered no state has left its own: what was written there counts.
    mayHaveWritten: event !== undefined,
  };
}
