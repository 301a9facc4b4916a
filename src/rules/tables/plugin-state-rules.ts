import type { AgenticLog } from "../../agentic/agentic-log.js";
import type { LogEvent } from "../../agentic/log-event.js";
import {
  latest,
  numberField,
  pendingFields,
  type PluginState,
  type StateRun,
} from "../../agentic/loop-files.js";
import type { LoggedRun } from "../../agentic/logged-run.js";
import type { Finding } from "../../diagnostic.js";
import { asMapping, LocatedString, type Node, numberOf, placeOf } from "../../document/node.js";
import type { Replay } from "../../replay/replay.js";
import type { ReplayedLog } from "../../replay/replay-run.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { agenticStateSchema } from "../../schema/other-schemas.js";
import { parseTimestamp } from "../../text/parse-scalar.js";
import { listNames, pluralize } from "../../text/wording.js";
import { rulesOf } from "../rule.js";

export const pluginStateRules = rulesOf("agentic-state", {
  "agentic-state-shape": {
    summary: "The state of the plugin has the shape that RFC-103 requires.",
    severity: "error",
    source: "RFC-103, agent plugin state schema",
    *check({ state: { document } }) {
      if (document.root === undefined) return;
      yield* otherSchemaFindings(document.root, agenticStateSchema(), document.text);
    },
  },
  "agentic-state-pending": {
    summary: "The pending fields of a run are set together, and cleared when it ends.",
    severity: "warning",
    source: "RFC-103, state rules",
    *check({ state }) {
      for (const run of state.runs) {
        const [step, tool, since] = pendingFields(run);
        const at = step ?? tool ?? since;
        if (at === undefined) continue;
        const id = run.name.text;
        const status = run.status?.text;
        const missing = [...(step ? [] : ["pending_step"]), ...(tool ? [] : ["pending_tool"])];
        if (status === "done" || status === "escalated")
          yield {
            at,
            message: `Run "${id}" has ended (${status}) but still has pending fields: clear them.`,
          };
        else if (missing.length > 0) {
          const message = `Run "${id}" is pending, but lacks ${listNames(missing)}: set the pending fields together.`;
          yield { at, message };
        }
      }
    },
  },
  "agentic-state-limits": {
    summary: "No run is past its `max_steps` or its `max_reframes`.",
    severity: "error",
    source: "RFC-103, agent plugin state schema",
    *check({ state }) {
      for (const run of state.runs)
        for (const [name, limit] of limitedFields) {
          const [value, maximum] = [numberField(run.node, name), numberField(run.node, limit)];
          // The reframe that exceeds the limit makes the run escalate.
          if (name === "reframes" && run.status?.text === "escalated") continue;
          if (value === undefined || maximum === undefined || value.value <= maximum.value) continue;
          const message = `In run "${run.name.text}", "${name}" is ${value.value}, but "${limit}" is ${maximum.value}.`;
          yield { at: value.at, message, related: [{ at: maximum.at, message: "the limit" }] };
        }
    },
  },
  "agentic-state-log": {
    summary: "The state of the plugin agrees with the log.",
    severity: "error",
    source: "RFC-103, state rules",
    check: ({ state, log, replays }) => (log === undefined ? [] : stateLogFindings(state, log, replays)),
  },
});

const limitedFields = [
  ["step", "max_steps"],
  ["reframes", "max_reframes"],
] as const;

/**
 * Compares the state of the plugin with a log. How far a run got is not compared if its state is older than its last event,
 * and only the first difference is reported, since the others follow from it.
 */
