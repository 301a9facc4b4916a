import type { Place } from "../diagnostic.js";
import { placeOf, type Entry, type MappingNode, type Node } from "../document/node.js";
import { asMapping, stringOf, Text, textsOf, Whole } from "../document/spelled-values.js";
import { lacksPlugin, pluginOf, requestPrefix, resultType } from "../routes/routes.js";
import { nearestName } from "../words/nearest-name.js";

/** The five events of RFC-103. `trigger` is a start as the trigger endpoint spells it. */
export type EventKind = "start" | "trigger" | "request" | "result" | "completed" | "escalated";

const kinds = new Map<string, EventKind>([
  ["agentic.start", "start"],
  ["api.trigger", "trigger"],
  [resultType, "result"],
  ["agent.completed", "completed"],
  ["agent.escalated", "escalated"],
]);

const requests = requestPrefix.slice(0, -1);

/** The type of RFC-103 that a mistyped one most likely stands for. */
export function meantType(type: string): string | undefined {
  const dot = type.lastIndexOf(".");
  const isRequest = dot > 0 && nearestName(type.slice(0, dot), [requests]) !== undefined;
  return isRequest ? `${requests}${type.slice(dot)}` : nearestName(type, kinds.keys());
}

const labels: ReadonlySet<string> = new Set([
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
  readonly type: Text | undefined;
  /** The plugin that a request is for: the suffix of its type. */
  readonly plugin: string | undefined;
  readonly kind: EventKind | undefined;
  readonly payload: MappingNode | undefined;
  readonly runId: Text | undefined;
  readonly step: Whole | undefined;
  readonly tool: Text | undefined;

  constructor(
    /** Counted from 0. */
    readonly index: number,
    readonly node: MappingNode,
    /** The line as it is written. */
    readonly source: string,
  ) {
    this.type = Text.of(node.get("type"));
    this.plugin = pluginOf(this.type?.text ?? "");
    this.kind = this.plugin === undefined ? kinds.get(this.type?.text ?? "") : "request";
    this.payload = asMapping(node.get("payload"));
    this.runId = nameOf(this.field("run_id"));
    this.step = Whole.of(this.field("step"));
    this.tool = nameOf(this.field("tool"));
  }

  /** Where the event as a whole is shown. */
  get at(): Place {
    return this.type ?? placeOf(this.node);
  }

  get dedupeKey(): Text | undefined {
    return Text.of(this.node.get("dedupe_key"));
  }

  /** What stands in for a result has no status, if all is well. */
  get isOk(): boolean {
    return stringOf(this.field("status")) !== "error";
  }

  get goal(): Text | undefined {
    return Text.of(this.field("goal"));
  }

  /** The step budget that a start sets. */
  get maxSteps(): Whole | undefined {
    return Whole.of(asMapping(this.field("context"))?.get("max_steps"));
  }

  /** What a tool gave: all of an answer's payload but what tells whose it is, and when it came. */
  get given(): readonly Entry[] {
    return (this.payload?.entries ?? []).filter(({ key }) => !labels.has(key.text));
  }

  /** In the result, or beside its labels where the payload is flattened. */
  get artifactPath(): Text | undefined {
    const flattened = this.kind === "result" ? this.field("artifact_path") : undefined;
    return Text.of(asMapping(this.field("result"))?.get("artifact_path") ?? flattened);
  }

  /** What a completion lists. */
  get artifacts(): readonly Text[] {
    return textsOf(this.field("artifacts"));
  }

  get outcome(): Text | undefined {
    return Text.of(this.field("outcome"));
  }

  field(name: string): Node | undefined {
    return this.payload?.get(name);
  }

  time(name: "requested_at" | "completed_at"): Text | undefined {
    return Text.of(this.field(name));
  }

  /** Whether it is an event of something else: a run of the loop goes on by it only where it stands in for a result. */
  get isForeign(): boolean {
    if (this.kind !== undefined || this.type === undefined) return false;
    const { text } = this.type;
    return !lacksPlugin(text) && meantType(text) === undefined;
  }
}

interface OfKind<K extends EventKind> extends LogEvent {
  readonly kind: K;
}
interface OfRun<K extends EventKind> extends OfKind<K> {
  readonly runId: Text;
}
/** It carries what RFC-103 correlates a result with its request by. */
export interface Correlated extends LogEvent {
  readonly runId: Text;
  readonly step: Whole;
  readonly tool: Text;
}
type OfStep<K extends EventKind> = OfKind<K> & Correlated;

export type StartEvent = OfKind<"start"> | OfKind<"trigger">;
export type RequestEvent = OfStep<"request">;
export type ResultEvent = OfStep<"result">;
export type EndEvent = OfRun<"completed"> | OfRun<"escalated">;

/** An event of which everything that correlates it with a run could be read. */
export type ClearEvent = StartEvent | RequestEvent | ResultEvent | EndEvent;

export function isClear(event: LogEvent): event is ClearEvent {
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

export function isCorrelated(event: LogEvent): event is Correlated {
  const { runId, step, tool } = event;
  return runId !== undefined && step !== undefined && tool !== undefined;
}

/** Whether it says how a tool did, or what it gave: other events may only say that it is at work. */
export function tellsOutcome(event: LogEvent): boolean {
  if (event.field("status") !== undefined) return hasStatus(event);
  return outcomes.some((name) => event.field(name) !== undefined);
}

const outcomes = ["result", "artifact_path", "error"];

function hasStatus(result: LogEvent): boolean {
  const status = stringOf(result.field("status"));
  return status === "ok" || status === "error";
}

/** An empty name is none. */
function nameOf(node: Node | undefined): Text | undefined {
  const name = Text.of(node);
  return name?.text === "" ? undefined : name;
}
