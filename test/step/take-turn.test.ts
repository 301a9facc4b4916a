import { describe, expect, it } from "vitest";
import { buildMachine } from "../../src/machine/machine.js";
import type { StepRun } from "../../src/step/step-run.js";
import {
  inputKey,
  takeTurn,
  type TurnAction,
  type TurnContext,
  type TurnInput,
} from "../../src/step/take-turn.js";
import { workflowOf } from "../simulate/open-text.js";

const { workflow } = workflowOf(`
prompts: { p: {} }
workflow:
  entry: a
  states:
    a: { prompt_task: p, on_event: { Next: b, Once: once, Ring: one, Away: nowhere } }
    b: { prompt_task: p, on_event: { Next: a } }
    once: { prompt_task: p, max_visits: 1, on_event: { Next: a } }
    one: { prompt_task: p, max_visits: 1, on_max_visits: two, on_event: { Next: a } }
    two: { prompt_task: p, max_visits: 1, on_max_visits: one, on_event: { Next: a } }
    end: { prompt_task: p, terminal: true }
`);
const setting: TurnContext = {
  machine: buildMachine(workflow),
  workflow,
  root: 0,
  budget: undefined,
  now: "2026-01-01T00:00:00Z",
};
const visit_counts = { a: 1, once: 1, one: 1, two: 1 };
const idle: StepRun = {
  runId: "R1",
  status: "running",
  goal: "go",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  state: "a",
  visit_counts,
  artifacts: {},
  step: 1,
  max_steps: 9,
  attempt: 0,
  reframes: 0,
  max_reframes: 2,
  completed_steps: [1],
  pending_step: null,
  pending_tool: null,
  pending_since: null,
  tool_calls: 0,
  artifact_paths: [],
  workspace_ref: undefined,
  reason: undefined,
  turns: [],
  decisions_taken: undefined,
  outbox: [],
};
const waiting: StepRun = { ...idle, step: 2, attempt: 1, pending_step: 2, pending_tool: "fetch" };
const event = (name: string, step = 2): TurnInput => ({ kind: "event", event: name, step, artifacts: [] });
const result = (status: "ok" | "error", step = 2, tool = "fetch"): TurnInput & { kind: "result" } => ({
  kind: "result",
  status,
  step,
  tool,
});
const again = (step: number | undefined, tool = "fetch"): TurnAction => ({ kind: "request", tool, step });

/** What is said of a turn, after the types of its events and the reason to escalate. */
function told(
  run: StepRun | undefined,
  input: TurnInput,
  action?: TurnAction,
  changed: Partial<TurnContext> = {},
): string {
  const outcome = takeTurn(run, { input, action }, { ...setting, ...changed });
  if (outcome.kind !== "taken") return `${outcome.kind}: ${outcome.why}`;
  const events = outcome.run.outbox.map(({ type, payload }) =>
    [type, ...(typeof payload["reason"] === "string" ? [`(${payload["reason"]})`] : [])].join(" "),
  );
  return [...events, outcome.note ?? "no note"].join(", ");
}

const fired = "agentic.tool_request.workflow__transition, agentic.tool_result";

it("a start enters the first state", () => {
  const input: TurnInput = { kind: "start", runId: "R1", goal: "go", maxSteps: 9 };
  const outcome = takeTurn(undefined, { input, action: undefined }, setting);
  expect(outcome.kind === "taken" && outcome.run.visit_counts).toEqual({ a: 1 });
  expect(told(undefined, input, undefined, { root: 9 })).toBe(
    "refused: The workflow has no state to start in.",
  );
});