function* stateLogFindings(state: PluginState, log: AgenticLog, replays?: ReplayedLog): Iterable<Finding> {
  const { runs, runsKey, updatedAt } = state;
  if (runsKey === undefined || !log.isClear) return;
  const times = timesIn(log);
  const end = latest([...times.values()]);
  const endOf = (id: string) => (times.has(id) ? times.get(id) : end);
  const logged = new Map(log.runs.map((run) => [run.id, run]));
  for (const run of runs) {
    const id = run.name.text;
    const same = logged.get(id);
    const isOld = isBefore(run.updatedAt, endOf(id));
    if (same !== undefined && !same.sharesId) yield* originFindings(run, same, log);
    if (same === undefined) {
      if (!isOld && !times.has(id) && mayBeLogged(run))
        yield { at: run.name, message: `The log has no run "${id}".` };
    } else if (isOld) {
      if (!same.sharesId) yield* staleTimeFindings(run, same, log);
    } else {
      const found = [...runFindings(run, same, log)];
      const replay = replays?.get(same);
      yield* found.length > 0 || replay === undefined ? found : workflowFindings(run, replay);
    }
  }
  for (const run of logged.values()) {
    if (state.hasRun(run.id) || isBefore(updatedAt, endOf(run.id))) continue;
    const line = lineOf(log, run.steps[0]?.requests[0] ?? run.last);
    const message = `The state has no run "${run.id}", which begins in line ${line} of the log.`;
    yield { at: runsKey, message };
  }
  yield* lastRunFindings(state, log, times);
}

/** Compares what a run keeps from its start, however old the state is. */
function* originFindings({ name, node }: StateRun, logged: LoggedRun, log: AgenticLog): Iterable<Finding> {
  const { starts = [] } = logged;
  const [start] = starts;
  const goal = LocatedString.of(node.get("goal"));
  const goals = starts.flatMap((each) => each.text("goal") ?? []);
  if (goal !== undefined && goals.length > 0 && goals.every(({ text }) => text.trim() !== goal.text.trim())) {
    const message = `The goal of run "${name.text}" is not the one it was started with${inLog(log, start)}.`;
    yield { at: goal, message };
  }
  const maxSteps = numberField(node, "max_steps");
  const configured = log.surroundings.routes?.maxSteps;
  const allowed = starts.map((each) => each.maxSteps?.value ?? configured);
  // A loop may hold its runs to the limit of its configuration.
  if (maxSteps !== undefined && start !== undefined && !allowed.includes(undefined)) {
    const message = `In run "${name.text}", "max_steps" is ${maxSteps.value}, but it was started with ${allowed[0]}${inLog(log, start)}.`;
    if (![...allowed, configured].includes(maxSteps.value)) yield { at: maxSteps.at, message };
  }
  const created = LocatedString.of(node.get("created_at"));
  const first = logged.steps[0]?.requests[0];
  if (created !== undefined && isBefore(first?.time, wholeSeconds(parseTimestamp(created.text)))) {
    const message = `The state says that run "${name.text}" was created at ${created.text}, but by the log it requested a tool before${inLog(log, first)}.`;
    yield { at: created, message };
  }
}

/** A state that knows of a step was saved after it: it is not older than the log, but its `updated_at` is wrong. */
function* staleTimeFindings(run: StateRun, { steps }: LoggedRun, log: AgenticLog): Iterable<Finding> {
  const { node, name, status, updatedAt } = run;
  const updated = LocatedString.of(node.get("updated_at"));
  const step = numberField(node, "step")?.value ?? 0;
  const completed = completedSteps(run);
  const known = steps.filter(
    (each) => each.step < step || completed?.has(each.step) || status?.text === "done",
  );
  const later = known
    .flatMap(({ requests, results }) => [...requests, ...results])
    .find(({ time }) => isBefore(updatedAt, wholeSeconds(time)));
  if (updated === undefined || later === undefined) return;
  const message = `The state says that run "${name.text}" was last updated at ${updated.text}, but it knows of step ${later.step.value}, which the log has later${inLog(log, later)}.`;
  yield { at: updated, message };
}

/** The other time may have been written without fractions. */
function wholeSeconds(time: number | undefined): number | undefined {
  return time && Math.floor(time);
}

/** Undefined if the state does not list them: RFC-103 only advises it to. */
function completedSteps({ node }: StateRun): ReadonlyMap<number, Node> | undefined {
  const list = node.get("completed_steps");
  if (list?.kind !== "sequence") return undefined;
  return new Map(list.items.flatMap((item) => [[numberOf(item) ?? NaN, item] as const]));
}

