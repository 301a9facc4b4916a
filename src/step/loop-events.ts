import { requestPrefix } from "../routes/routes.js";
import type { JsonObject, LoopEvent, PendingStep, StepRun } from "./step-run.js";
import type { ToolAnswer } from "./turn.js";

export function startEvent({ runId, goal, maxSteps }: StepRun): LoopEvent {
  return {
    type: "agentic.start",
    payload: { goal, context: { max_steps: maxSteps }, run_id: runId },
    dedupe_key: `agentic:start:${runId}`,
  };
}

export function requestEvent(
  { runId }: StepRun,
  { step, tool, attempt }: PendingStep & { readonly attempt: number },
  now: string,
  toolPayload?: JsonObject,
): LoopEvent {
  return {
    type: `${requestPrefix}${tool}`,
    payload: {
      run_id: runId,
      step,
      tool,
      tool_command: "handle",
      ...(toolPayload !== undefined && { tool_payload: toolPayload }),
      attempt,
      requested_at: now,
    },
    dedupe_key: `agentic:run:${runId}:step:${step}:request`,
  };
}

export function resultEvent(
  { runId }: StepRun,
  { step, tool, status }: PendingStep & { readonly status: "ok" | "error" },
  now: string,
  { result, error }: ToolAnswer = {},
): LoopEvent {
  return {
    type: "agentic.tool_result",
    payload: {
      run_id: runId,
      step,
      tool,
      status,
      ...(result !== undefined && { result }),
      ...(status === "ok" ? { error: null } : error !== undefined && { error }),
      completed_at: now,
    },
    dedupe_key: `agentic:run:${runId}:step:${step}:result`,
  };
}

/** RFC-103 lists the files in `artifacts/`; `output` are the final artifacts of the workflow (RFC 0009, completion). */
export function completedEvent(
  { runId, goal, state, step, artifactPaths, artifacts }: StepRun,
  outcome = `Done in state "${state}".`,
): LoopEvent {
  return {
    type: "agent.completed",
    payload: {
      run_id: runId,
      goal,
      outcome,
      steps_taken: step,
      artifacts: artifactPaths,
      ...(artifacts.size > 0 && { output: Object.fromEntries(artifacts) }),
    },
    dedupe_key: `agentic:run:${runId}:completed`,
  };
}

export function escalatedEvent({ runId, step }: StepRun, reason: string): LoopEvent {
  return {
    type: "agent.escalated",
    payload: { run_id: runId, reason, step },
    dedupe_key: `agentic:run:${runId}:escalated`,
  };
}
