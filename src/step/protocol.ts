import { LogEvent } from "../agentic/log-event.js";
import { normalizeArtifactPath } from "../agentic/loop-files.js";
import { withAdvice } from "../diagnostic.js";
import { asMapping, type Node, toValue } from "../document/node.js";
import { type OtherSchema, otherSchemaFindings } from "../schema/check-schema.js";
import { eventSchema, stepRequestSchema } from "../schema/other-schemas.js";
import {
  loopPlugin,
  requestedPlugin,
  requestPrefix,
  reservedKeys,
  resultType,
  transitionTool,
} from "../routes/routes.js";
import { BadInput } from "../text/wording.js";
import { type JsonObject, type LoopEvent, pendingOf, readRun, type StepRun } from "./step-run.js";
import { takeTurn, type Turn, type TurnAction, type TurnContext, type TurnInput } from "./take-turn.js";

/** A request of RFC-103's protocol v2, as its schema has it. */
export interface StepRequest {
  readonly config?: LoopConfig | null;
  readonly state?: { readonly runs?: JsonObject | null } | null;
  readonly event: {
    readonly type: string;
    readonly payload: JsonObject & { readonly decision?: Decision | readonly Decision[] };
    readonly dedupe_key?: string | null;
    readonly event_id?: unknown;
  };
  readonly context?: JsonObject | null;
  readonly workspace_dir?: string | null;
}

/** Dispatchers may send null or an empty text for what is absent. */
interface LoopConfig {
  readonly pack?: string;
  readonly max_steps?: number;
  readonly max_reframes?: number;
  readonly max_retries?: number;
  readonly allowed_plugins?: readonly string[];
  readonly decisions?: readonly Decision[];
}

/** A model's answer in a turn. */
interface Decision {
  readonly event?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly request?: string;
  readonly plugin?: string | undefined;
  readonly tool_payload?: JsonObject | undefined;
  readonly done?: boolean;
  readonly outcome?: string;
  readonly reframe?: boolean;
}

export interface StepResponse {
  readonly status: "ok" | "error";
  readonly error: string | null;
  readonly events: readonly LoopEvent[];
  readonly state_updates: JsonObject;
  readonly logs: readonly { readonly level: "info" | "warn"; readonly message: string }[];
}

/** What a start may leave open. */
export interface StartDefaults {
  readonly goal: string;
  readonly maxSteps: number;
  /** The same for a start that is delivered again. */
  readonly runId: (seed: string) => string;
}

const nothingDone: StepResponse = { status: "ok", error: null, events: [], state_updates: {}, logs: [] };

export function errorResponse(error: string): StepResponse {
  return { ...nothingDone, status: "error", error };
}

/** Throws if it is not a request. */
export function readRequest(root: Node | undefined, source: string): StepRequest {
  const check = (node: Node | undefined, schema: OtherSchema | undefined) =>
    node && schema ? [...otherSchemaFindings(node, schema, source)] : [];
  const own = check(root, stepRequestSchema());
  const event = eventIn(root);
  const findings = own.length > 0 ? own : check(event?.node, event?.kind && eventSchema(event.kind));
  const faults = findings.slice(0, 3).map((finding) => withAdvice(finding).message);
  if (root === undefined) throw new BadInput("The request is not a JSON object.");
  if (faults.length > 0) throw new BadInput(faults.join(" "));
  return toValue(root) as StepRequest;
}

function eventIn(root: Node | undefined): LogEvent | undefined {
  const node = asMapping(asMapping(root)?.get("event"));
  return node && new LogEvent(0, node, "");
}

/** What comes in, before anything is decided. */
interface Inbound extends Turn {
  readonly runId: string;
  readonly input: TurnInput & { readonly kind: "start" | "result" };
}

function readStart({ event, config }: StepRequest, defaults: StartDefaults): Inbound {
  const { payload, dedupe_key: key, event_id: id } = event;
  const own = objectIn(payload["context"]);
  const seed = textIn(key) ?? textIn(id) ?? JSON.stringify(payload);
  const runId = textIn(payload["run_id"]) ?? defaults.runId(seed);
  const goal = textIn(payload["goal"]) ?? defaults.goal;
  const maxSteps = countIn(own?.["max_steps"]) ?? config?.max_steps ?? defaults.maxSteps;
  const maxReframes = countIn(own?.["max_reframes"]) ?? config?.max_reframes;
  return { runId, input: { kind: "start", runId, goal, maxSteps, maxReframes }, action: undefined };
}