/** Before its first request, a run leaves no events with its id. */
function mayBeLogged(run: StateRun): boolean {
  return run.status?.text !== "running" || numberField(run.node, "step")?.value !== 0;
}

function* runFindings(run: StateRun, logged: LoggedRun, log: AgenticLog): Iterable<Finding> {
  const { status } = run;
  // agentic-not-escalated reports a run that should have escalated.
  if (status === undefined || !statuses.has(status.text) || logged.sharesId || logged.mismatch !== undefined)
    return;
  const { end, lastStep, lastRequest } = logged;
  const says = `The state says that run "${run.name.text}"`;
  const actual = end === undefined ? "running" : end.kind === "completed" ? "done" : "escalated";
  if (status.text !== actual) {
    const fact = end === undefined ? "it is still running" : `it is ${actual}${inLog(log, end)}`;
    yield { at: status, message: `${says} is ${status.text}, but by the log ${fact}.` };
    return;
  }
  const step = numberField(run.node, "step");
  const last = lastStep?.step ?? 0;
  if (step !== undefined && isCount(step.value) && step.value !== last) {
    const fact = `it is at step ${last}${inLog(log, lastRequest)}`;
    yield { at: step.at, message: `${says} is at step ${step.value}, but by the log ${fact}.` };
    return;
  }
  const pending = end === undefined ? [...pendingFindings(run, logged, log)] : [];
  yield* pending;
  if (pending.length === 0) yield* progressFindings(run, logged, log);
}

const statuses: ReadonlySet<string> = new Set(["running", "done", "escalated"]);

/** Compares what a running run waits for. The loop may have accepted a foreign event as the result, or not yet. */
function* pendingFindings(run: StateRun, logged: LoggedRun, log: AgenticLog): Iterable<Finding> {
  const { pending, substitute, last } = logged;
  const [step, tool, since] = pendingFields(run);
  // agentic-state-pending reports fields that are not set together.
  const isHalfSet =
    (step === undefined) !== (tool === undefined) || (step === undefined && since !== undefined);
  if (isHalfSet || substitute !== undefined) return;
  // agentic-state-shape reports other values.
  if (step !== undefined && !(isCount(step.value) && typeof tool?.value === "string")) return;
  const stated = step === undefined ? "nothing" : `step ${step.value} of "${tool?.value}"`;
  const actual = pending === undefined ? "nothing" : `step ${pending.step.value} of "${pending.tool.text}"`;
  if (stated === actual) return;
  const isSameStep = pending !== undefined && step?.value === pending.step.value;
  const message = `The state says that run "${run.name.text}" waits for ${stated}, but by the log it waits for ${actual}${inLog(log, pending ?? last)}.`;
  yield { at: (isSameStep ? tool : step) ?? run.node.get("pending_step") ?? run.name, message };
}

/** Compares where the run is in its workflow, and how often it entered each state. */
function* workflowFindings(run: StateRun, replay: Replay): Iterable<Finding> {
  const { position, hasReliableCounts } = replay;
  if (position === undefined || !hasReliableCounts) return;
  const says = `The state says that run "${run.name.text}"`;
  const state = LocatedString.of(run.node.get("state"));
  if (state !== undefined && state.text !== position.name && state.text !== position.expected) {
    const message = `${says} is in state "${state.text}" of the workflow, but by the log it is in "${position.name}".`;
    yield { at: state, message };
  }
  // The log itself leads elsewhere than the workflow, which run-wrong-state reports.
  if (position.expected !== undefined || state?.text !== position.name) return;
  for (const { key, value } of asMapping(run.node.get("visit_counts"))?.entries ?? []) {
    const visits = replay.run.visits(replay.stateNamed(key.text)?.index ?? -1);
    if (value.kind !== "scalar" || !isCount(value.value) || value.value === visits) continue;
    const message = `${says} entered "${key.text}" ${pluralize(Number(value.value), "time")}, but by the log it did so ${pluralize(visits, "time")}.`;
    yield { at: placeOf(value), message };
    return;
  }
}

