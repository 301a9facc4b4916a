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
import { completedType, escalatedType, requestedPlugin, resultType } from "../routes/routes.js";
import { parseTimestamp } from "../text/parse-scalar.js";

/** The five events of RFC-103; `trigger` is a start that comes from the trigger endpoint. */
type EventKind = "start" | "trigger" | "request" | "result" | "completed" | "escalated";

const kindsByType = new Map<string, EventKind>([
  ["agentic.start", "start"],
  ["api.trigger", "trigger"],
  [resultType, "result"],
  [completedType, "completed"],
  [escalatedType, "escalated"],
]);

/** The types of events, except for requests, whose types end with a plugin. */
export const eventTypes: readonly string[] = [...kindsByType.keys()];

/** An unknown type in the namespaces of the loop is a mistake, not the event of another component. */
const loopNamespace = /^agent(?:ic)?\./u;

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

/** The event that a plugin emits in the narrative of RFC-103, from which the loop resumes without a result. */
const pluginResultType = "content_ready";

/** One line of a log. What is missing or ill-formed is absent: the schema reports it. */
export class LogEvent {
  readonly type: LocatedString | undefined;
  readonly plugin: string | undefined;
  readonly kind: EventKind | undefined;
  readonly payload: MappingNode | undefined;
  readonly runId: LocatedString | undefined;
  readonly step: LocatedCount | undefined;
  readonly tool: LocatedString | undefined;

  constructor(
    readonly index: number,
    readonly node: MappingNode,
    readonly source: string,
  ) {
    this.type = LocatedString.of(node.get("type"));
    this.plugin = requestedPlugin(this.type?.text ?? "");
    this.kind = this.plugin === undefined ? kindsByType.get(this.type?.text ?? "") : "request";
    this.payload = asMapping(node.get("payload"));
    this.runId = nonEmptyText(this.correlation("run_id"));
    this.step = LocatedCount.of(this.correlation("step"));
    this.tool = nonEmptyText(this.correlation("tool"));
  }

  get at(): Place {
    return this.type ?? placeOf(this.node);
  }

  get dedupeKey(): LocatedString | undefined {
    return LocatedString.of(this.node.get("dedupe_key"));
  }

  /** A foreign event that replaces a result has no status unless it failed. */
  get isOk(): boolean {
    return stringOf(this.field("status")) !== "error";
  }

  get maxSteps(): LocatedCount | undefined {
    return LocatedCount.of(asMapping(this.field("context"))?.get("max_steps"));
  }

  get resultEntries(): readonly Entry[] {
    return (this.payload?.entries ?? []).filter(({ key }) => !correlationKeys.has(key.text));
  }

  /** In `result`, or at the top level where the payload is flattened. */
  get artifactPath(): LocatedString | undefined {
    const flattened = this.kind === "result" ? this.field("artifact_path") : undefined;
    return LocatedString.of(asMapping(this.field("result"))?.get("artifact_path") ?? flattened);
  }

  get artifacts(): readonly LocatedString[] {
    return locatedStringsOf(this.field("artifacts"));
  }

  field(name: string): Node | undefined {
    return this.payload?.get(name);
  }

  /** The dispatcher passes it to the event of a plugin in `context`. */
  private correlation(name: string): Node | undefined {
    const contexts = this.isForeign ? [this.field("context"), this.node.get("context")] : [];
    return [this.payload, ...contexts.map(asMapping)].find((node) => node?.get(name))?.get(name);
  }

  /** Whether it is the event of a plugin that has nothing to say which step it answers. */
  get isUncorrelatedResult(): boolean {
    const { type, runId, step, tool } = this;
    return type?.text === pluginResultType && (runId ?? step ?? tool) === undefined;
  }

  /** The same event as the result of a request. */
  answering({ runId, step, tool }: CorrelatedEvent): CorrelatedEvent {
    return Object.assign(new LogEvent(this.index, this.node, this.source), { runId, step, tool });
  }

  text(name: "goal" | "outcome" | "requested_at" | "completed_at"): LocatedString | undefined {
    return LocatedString.of(this.field(name));
  }

  /** In seconds. */
  get time(): number | undefined {
    const written = this.text("completed_at") ?? this.text("requested_at");
    return written && parseTimestamp(written.text);
  }

  /** Whether it belongs to another component, which may emit it in place of a result. */
  get isForeign(): boolean {
    return this.kind === undefined && this.type !== undefined && !loopNamespace.test(this.type.text);
  }
}

type Correlation = "runId" | "step" | "tool";
type Readable<Field extends Correlation> = LogEvent & { readonly [F in Field]: NonNullable<LogEvent[F]> };

export type CorrelatedEvent = Readable<Correlation>;
export type StartEvent = LogEvent & ({ readonly kind: "start" } | { readonly kind: "trigger" });
export type RequestEvent = CorrelatedEvent & { readonly kind: "request" };
export type ResultEvent = CorrelatedEvent & { readonly kind: "result" };
export type EndEvent = Readable<"runId"> & ({ readonly kind: "completed" } | { readonly kind: "escalated" });

type ReadableEvent = StartEvent | RequestEvent | ResultEvent | EndEvent;

export function isReadable(event: LogEvent): event is ReadableEvent {
  const { kind } = event;
  if (kind === undefined) return false;
  if (kind === "start" || kind === "trigger") return true;
  if (kind === "completed" || kind === "escalated") return event.runId !== undefined;
  return isCorrelated(event) && (kind === "request" || hasStatus(event));
}

export function isCorrelated(event: LogEvent): event is CorrelatedEvent {
  const { runId, step, tool } = event;
  return runId !== undefined && step !== undefined && tool !== undefined;
}

/** Whether it reports how a tool ended: other foreign events may only report progress. */
export function hasOutcome(event: LogEvent): boolean {
  if (event.field("status") !== undefined) return hasStatus(event);
  if (event.type?.text === pluginResultType) return true;
  return ["result", "artifact_path", "error"].some((name) => event.field(name) !== undefined);
}

function hasStatus(result: LogEvent): boolean {
  return ["ok", "error"].includes(stringOf(result.field("status")) ?? "");
}

function nonEmptyText(node: Node | undefined): LocatedString | undefined {
  const name = LocatedString.of(node);
  return name?.text === "" ? undefined : name;
}

/** Whether the loop may resume from the event of a plugin in place of a result. */
export function mayBeResult(event: LogEvent): boolean {
  if (!event.isForeign) return false;
  return event.type?.text === pluginResultType || (isCorrelated(event) && hasOutcome(event));
}

export function stringsIn(result: LogEvent): readonly string[] {
  const strings: string[] = [];
  const waiting: Node[] = result.resultEntries.map(({ value }) => value);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "scalar" && typeof node.value === "string") strings.push(node.value);
    for (const child of childrenOf(node)) waiting.push(child);
  }
  return strings;
}