/** Undefined for an event that is about no step, or that the loop has emitted itself. */
function readResult({ event, context }: StepRequest, logged: LogEvent | undefined): Inbound | undefined {
  const { payload } = event;
  const isResult = logged?.kind === "result";
  if (!isResult && logged?.isForeign !== true) return undefined;
  // A pipeline may resume the loop with an event of its plugin: then the dispatcher keeps what it answers.
  const correlation = isResult ? payload : { ...payload, ...context };
  const [runId, tool] = [textIn(correlation["run_id"]), textIn(correlation["tool"])];
  const step = countIn(correlation["step"]);
  if (runId === undefined || step === undefined || tool === undefined) return undefined;
  const { status, attempt, completed_at: at, error, artifact_path: path } = payload;
  const flattened = path === undefined ? undefined : { artifact_path: path };
  const result = isResult ? (objectIn(payload["result"]) ?? flattened) : payload;
  const artifact = result?.["artifact_path"];
  if (artifact !== undefined && normalizeArtifactPath(textIn(artifact) ?? "") === undefined)
    throw new BadInput('The artifact path must be a relative path inside "artifacts/".');
  const input = { kind: "result", status: status === "error" ? "error" : "ok", step, tool } as const;
  return {
    runId,
    input: { ...input, attempt: countIn(attempt), at: textIn(at) },
    action: undefined,
    answer: { result, error: textIn(error) },
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function countIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

function objectIn(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export interface Answered {
  readonly response: StepResponse;
  /** With all events of the turn in its outbox, also those that stay in the loop; undefined if nothing was done. */
  readonly run?: StepRun;
}

/** Answers a request in one turn. The response depends on nothing else but the time, so it may be asked for again. */
export function answerRequest(
  root: Node | undefined,
  request: StepRequest,
  context: TurnContext,
  defaults: StartDefaults,
): Answered {
  const { config, state, event } = request;
  const logged = eventIn(root);
  const isStart = logged?.kind === "start" || logged?.kind === "trigger";
  const inbound = isStart ? readStart(request, defaults) : readResult(request, logged);
  if (inbound === undefined)
    return ignored("warn", `The event "${event.type}" is no start and no result, so it is ignored.`);
  const { runId } = inbound;
  const before = findRun(root, runId, context);
  if (before === undefined && !isStart)
    return ignored("warn", `The state has no run "${runId}", so this result is ignored.`);
  const { script, isFromConfig } = decisionsFor(inbound, request, before);
  const { turns, used } = planTurns(inbound, script, config?.allowed_plugins);
  const taken = takeTurns(before, turns, context);
  if ("why" in taken) return ignored("info", taken.why);
  const { run, trace, note } = taken;
  const events = trace.filter(({ type }) => !internalTypes.has(type));
  const decisions_taken = (run.decisions_taken ?? 0) + (isFromConfig ? used : 0);
  const { runId: _, ...stored } = { ...run, decisions_taken, outbox: events };
  const response: StepResponse = {
    ...nothingDone,
    events,
    state_updates: { runs: { ...state?.runs, [runId]: stored }, last_run_id: runId },
    logs: note === undefined ? [] : [{ level: run.status === "escalated" ? "warn" : "info", message: note }],
  };
  return { response, run: { ...run, outbox: trace } };
}

/** Events that come in, and those of workflow events, which the loop answers itself: the dispatcher would route them back. */
const internalTypes: ReadonlySet<string> = new Set([
  "agentic.start",
  resultType,
  requestPrefix + transitionTool,
]);

function ignored(level: "info" | "warn", message: string): Answered {
  return { response: { ...nothingDone, logs: [{ level, message }] } };
}

function takeTurns(before: StepRun | undefined, planned: readonly Turn[], context: TurnContext) {
  const turns = [...planned];
  const trace: LoopEvent[] = [];
  let run = before;
  let note: string | undefined;
  for (const turn of turns) {
    const outcome = takeTurn(run, turn, context);
    if (outcome.kind === "ignored") return outcome;
    if (outcome.kind === "refused")
      throw new BadInput(turn.input.kind === "done" ? nothingDecided(turn.input.step + 1) : outcome.why);
    ({ run, note } = { note: undefined, ...outcome });
    trace.push(...run.outbox);
    if (run.status !== "running") break;
    // Nothing is decided, which is enough where the workflow has ended.
    if (turn === turns.at(-1) && pendingOf(run) === undefined)
      turns.push({ input: { kind: "done", step: run.step }, action: { kind: "done" } });
  }
  if (run === undefined) throw new Error("no turn was planned");
  return { run, trace, note };
}

function nothingDecided(step: number): string {
  return `Nothing is decided for step ${step}: give the decision of the model in the payload of the event, or in the "decisions" of the configuration.`;
}

function findRun(root: Node | undefined, runId: string, { workflow }: TurnContext): StepRun | undefined {
  const node = asMapping(asMapping(asMapping(root)?.get("state"))?.get("runs"))?.get(runId);
  const fail = (why: string): never => {
    throw new BadInput(`The state of run "${runId}" cannot be used: ${why}`);
  };
  const run = node && readRun(runId, node, fail);
  if (run !== undefined && workflow.stateNamed(run.state) === undefined)
    fail(`the workflow has no state "${run.state}".`);
  return run;
}

/** The event may bring them; otherwise a failed step is retried, and another takes the next of the configuration. */
function decisionsFor({ input }: Turn, { config, event }: StepRequest, run: StepRun | undefined) {
  const { decision } = event.payload;
  if (decision !== undefined) return { script: [decision].flat(), isFromConfig: false };
  if (input.kind !== "result" || input.status === "ok")
    return { script: config?.decisions?.slice(run?.decisions_taken ?? 0) ?? [], isFromConfig: true };
  const last = run?.outbox.find(({ type }) => requestedPlugin(type) !== undefined);
  const mayRetry = run !== undefined && run.attempt <= (config?.max_retries ?? 0);
  const again: Decision = {
    request: run?.pending_tool ?? input.tool,
    plugin: requestedPlugin(last?.type ?? ""),
    tool_payload: objectIn(last?.payload["tool_payload"]),
  };
  return { script: mayRetry ? [again] : [], isFromConfig: false };
}

/** Each workflow event is a turn of its own; what follows it belongs to that turn. */
function planTurns(inbound: Turn, script: readonly Decision[], allowed: LoopConfig["allowed_plugins"]) {
  const { input } = inbound;
  const turns: Turn[] = [];
  let last: Turn = inbound;
  let step = input.kind === "result" ? input.step : 0;
  let used = 0;
  for (const decision of script) {
    used++;
    if (decision.event !== undefined) {
      turns.push(last);
      const artifacts = Object.entries(decision.set ?? {});
      last = { input: { kind: "event", event: decision.event, step: ++step, artifacts }, action: undefined };
    }
    const action = actionOf(decision, allowed);
    last = { ...last, action, reframes: decision.reframe };
    if (action !== undefined) break;
  }
  return { turns: [...turns, last], used };
}

function actionOf(decision: Decision, allowed: readonly string[] = ["*"]): TurnAction | undefined {
  const {
    event,
    set = {},
    request: tool,
    plugin = tool,
    tool_payload: toolPayload,
    done,
    outcome,
  } = decision;
  const fail = (why: string): never => {
    throw new BadInput(`A decision ${why}`);
  };
  if (decision.set !== undefined && event === undefined && done !== true)
    fail('needs an "event" or "done": true for its "set".');
  if ((decision.plugin ?? toolPayload) !== undefined && tool === undefined)
    fail('has a "plugin" or a "tool_payload", but no "request".');
  if (done === true && tool !== undefined) fail('cannot have both "request" and "done".');
  if (done === true) {
    const artifacts =
      event === undefined ? Object.entries(set).map(([name, value]) => ({ name, value })) : [];
    return { kind: "done", artifacts, outcome };
  }
  if (tool === undefined || plugin === undefined) {
    if (event === undefined) fail('needs an "event", a "request" or "done": true.');
    return undefined;
  }
  if (plugin === loopPlugin) fail(`cannot request "${loopPlugin}": no run may trigger the loop itself.`);
  if (!allowed.includes(plugin) && !allowed.includes("*"))
    fail(`cannot request "${plugin}", which is not in "allowed_plugins".`);
  const reserved = reservedKeys.find((key) => Object.hasOwn(toolPayload ?? {}, key));
  if (reserved !== undefined)
    fail(`cannot have "${reserved}" in "tool_payload": the key is reserved for the run.`);
  return { kind: "request", tool, plugin, toolPayload };
}