/** The last run is the one that began last, or the one that was last heard of. */
function* lastRunFindings(state: PluginState, log: AgenticLog, times: RunTimes): Iterable<Finding> {
  const { lastRunId: at, updatedAt } = state;
  if (at === undefined || at.text === "" || isBefore(updatedAt, latest([...times.values()]))) return;
  const says = `"last_run_id" is "${at.text}", but`;
  if (!state.hasRun(at.text)) {
    if (!times.has(at.text)) yield { at, message: `${says} neither the state nor the log has such a run.` };
    return;
  }
  const began = log.runs.at(-1);
  if (began === undefined || !log.runs.some(({ id }) => id === at.text)) return;
  const heardOf = log.runs.reduce((a, b) => (a.last.index > b.last.index ? a : b));
  if (at.text === began.id || at.text === heardOf.id) return;
  yield { at, message: `${says} the last run in the log is "${began.id}"${inLog(log, began.last)}.` };
}

/** A step that failed, that only a foreign event answered, or that the log lacks, may be listed as completed or not. */
function* progressFindings(run: StateRun, logged: LoggedRun, log: AgenticLog): Iterable<Finding> {
  const { node, name } = run;
  const { steps, pending, substitute, lastStep } = logged;
  const list = node.get("completed_steps");
  const completed = completedSteps(run);
  const missing = steps.find(({ step, requests: [request] }) => {
    const isDone = request !== undefined && logged.hasSucceeded(request);
    return isDone && completed?.has(step) === false;
  });
  if (list !== undefined && missing !== undefined) {
    const message = `The state does not list step ${missing.step} of run "${name.text}" as completed, but by the log it is${inLog(log, missing.results.at(-1))}.`;
    yield { at: list, message };
  }
  for (const [step, at] of completed ?? []) {
    const isOpen = step === pending?.step.value && substitute === undefined;
    const isBeyond = step > (lastStep?.step ?? 0);
    const fact = isBeyond ? "was never requested" : `has no result${inLog(log, pending)}`;
    const message = `The state lists step ${step} of run "${name.text}" as completed, but by the log it ${fact}.`;
    if (isOpen || isBeyond) yield { at, message };
  }
  const attempt = numberField(node, "attempt");
  const requests = lastStep?.requests ?? [];
  const stated = numberOf(requests.at(-1)?.field("attempt"));
  const count = stated ?? requests.length;
  // RFC-103 says neither whether the first attempt is 0 or 1, nor what is left once there is a result.
  const isWaiting = pending !== undefined && substitute === undefined;
  const whileWaiting = stated === undefined ? [count - 1, count] : [stated];
  const allowed = isWaiting ? whileWaiting : [0, 1, count - 1, count];
  if (attempt === undefined || lastStep === undefined || allowed.includes(attempt.value)) return;
  const message = `The state says that step ${lastStep.step} of run "${name.text}" is at attempt ${attempt.value}, but by the log it is at attempt ${count}${inLog(log, requests.at(-1))}.`;
  yield { at: attempt.at, message };
}

type RunTimes = ReadonlyMap<string, number | undefined>;

/** The latest time of each run in a log, in seconds. */
function timesIn({ events }: AgenticLog): RunTimes {
  const times = new Map<string, number | undefined>();
  for (const event of events) {
    const id = event.runId?.text ?? "";
    times.set(id, latest([times.get(id), event.time]));
  }
  return times;
}

/** agentic-state-shape reports other values. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isBefore(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a < b;
}

/** Findings are shown in the state, so messages add the line of the log. */
function inLog(log: AgenticLog, event: LogEvent | undefined): string {
  return event === undefined ? "" : ` (line ${lineOf(log, event)} of the log)`;
}

function lineOf({ document }: AgenticLog, { node }: LogEvent): number {
  return document.lines.position(node.start).line;
}