describe("an event", () => {
  it.each<[string, StepRun | undefined, TurnInput, string]>([
    ["leads on", idle, event("Next"), `${fired}, no note`],
    [
      "before the start",
      undefined,
      event("Next"),
      'ignored: The run has not started, so this turn is ignored: start it with "--start".',
    ],
    [
      "into a spent state",
      idle,
      event("Once"),
      'agent.escalated (budget-exhausted), "Once" enters no state: max_visits are used up. The run escalates.',
    ],
    [
      "into what is not a state",
      idle,
      event("Away"),
      'refused: "Away" leads to "nowhere", which is not a state.',
    ],
    [
      "into a ring of spent states",
      idle,
      event("Ring"),
      'agent.escalated (stuck), "Ring" enters no state: max_visits are used up. The run escalates.',
    ],
    [
      "too early",
      idle,
      event("Next", 3),
      "agent.escalated (step_mismatch), Step 3 is ahead of step 2. The run escalates.",
    ],
    ["too late", idle, event("Next", 1), "ignored: Step 1 is over; step 2 is next."],
    ["too late for a tool", waiting, event("Next", 1), "ignored: Step 1 is over; the run is at step 2."],
    ["while a tool is at work", waiting, event("Next"), 'refused: Step 2 still waits for "fetch".'],
    [
      "beyond the last step",
      { ...idle, max_steps: 2 },
      event("Next"),
      "agent.escalated (max_steps), Step 2 reaches max_steps (2). The run escalates.",
    ],
    [
      "that is not the state's",
      { ...idle, state: "b" },
      event("Once"),
      'refused: State "b" has no event "Once", only "Next".',
    ],
    [
      "after the end",
      { ...idle, state: "end" },
      event("Next"),
      'refused: The workflow has ended in state "end": no event leads on from there.',
    ],
  ])("%s", (_, run, input, expected) => {
    expect(told(run, input)).toBe(expected);
  });

  it("ends the run once the budget is used up", () => {
    expect(told(idle, event("Next"), undefined, { budget: { maxTotalVisits: { value: 5 } } })).toBe(
      `${fired}, no note`,
    );
    expect(told(idle, event("Next"), undefined, { budget: { maxTotalVisits: { value: 4 } } })).toBe(
      "agent.escalated (budget-exhausted), The budget of 4 visits is used up. The run escalates.",
    );
  });

  it("is reported as a step that is asked for and answered", () => {
    const outcome = takeTurn(idle, { input: event("Next"), action: undefined }, setting);
    const common = { run_id: "R1", step: 2, tool: "workflow__transition" };
    expect(outcome.kind === "taken" && outcome.run.outbox).toStrictEqual([
      {
        type: "agentic.tool_request.workflow__transition",
        payload: {
          ...common,
          tool_command: "handle",
          tool_payload: { event: "Next" },
          attempt: 1,
          requested_at: setting.now,
        },
        dedupe_key: "agentic:run:R1:step:2:request",
      },
      {
        type: "agentic.tool_result",
        payload: {
          ...common,
          status: "ok",
          result: { from: "a", to: "b" },
          error: null,
          completed_at: setting.now,
        },
        dedupe_key: "agentic:run:R1:step:2:result",
      },
    ]);
  });

  it("tells the spent states on its way", () => {
    const run = { ...idle, visit_counts: { a: 1, once: 1, one: 1 } };
    const outcome = takeTurn(run, { input: event("Ring"), action: undefined }, setting);
    expect(outcome).toMatchObject({
      run: { state: "two", outbox: [{}, { payload: { result: { from: "a", to: "two", forced: ["one"] } } }] },
    });
  });

  it("is counted as a step and a visit", () => {
    const outcome = takeTurn({ ...idle, state: "b" }, { input: event("Next"), action: undefined }, setting);
    expect(outcome).toMatchObject({ run: { state: "a", step: 2, completed_steps: [1, 2] } });
    expect(outcome.kind === "taken" && outcome.run.visit_counts).toEqual({ ...visit_counts, a: 2 });
  });
});

