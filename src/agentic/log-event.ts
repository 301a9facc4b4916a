import type { Place } from "../diagnostic.js";
import {
  asMapping,
  childrenOf,
  type Entry,
  LocatedCount,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  placeOf,
  stringOf,
} from "../document/node.js";
import { isBareRequestType, requestedPlugin, requestPrefix, resultType } from "../routes/routes.js";
import { nearestName } from "../text/names.js";

/** The five events of RFC-103. `trigger` is a start as the trigger endpoint spells it. */
type EventKind = "start" | "trigger" | "request" | "result" | "completed" | "escalated";

const kindsByType = new Map<string, EventKind>([
  ["agentic.start", "start"],
  ["api.trigger", "trigger"],
  [resultType, "result"],
  ["agent.completed", "completed"],
  ["agent.escalated", "escalated"],
]);

const requestType = requestPrefix.slice(0, -1);

/** The type of RFC-103 that a mistyped one most likely stands for. */
export function nearestEventType(type: string): string | undefined {
  const dot = type.lastIndexOf(".");
  const isRequest = dot > 0 && nearestName(type.slice(0, dot), [requestType]) !== undefined;
  return isRequest ? `${requestType}${type.slice(dot)}` : nearestName(type, kindsByType.keys());
}

const correlationKeys: ReadonlySet<string> = new Set([
  "run_id",
  "step",
  "tool",
  "tool_command",
  "status",
  "attempt",
  "requested_at",
  "completed_at",
]);

/** One line of a log, read where it is asked. What is missing or ill-formed is absent: the schema reports it. */
export class LogEvent {
  readonly type: LocatedString | undefined;
  /** The plugin that a request is for: the suffix of its type. */
  readonly plugin: string | undefined;
  readonly kind: EventKind | undefined;
  readonly payload: MappingNode | undefined;
  readonly runId: LocatedString | undefined;
  readonly step: LocatedCount | undefined;
  readonly tool: LocatedString | undefined;

  constructor(
    /** Counted from 0. */
    readonly index: number,
    readonly node: MappingNode,
    /** The line as it is written. */
    readonly source: string,
  ) {
    this.type = LocatedString.of(node.get("type"));
    this.plugin = requestedPlugin(this.type?.text ?? "");
    this.kind = this.plugin === undefined ? kindsByType.get(this.type?.text ?? "") : "request";
    this.payload = asMapping(node.get("payload"));
    this.runId = nonEmptyText(this.field("run_id"));
    this.step = LocatedCount.of(this.field("step"));
    this.tool = nonEmptyText(this.field("tool"));
  }

  /** Where the event as a whole is shown. */
  get at(): Place {
    return this.type ?? placeOf(this.node);
  }

  get dedupeKey(): LocatedString | undefined {
    return LocatedString.of(this.node.get("dedupe_key"));
  }

  /** What stands in for a result has no status, if all is well. */
  get isOk(): boolean {
    return stringOf(this.field("status")) !== "error";
  }

  get goal(): LocatedString | undefined {
    return LocatedString.of(this.field("goal"));
  }

  /** The step budget that a start sets. */
  get maxSteps(): LocatedCount | undefined {
    return LocatedCount.of(asMapping(this.field("context"))?.get("max_steps"));
  }

  /** What a tool gave: all of an answer's payload but what tells whose it is, and when it came. */
  get resultEntries(): readonly Entry[] {
    return (this.payload?.entries ?? []).filter(({ key }) => !correlationKeys.has(key.text));
  }

  /** In the result, or beside its labels where the payload is flattened. */
  get artifactPath(): LocatedString | undefined {
    const flattened = this.kind === "result" ? this.field("artifact_path") : undefined;
    return LocatedString.of(asMapping(this.field("result"))?.get("artifact_path") ?? flattened);
  }

  /** What a completion lists. */
  get artifacts(): readonly LocatedString[] {
    return locatedStringsOf(this.field("artifacts"));
  }

  get outcome(): LocatedString | undefined {
    return LocatedString.of(this.field("outcome"));
  }

  field(name: string): Node | undefined {
    return this.payload?.get(name);
  }

  time(name: "requested_at" | "completed_at"): LocatedString | undefined {
    return LocatedString.of(this.field(name));
  }

  /** Whether it is an event of something else: a run of the loop goes on by it only where it stands in for a result. */
  get isForeign(): boolean {
    if (this.kind !== undefined || this.type === undefined) return false;
    const { text } = this.type;
    return !isBareRequestType(text) && nearestEventType(text) === undefined;
  }
}

interface EventOfKind<K extends EventKind> extends LogEvent {
  readonly kind: K;
}
interface EventOfRun<K extends EventKind> extends EventOfKind<K> {
  readonly runId: LocatedString;
}
/** It carries what RFC-103 correlates a result with its request by. */
export interface CorrelatedEvent extends LogEvent {
  readonly runId: LocatedString;
  readonly step: LocatedCount;
  readonly tool: LocatedString;
}
type EventOfStep<K extends EventKind> = EventOfKind<K> & CorrelatedEvent;

export type StartEvent = EventOfKind<"start"> | EventOfKind<"trigger">;
export type RequestEvent = EventOfStep<"request">;
export type ResultEvent = EventOfStep<"result">;
export type EndEvent = EventOfRun<"completed"> | EventOfRun<"escalated">;

/** An event of which everything that correlates it with a run could be read. */
type ReadableEvent = StartEvent | RequestEvent | ResultEvent | EndEvent;

export function isReadable(event: LogEvent): event is ReadableEvent {
  switch (event.kind) {
    case undefined:
      return false;
    case "start":
    case "trigger":
      return true;
    case "request":
      return isCorrelated(event);
    case "result":
      return isCorrelated(event) && hasStatus(event);
    case "completed":
    case "escalated":
      return event.runId !== undefined;
  }
}

export function isCorrelated(event: LogEvent): event is CorrelatedEvent {
  const { runId, step, tool } = event;
  return runId !== undefined && step !== undefined && tool !== undefined;
}

/** Whether it says how a tool did, or what it gave: other events may only say that it is at work. */
export function hasOutcome(event: LogEvent): boolean {
  if (event.field("status") !== undefined) return hasStatus(event);
  return outcomeKeys.some((name) => event.field(name) !== undefined);
}

const outcomeKeys = ["result", "artifact_path", "error"];

function hasStatus(result: LogEvent): boolean {
  const status = stringOf(result.field("status"));
  return status === "ok" || status === "error";
}

/** An empty name is none. */
function nonEmptyText(node: Node | undefined): LocatedString | undefined {
  const name = LocatedString.of(node);
  return name?.text === "" ? undefined : name;
}

/** Every string in what a result carries, in no order. */
export function stringsIn(result: LogEvent): readonly string[] {
  const strings: string[] = [];
  const waiting: Node[] = result.resultEntries.map(({ value }) => value);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "scalar" && typeof node.value === "string") strings.push(node.value);
    for (const child of childrenOf(node)) waiting.push(child);
  }
  return strings;
}
