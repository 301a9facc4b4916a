import { requestPrefix } from "../routes/routes.js";
import type { LoopEvent, StepRun } from "./step-run.js";

export function startEvent({ runId, goal, maxSteps }: StepRun): LoopEvent {
  return {
    type: "agentic.start",
    payload: { goal, context: { max_steps: maxSteps }, run_id: runId },
    dedupe_key: `agentic:start:${runId}`,
  };
}

interface ToolRequest {
  readonly step: number;
  readonly tool: string;
  readonly attempt: number;
  readonly payload?: Readonly<Record<string, unknown>>;
}

export function requestEvent({ runId }: StepRun, asked: ToolRequest, now: string): LoopEvent {
  const { step, tool, attempt, payload } = asked;
  return {
    type: `${requestPrefix}${tool}`,
    payload: {
      run_id: runId,
      step,
      tool,
      tool_command: "handle",
      ...(payload !== undefined && { tool_payload: payload }),
      attempt,
      requested_at: now,
    },
    dedupe_key: `agentic:run:${runId}:step:${step}:request`,
  };
}

interface ToolResult {
  readonly step: number;
  readonly tool: string;
  readonly status: "ok" | "error";
  readonly result?: Readonly<Record<string, unknown>>;
}

export function resultEvent({ runId }: StepRun, answered: ToolResult, now: string): LoopEvent {
  const { step, tool, status, result } = answered;
  return {
    type: "agentic.tool_result",
    payload: {
      run_id: runId,
      step,
      tool,
      status,
      ...(result !== undefined && { result }),
      completed_at: now,
    },
    dedupe_key: `agentic:run:${runId}:step:${step}:result`,
  };
}

export function completedEvent({ runId, goal, state, step }: StepRun): LoopEvent {
  return {
    type: "agent.completed",
    payload: { run_id: runId, goal, outcome: `Done in state "${state}".`, steps_taken: step, artifacts: [] },
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