describe("a result", () => {
  it.each<[string, TurnInput, TurnAction | undefined, string]>([
    ["that is fine", result("ok"), undefined, "agentic.tool_result, no note"],
    [
      "with which the run is done",
      result("ok"),
      { kind: "done" },
      'agentic.tool_result, agent.completed, The run is done in state "a", where the workflow does not end.',
    ],
    [
      "that is an error",
      result("error"),
      undefined,
      "agentic.tool_result, agent.escalated (tool_error), Step 2 failed and was not retried. The run escalates.",
    ],
    [
      "that is an error, tried again",
      result("error"),
      again(undefined),
      "agentic.tool_result, agentic.tool_request.fetch, no note",
    ],
    [
      "that is an error, tried as another step",
      result("error"),
      again(3),
      "refused: Step 2 failed: only the same step with the same tool can be retried.",
    ],
    [
      "that is an error, tried with another tool",
      result("error"),
      again(2, "fabric"),
      "refused: Step 2 failed: only the same step with the same tool can be retried.",
    ],
    [
      "of another tool",
      result("ok", 2, "fabric"),
      undefined,
      'agentic.tool_result, agent.escalated (pending_tool_mismatch), Step 2 waits for "fetch", not for "fabric". The run escalates.',
    ],
    [
      "of a step to come",
      result("ok", 3),
      undefined,
      "agent.escalated (step_mismatch), No result is expected for step 3. The run escalates.",
    ],
    [
      "of an attempt to come",
      { ...result("ok"), attempt: 2 },
      undefined,
      "refused: This is the result of attempt 2, but attempt 1 is pending.",
    ],
    [
      "of another tool, and an attempt to come",
      { ...result("ok", 2, "fabric"), attempt: 2 },
      undefined,
      'agentic.tool_result, agent.escalated (pending_tool_mismatch), Step 2 waits for "fetch", not for "fabric". The run escalates.',
    ],
    ["of a step that is over", result("ok", 1), undefined, "ignored: Step 1 is over; the run is at step 2."],
  ])("%s", (_, input, act, expected) => {
    expect(told(waiting, input, act)).toBe(expected);
  });

  it("that ends the run where the workflow does", () => {
    const done = { input: result("ok"), action: { kind: "done" } } as const;
    const outcome = takeTurn({ ...waiting, state: "end" }, done, setting);
    expect(outcome).toMatchObject({ kind: "taken", run: { status: "done" } });
    expect(outcome).not.toHaveProperty("note");
    expect(outcome.kind === "taken" && outcome.run.outbox).toStrictEqual([
      {
        type: "agentic.tool_result",
        payload: {
          run_id: "R1",
          step: 2,
          tool: "fetch",
          status: "ok",
          error: null,
          completed_at: setting.now,
        },
        dedupe_key: "agentic:run:R1:step:2:result",
      },
      {
        type: "agent.completed",
        payload: { run_id: "R1", goal: "go", outcome: 'Done in state "end".', steps_taken: 2, artifacts: [] },
        dedupe_key: "agentic:run:R1:completed",
      },
    ]);
  });

  it("that comes again may be another try, if its step is not over", () => {
    const said = told({ ...waiting, turns: [inputKey(result("error"))] }, result("error"));
    expect(said).toBe("ignored: This turn was already taken.");
    expect(told({ ...waiting, turns: [inputKey(event("Next"))] }, event("Next"))).toBe(
      "ignored: This turn was already taken.",
    );
  });

  it("of a step that no tool was asked for", () => {
    expect(told(idle, result("ok"))).toBe(
      "agent.escalated (step_mismatch), No result is expected for step 2. The run escalates.",
    );
  });
});

describe("a budget of time", () => {
  const sixty = { budget: { maxWallTimeSec: { value: 60 } } };
  const intime = { ...sixty, now: "2026-01-01T00:01:00Z" };
  const late = { ...sixty, now: "2026-01-01T00:01:00.5Z" };
  const spent =
    "agent.escalated (budget-exhausted), The budget of 60 seconds is used up: the run started 60 seconds ago. The run escalates.";
  const over: StepRun = { ...waiting, state: "end" };

  it.each<[string, StepRun, TurnInput, TurnAction | undefined, string]>([
    ["an event", idle, event("Next"), undefined, spent],
    ["a result", waiting, result("ok"), undefined, `agentic.tool_result, ${spent}`],
    ["a result that is the end", waiting, result("ok"), { kind: "done" }, `agentic.tool_result, ${spent}`],
    ["another attempt", waiting, result("error"), again(2), `agentic.tool_result, ${spent}`],
    ["a request where the workflow has ended", over, result("ok"), again(3), `agentic.tool_result, ${spent}`],
    ["a stale result", waiting, result("ok", 1), undefined, "ignored: Step 1 is over; the run is at step 2."],
    [
      "the end of a run whose workflow has ended",
      over,
      result("ok"),
      { kind: "done" },
      "agentic.tool_result, agent.completed, no note",
    ],
    [
      "the end alone",
      { ...idle, state: "end" },
      { kind: "done", step: 1 },
      undefined,
      "agent.completed, no note",
    ],
  ])("that is used up: %s", (_, run, input, action, expected) => {
    expect(told(run, input, action, late)).toBe(expected);
  });

  it("that is just enough", () => {
    expect(told(idle, event("Next"), undefined, intime)).toBe(`${fired}, no note`);
  });
});

describe("a budget of tool calls", () => {
  const called = (tool_calls: number): StepRun => ({ ...idle, tool_calls });

  it.each([
    [1, `${fired}, agentic.tool_request.fetch, no note`],
    [
      2,
      `${fired}, agent.escalated (budget-exhausted), The budget of 2 tool calls is used up. The run escalates.`,
    ],
  ])("after %i of 2", (calls, expected) => {
    expect(told(called(calls), event("Next"), again(3), { budget: { maxToolCalls: { value: 2 } } })).toBe(
      expected,
    );
  });

  it("counts no event", () => {
    expect(told(called(2), event("Next"), undefined, { budget: { maxToolCalls: { value: 2 } } })).toBe(
      `${fired}, no note`,
    );
  });
});
