/** A run between two turns: all that it remembers. */
export interface StepRun {
  readonly runId: string;
  readonly status: "running" | "done" | "escalated";
  readonly goal: string;
  /** The state of the workflow. */
  readonly state: string;
  readonly visitCounts: ReadonlyMap<string, number>;
  readonly artifacts: ReadonlyMap<string, string>;
  /** The last step that was begun; 0 before the first. */
  readonly step: number;
  readonly maxSteps: number;
  /** The try of the pending step, from 1; 0 while nothing is pending. */
  readonly attempt: number;
  readonly completedSteps: readonly number[];
  readonly pending: PendingStep | undefined;
  /** The inputs of the turns taken since a step was completed, so that none is taken twice. */
  readonly turns: readonly string[];
  /** Events that may not have been reported yet. They are, before anything else happens. */
  readonly outbox: readonly LoopEvent[];
}

export interface PendingStep {
  readonly step: number;
  readonly tool: string;
}

/** An event of RFC-103, as plain data. */
export interface LoopEvent {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly dedupe_key: string;
}

/** The run as its file holds it. */
export function serializeRun(run: StepRun): string {
  const plain = {
    run_id: run.runId,
    status: run.status,
    goal: run.goal,
    state: run.state,
    visit_counts: Object.fromEntries(run.visitCounts),
    artifacts: Object.fromEntries(run.artifacts),
    step: run.step,
    max_steps: run.maxSteps,
    attempt: run.attempt,
    completed_steps: run.completedSteps,
    pending_step: run.pending?.step ?? null,
    pending_tool: run.pending?.tool ?? null,
    turns: run.turns,
    outbox: run.outbox,
  };
  return `${JSON.stringify(plain, null, 2)}\n`;
}
