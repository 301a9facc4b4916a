import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import { otherSchemaFindings } from "../../src/schema/check-schema.js";
import { definitionOf, Validator } from "../../src/schema/validator.js";
import { vocabulary } from "../../src/schema/describe-node.js";
import { protocolSchema } from "../../src/schema/generated/schemas.js";
import type { LoopEvent, StepRun } from "../../src/step/step-run.js";
import type { StepResponse } from "../../src/step/protocol.js";
import { folderOf, promptpack } from "../cli/harness.js";

type Json = Readonly<Record<string, unknown>>;
type Event = Pick<LoopEvent, "type" | "payload"> & { readonly dedupe_key?: string };

const pack = `
id: critique
name: Critique
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  critic:
    id: critic
    name: Critic
    version: 1.0.0
    system_template: Fetch the page, write a critique, then emit Written. {{artifacts.note}}
    tools: [fetch, fabric]
workflow:
  version: 2
  entry: write
  states:
    write: { prompt_task: critic, artifacts: { note: { type: text/plain } }, on_event: { Written: done } }
    done: { prompt_task: critic, terminal: true }
tools:
  fetch: { name: fetch, description: Fetches a page., parameters: { type: object } }
  fabric: { name: fabric, description: Runs a pattern., parameters: { type: object } }
  shell: { name: shell, description: Runs a command., parameters: { type: object } }
`;

const goal = "fetch web http://mattjoyce.ai and produce a 2 para critique";
const start: Event = {
  type: "agentic.start",
  payload: { goal, context: { tone: "constructive", max_steps: 6 }, run_id: "R1" },
  dedupe_key: "agentic:start:request-1",
};
const fetching = { request: "fetch", tool_payload: { url: "http://mattjoyce.ai" } };
const critique = { request: "fabric", tool_payload: { input: "artifacts/fetch-01.html" } };
const done = { done: true, outcome: "Two paragraph critique generated in artifacts/critique.md" };

const tools: Readonly<Record<string, Json>> = {
  fetch: { artifact_path: "artifacts/fetch-01.html", content_type: "text/html", excerpt: "..." },
  fabric: { artifact_path: "artifacts/critique.md" },
};

const second = (step: number) => `2026-02-16T12:00:${String(step).padStart(2, "0")}Z`;

function result(step: number, tool: string, more: Json = {}): Event {
  const payload: Json = { run_id: "R1", step, tool, status: "ok", result: tools[tool], error: null, ...more };
  return {
    type: "agentic.tool_result",
    payload: { ...payload, completed_at: payload["completed_at"] ?? second(step) },
    dedupe_key: `agentic:run:R1:step:${step}:result`,
  };
}

type Trouble = "none" | "killed" | "doubled";

/** A serial dispatcher with one loop, which is handed its state, and plugins that answer at once. */
class Dispatcher {
  readonly cwd = folderOf({ "critique.pack.yaml": pack });
  readonly emitted: Event[] = [];
  readonly logs: string[] = [];
  state: Json = {};
  jobs = 0;
  private readonly seen = new Set<string>();

  constructor(
    private readonly config: Json,
    private readonly troubleAt: (job: number) => Trouble = () => "none",
    private readonly answer: (request: Event) => Event = ({ payload }) =>
      result(Number(payload["step"]), String(payload["tool"])),
  ) {}

  /** The bare response to an event. */
  async ask(event: Event, more: Json = {}): Promise<StepResponse> {
    const request = {
      command: "handle",
      config: { pack: "critique.pack.yaml", ...this.config },
      state: this.state,
      event,
      context: {},
      workspace_dir: "work",
      ...more,
    };
    const { code, stdout, stderr } = await promptpack(["step", "--protocol"], {
      cwd: this.cwd,
      stdin: JSON.stringify(request),
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(faultsOf(stdout)).toEqual([]);
    return JSON.parse(stdout) as StepResponse;
  }

  /** One job of the loop: its response is applied as a whole. */
  async handle(event: Event, more?: Json): Promise<StepResponse> {
    const trouble = this.troubleAt(this.jobs++);
    if (trouble === "killed") await this.ask(event, more);
    const response = await this.ask(event, more);
    this.state = { ...this.state, ...response.state_updates };
    this.logs.push(...response.logs.map(({ level, message }) => `${level}: ${message}`));
    if (trouble === "doubled") {
      const again = await this.ask(event, more);
      expect(again).toMatchObject({ status: "ok", events: [], state_updates: {}, logs: [{ level: "info" }] });
    }
    return response;
  }

  /** Routes events until there are none: the types that the loop emits. */
  async run(first: Event = start): Promise<readonly string[]> {
    const queue = [first];
    for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
      const { events, error } = await this.handle(event);
      expect(error).toBeNull();
      for (const each of events) {
        const isNew = !this.seen.has(keyOf(each));
        this.seen.add(keyOf(each));
        this.emitted.push(each);
        if (isNew && each.type.startsWith("agentic.tool_request.")) queue.push(this.answer(each));
      }
    }
    return this.emitted.map(({ type }) => type);
  }

  get runs(): Readonly<Record<string, StepRun>> {
    return (this.state["runs"] ?? {}) as Readonly<Record<string, StepRun>>;
  }

  read(name: string): string {
    return readFileSync(join(this.cwd, "work", name), "utf8");
  }

  /** What `replay` says of the trace, with the state and the workspace. */
  async replay(): Promise<string> {
    writeFileSync(join(this.cwd, "state.json"), JSON.stringify(this.state));
    for (const name of ["fetch-01.html", "critique.md"])
      writeFileSync(join(this.cwd, "work/artifacts", name), "");
    const args = [
      "replay",
      "work/trace.jsonl",
      "--state",
      "state.json",
      "--workspace",
      "work",
      "-f",
      "compact",
    ];
    return (await promptpack(args, { cwd: this.cwd })).stdout;
  }
}

/** A retry has the key of the request that it repeats. */
const keyOf = ({ dedupe_key, payload }: Event) => `${dedupe_key} ${String(payload["attempt"])}`;

/** Without times. */
const timeless = (value: unknown) => JSON.stringify(value).replace(/\d{4}-\d\d-\d\dT[\d:.]*Z/g, "a time");

function faultsOf(response: string): readonly string[] {
  const schema = protocolSchema();
  const part = definitionOf({ $ref: "#/$defs/response" }, schema);
  const { root } = readDocument(response, "json");
  const words = vocabulary("response", {});
  const found =
    root && otherSchemaFindings(root, { validator: new Validator(schema), part, words }, response);
  return [...(found ?? [])].map(({ message }) => message);
}

describe("the worked example of RFC-103", () => {
  const config = { decisions: [fetching, critique, done], allowed_plugins: ["fetch", "fabric"] };
  const types = ["agentic.tool_request.fetch", "agentic.tool_request.fabric", "agent.completed"];

  it("runs through a serial dispatcher", async () => {
    const dispatcher = new Dispatcher(config);
    expect(await dispatcher.run()).toEqual(types);
    expect(dispatcher.emitted.map(({ dedupe_key }) => dedupe_key)).toEqual([
      "agentic:run:R1:step:1:request",
      "agentic:run:R1:step:2:request",
      "agentic:run:R1:completed",
    ]);
    const [request, , completion] = dispatcher.emitted;
    expect(request?.payload).toEqual({
      run_id: "R1",
      step: 1,
      tool: "fetch",
      tool_command: "handle",
      tool_payload: { url: "http://mattjoyce.ai" },
      attempt: 1,
      requested_at: expect.any(String),
    });
    expect(completion?.payload).toEqual({
      run_id: "R1",
      goal,
      outcome: "Two paragraph critique generated in artifacts/critique.md",
      steps_taken: 2,
      artifacts: ["artifacts/fetch-01.html", "artifacts/critique.md"],
    });
    expect(dispatcher.state).toMatchObject({
      runs: { R1: { status: "done", step: 2, max_steps: 6, completed_steps: [1, 2], workspace_ref: "work" } },
      last_run_id: "R1",
    });
    expect(await dispatcher.replay()).toBe("");
  });

  it("with a workflow event, which stays in the loop and its trace", async () => {
    const written = { event: "Written", set: { note: "two paragraphs" }, done: true };
    const dispatcher = new Dispatcher({ decisions: [fetching, critique, written] });
    expect(await dispatcher.run()).toEqual(types);
    expect(dispatcher.emitted.at(-1)?.payload).toMatchObject({
      steps_taken: 3,
      output: { note: "two paragraphs" },
    });
    expect(dispatcher.runs["R1"]).toMatchObject({ state: "done", completed_steps: [1, 2, 3] });
    expect(dispatcher.read("trace.jsonl")).toContain("agentic.tool_request.workflow__transition");
    expect(await dispatcher.replay()).toBe("");
  });

  it("comes out the same whichever jobs are killed or doubled", async () => {
    const decisions = [fetching, critique, { event: "Written" }, { done: true }];
    const calm = new Dispatcher({ decisions });
    await calm.run();
    expect(calm.jobs).toBe(3);
    for (const trouble of ["killed", "doubled"] as const)
      for (const at of [0, 1, 2, "all"]) {
        const dispatcher = new Dispatcher({ decisions }, (job) =>
          job === at || at === "all" ? trouble : "none",
        );
        await dispatcher.run();
        expect(timeless(dispatcher.state)).toBe(timeless(calm.state));
        expect(timeless(dispatcher.emitted)).toBe(timeless(calm.emitted));
        expect(timeless(dispatcher.read("trace.jsonl"))).toBe(timeless(calm.read("trace.jsonl")));
        expect(await dispatcher.replay()).toBe("");
      }
  });

  it("comes out the same whichever write of the workspace was the last before a kill", async () => {
    const order = ["artifacts", "context.md", "memory.md", "plan.md", "trace.jsonl"];
    const calm = new Dispatcher(config);
    await calm.handle(start);
    for (const [count] of [...order, "its events"].entries()) {
      const dispatcher = new Dispatcher(config);
      mkdirSync(join(dispatcher.cwd, "work"));
      for (const name of order.slice(0, count))
        cpSync(join(calm.cwd, "work", name), join(dispatcher.cwd, "work", name), { recursive: true });
      if (count === order.length) writeFileSync(join(dispatcher.cwd, "work/trace.jsonl"), "");
      await dispatcher.handle(start);
      expect(readdirSync(join(dispatcher.cwd, "work")).sort()).toEqual([...order].sort());
      expect(timeless(dispatcher.read("trace.jsonl"))).toBe(timeless(calm.read("trace.jsonl")));
      expect(timeless(dispatcher.state)).toBe(timeless(calm.state));
    }
  });

  it("takes the decisions of the model from the events, too", async () => {
    const given = new Map<string, Json>([
      ["fetch", critique],
      ["fabric", done],
    ]);
    const dispatcher = new Dispatcher(
      {},
      () => "doubled",
      ({ payload }) => {
        const tool = String(payload["tool"]);
        return result(Number(payload["step"]), tool, { decision: given.get(tool) });
      },
    );
    expect(await dispatcher.run({ ...start, payload: { ...start.payload, decision: [fetching] } })).toEqual(
      types,
    );
    expect(await dispatcher.replay()).toBe("");
  });

  it("has a tool under the name of another plugin", async () => {
    const dispatcher = new Dispatcher({
      decisions: [{ ...fetching, plugin: "jina-reader" }, done],
      allowed_plugins: ["jina-reader"],
    });
    expect(await dispatcher.run()).toEqual(["agentic.tool_request.jina-reader", "agent.completed"]);
    expect(dispatcher.emitted[0]?.payload).toMatchObject({ tool: "fetch", step: 1 });
  });

  it("resumes with the event of a plugin, which the context tells the step of", async () => {
    const dispatcher = new Dispatcher(config);
    await dispatcher.handle(start);
    const ready = { type: "content_ready", payload: { artifact_path: "artifacts/fetch-01.html" } };
    const context = { run_id: "R1", step: 1, tool: "fetch" };
    expect((await dispatcher.handle(ready, { context })).events).toMatchObject([{ payload: { step: 2 } }]);
    expect(dispatcher.runs["R1"]?.artifact_paths).toEqual(["artifacts/fetch-01.html"]);
    expect((await dispatcher.handle(ready, { context })).events).toEqual([]);
    expect((await dispatcher.handle(ready)).logs).toEqual([
      { level: "warn", message: 'The event "content_ready" is no start and no result, so it is ignored.' },
    ]);
    for (const type of ["agentic.tool_request.fabric", "agent.completed"]) {
      const event = { type, payload: { run_id: "R1", step: 2, tool: "fabric", goal } };
      expect(await dispatcher.handle(event)).toMatchObject({ events: [], state_updates: {} });
    }
  });
});

/** Each with a loop at step 2, and its decisions after that. */
const cases: Readonly<Record<string, (trouble: Trouble) => Promise<void>>> = {
  "Start event creates run and first tool request.": async (trouble) => {
    const dispatcher = new Dispatcher({ decisions: [fetching] }, () => trouble);
    const { events } = await dispatcher.handle(start);
    expect(events).toMatchObject([
      { type: "agentic.tool_request.fetch", payload: { run_id: "R1", step: 1 } },
    ]);
    expect(dispatcher.runs["R1"]).toMatchObject({
      status: "running",
      pending_step: 1,
      pending_tool: "fetch",
    });
  },
  "Matching tool result resumes and advances to next step.": async (trouble) => {
    const dispatcher = await atStep2(trouble);
    expect(dispatcher.runs["R1"]).toMatchObject({ step: 2, pending_step: 2, completed_steps: [1] });
  },
  "Duplicate tool result does not double-advance step.": async (trouble) => {
    const dispatcher = await atStep2(trouble);
    const before = dispatcher.state;
    const { events, logs } = await dispatcher.handle(result(1, "fetch"));
    expect([events, dispatcher.state]).toEqual([[], before]);
    expect(logs).toEqual([{ level: "info", message: "This turn was already taken." }]);
  },
  "Stale step result is ignored.": async (trouble) => {
    const dispatcher = await atStep2(trouble, fetching);
    await dispatcher.handle(result(2, "fabric"));
    const before = dispatcher.state;
    expect((await dispatcher.handle(result(1, "shell"))).events).toEqual([]);
    expect((await dispatcher.handle(result(2, "fabric", { status: "error" }))).events).toEqual([]);
    expect(dispatcher.state).toEqual(before);
  },
  "Wrong tool for pending step escalates.": async (trouble) => {
    const dispatcher = await atStep2(trouble);
    const { events } = await dispatcher.handle(result(2, "fetch"));
    expect(events).toMatchObject([
      { type: "agent.escalated", payload: { run_id: "R1", reason: "pending_tool_mismatch" } },
    ]);
    expect(dispatcher.runs["R1"]).toMatchObject({
      status: "escalated",
      pending_step: null,
      pending_tool: null,
    });
  },
  "`max_steps` cutoff escalates deterministically.": async (trouble) => {
    const dispatcher = new Dispatcher({ decisions: Array(9).fill(fetching), max_steps: 3 }, () => trouble);
    const { run_id, goal } = start.payload;
    expect(await dispatcher.run({ ...start, payload: { run_id, goal } })).toEqual([
      "agentic.tool_request.fetch",
      "agentic.tool_request.fetch",
      "agent.escalated",
    ]);
    expect(dispatcher.emitted.at(-1)?.payload).toMatchObject({ reason: "max_steps", step: 2 });
    expect(dispatcher.logs).toEqual(["warn: Step 3 reaches max_steps (3). The run escalates."]);
  },
  "Completion emits exactly one `agent.completed`.": async (trouble) => {
    const dispatcher = await atStep2(trouble, done);
    const { events } = await dispatcher.handle(result(2, "fabric"));
    expect(events.map(({ type }) => type)).toEqual(["agent.completed"]);
    const late = await dispatcher.handle(result(2, "fabric"));
    expect(late).toMatchObject({ events: [], state_updates: {}, logs: [{ level: "info" }] });
    expect((await dispatcher.handle(start)).events).toEqual([]);
  },
};

async function atStep2(trouble: Trouble, ...later: readonly Json[]): Promise<Dispatcher> {
  const dispatcher = new Dispatcher({ decisions: [fetching, critique, ...later] }, (job) =>
    // The later jobs deliver what has ended a run or been ignored.
    job < 2 || trouble === "killed" ? trouble : "none",
  );
  await dispatcher.handle(start);
  await dispatcher.handle(result(1, "fetch"));
  return dispatcher;
}

describe.each(["none", "killed", "doubled"] as const)("Test Cases (Must Pass), jobs: %s", (trouble) => {
  for (const [name, test] of Object.entries(cases)) it(name, () => test(trouble));
});

describe("an error of a tool", () => {
  const failing = (fails: number) => {
    let tries = 0;
    return ({ payload }: Event) => {
      const [step, tool] = [Number(payload["step"]), String(payload["tool"])];
      const isBad = tool === "fetch" && ++tries <= fails;
      const error = { status: "error", error: "timeout", result: null, completed_at: second(10 + tries) };
      return result(step, tool, isBad ? error : {});
    };
  };

  it.each([
    [2, ["fetch 1", "fetch 2", "fetch 3", "agent.completed"]],
    [3, ["fetch 1", "fetch 2", "fetch 3", "agent.escalated"]],
  ])("%i times is retried within max_retries", async (fails, expected) => {
    for (const trouble of ["none", "killed", "doubled"] as const) {
      const config = { decisions: [fetching, done], max_retries: 2 };
      const dispatcher = new Dispatcher(config, () => trouble, failing(fails));
      await dispatcher.run();
      const requests = dispatcher.emitted.map(({ type, payload }) =>
        type.startsWith("agent.") ? type : `${String(payload["tool"])} ${String(payload["attempt"])}`,
      );
      expect(requests).toEqual(expected);
      expect(dispatcher.emitted.map(({ payload }) => payload["tool_payload"]).slice(0, 3)).toEqual(
        Array(3).fill(fetching.tool_payload),
      );
      expect(await dispatcher.replay()).toBe("");
    }
  });

  it("escalates where nothing is decided", async () => {
    const dispatcher = new Dispatcher({ decisions: [fetching, done] }, () => "none", failing(1));
    expect(await dispatcher.run()).toEqual(["agentic.tool_request.fetch", "agent.escalated"]);
  });

  it("may be answered by the event", async () => {
    const dispatcher = await atStep2("none");
    const decision = { request: "fabric", reframe: true };
    const { events } = await dispatcher.handle(result(2, "fabric", { status: "error", decision }));
    expect(events).toMatchObject([{ payload: { step: 2, attempt: 2 } }]);
    expect(dispatcher.runs["R1"]).toMatchObject({ reframes: 1, max_reframes: 2 });
  });
});

it("escalates at one reframe too many", async () => {
  const again = { ...fetching, reframe: true };
  const dispatcher = new Dispatcher({ decisions: [fetching, again, again], max_reframes: 1 });
  expect(await dispatcher.run()).toEqual([
    ...Array<string>(2).fill("agentic.tool_request.fetch"),
    "agent.escalated",
  ]);
});

it("keeps the other runs of the state, and gives a start without an id the same id again", async () => {
  const dispatcher = new Dispatcher({ decisions: [fetching] });
  const other = { status: "done", step: 4, anything: ["else"] };
  dispatcher.state = { runs: { other }, last_run_id: "other", custom: 1 };
  const unnamed = { type: "api.trigger", payload: { goal }, dedupe_key: "agentic:start:9" };
  const { state_updates } = await dispatcher.handle(unnamed, { context: { root_job_id: "J1" } });
  const id = String(state_updates["last_run_id"]);
  expect(Object.keys(dispatcher.runs)).toEqual(["other", id]);
  expect(dispatcher.state).toMatchObject({ runs: { other }, custom: 1 });
  expect(dispatcher.runs[id]).toMatchObject({ goal, workspace_ref: "job:J1" });
  expect((await dispatcher.handle(unnamed)).events).toEqual([]);
  await dispatcher.handle({ ...unnamed, dedupe_key: "agentic:start:10" });
  expect(Object.keys(dispatcher.runs)).toHaveLength(3);
});

it("takes null and empty texts for what is absent", async () => {
  const dispatcher = new Dispatcher({});
  const stdin = JSON.stringify({
    command: "handle",
    config: null,
    state: null,
    event: { type: "agentic.start", payload: { goal, decision: fetching }, event_id: "E1" },
    context: null,
    workspace_dir: "",
  });
  const { stdout } = await promptpack(["step", "critique.pack.yaml", "--protocol"], {
    cwd: dispatcher.cwd,
    stdin,
  });
  expect(JSON.parse(stdout)).toMatchObject({ status: "ok", events: [{ payload: { tool: "fetch" } }] });
  const other = await promptpack(["step", "critique.pack.yaml", "--protocol"], {
    cwd: dispatcher.cwd,
    stdin: stdin.replace("E1", "E2"),
  });
  const idIn = (text: string) => (JSON.parse(text) as StepResponse).state_updates["last_run_id"];
  expect(idIn(other.stdout)).not.toBe(idIn(stdout));
  expect(readdirSync(dispatcher.cwd).sort()).toEqual([".git", "critique.pack.yaml"]);
});

it("completes a run whose workflow has ended, where nothing is decided", async () => {
  const dispatcher = new Dispatcher({ decisions: [{ event: "Written" }] });
  expect((await dispatcher.handle(start)).events).toMatchObject([
    { type: "agent.completed", payload: { outcome: 'Done in state "done".' } },
  ]);
});

it("ignores a result of an unknown run with a warning", async () => {
  expect(await new Dispatcher({}).ask(result(1, "fetch"))).toEqual({
    status: "ok",
    error: null,
    events: [],
    state_updates: {},
    logs: [{ level: "warn", message: 'The state has no run "R1", so this result is ignored.' }],
  });
});

describe("a bad request", () => {
  const decided = (decision: unknown) => ({ event: { ...start, payload: { ...start.payload, decision } } });

  it.each<[Json, string]>([
    [{ command: "poll" }, '"command" must be "handle", found "poll".'],
    [{ event: {} }, 'Event "event" has no "type" or "payload".'],
    [{ event: { ...start, payload: {} } }, '"payload" has no "goal".'],
    [
      { config: {} },
      'The request names no pack: set "pack" in its "config", or name it on the command line.',
    ],
    [{ config: { pack: "none.yaml" } }, '"none.yaml" does not exist.'],
    [
      {},
      'Nothing is decided for step 1: give the decision of the model in the payload of the event, or in the "decisions" of the configuration.',
    ],
    [decided(5), '"decision" must be an object or a list, found 5.'],
    [decided({}), 'A decision needs an "event", a "request" or "done": true.'],
    [decided({ reqest: "fetch" }), '"reqest" is not a property of a decision. Did you mean "request"?'],
    [decided({ set: { note: "x" } }), 'A decision needs an "event" or "done": true for its "set".'],
    [
      decided({ done: true, plugin: "x" }),
      'A decision has a "plugin" or a "tool_payload", but no "request".',
    ],
    [decided({ request: "fetch", done: true }), 'A decision cannot have both "request" and "done".'],
    [
      decided({ request: "agentic-loop" }),
      'A decision cannot request "agentic-loop": no run may trigger the loop itself.',
    ],
    [
      decided({ request: "fetch", tool_payload: { step: 2 } }),
      'A decision cannot have "step" in "tool_payload": the key is reserved for the run.',
    ],
    [
      { ...decided(fetching), config: { pack: "critique.pack.yaml", allowed_plugins: ["fabric"] } },
      'A decision cannot request "fetch", which is not in "allowed_plugins".',
    ],
    [
      decided({ request: "shell" }),
      'State "write" cannot request "shell": its prompt does not list the tool "shell", only "fetch" and "fabric".',
    ],
    [
      decided({ event: "Writen" }),
      'State "write" has no event "Writen", only "Written". Did you mean "Written"?',
    ],
    [
      decided({ event: "Written", set: { plan: "x" } }),
      'State "write" declares no artifact "plan". There is "note".',
    ],
    [{ state: { runs: [] } }, '"runs" must be an object, or null; found a list.'],
    [
      { state: { runs: { R1: {} } } },
      'The state of run "R1" cannot be used: "status" is missing or has a wrong value.',
    ],
  ])("%j has a response with the reason", async (more, error) => {
    const response = await new Dispatcher({}).ask(start, more);
    expect(response).toEqual({ status: "error", error, events: [], state_updates: {}, logs: [] });
  });

  it.each([
    ["", "The request is not a JSON object."],
    ["[]", "The request is not a JSON object."],
    ["{", "The request cannot be read as JSON: Expected a key in double quotes, but the file ends."],
  ])("%j, too", async (stdin, error) => {
    const { code, stdout } = await promptpack(["step", "--protocol"], { stdin });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: "error", error }]);
  });

  it.each([
    [{ outbox: [{ type: 1, payload: {} }] }, '"outbox" is missing or has a wrong value.'],
    [{ state: "gone" }, 'the workflow has no state "gone".'],
  ])("is one with a run such as %j", async (change, why) => {
    const dispatcher = await atStep2("none");
    const R1 = { ...dispatcher.runs["R1"], ...change };
    dispatcher.state = { runs: { R1 } };
    const response = await dispatcher.ask(result(2, "fabric"));
    expect(response).toMatchObject({
      status: "error",
      error: `The state of run "R1" cannot be used: ${why}`,
    });
  });

  it("keeps the state and the workspace as they are", async () => {
    const dispatcher = new Dispatcher({ decisions: [fetching] });
    await dispatcher.handle(start);
    const [state, trace] = [dispatcher.state, dispatcher.read("trace.jsonl")];
    const { status, state_updates } = await dispatcher.handle(result(1, "fetch"));
    expect([status, state_updates, dispatcher.state]).toEqual(["error", {}, state]);
    expect(dispatcher.read("trace.jsonl")).toBe(trace);
  });

  it("is one whose workspace cannot be made", async () => {
    const dispatcher = new Dispatcher({ decisions: [fetching] });
    mkdirSync(join(dispatcher.cwd, "work"));
    symlinkSync(dispatcher.cwd, join(dispatcher.cwd, "work/artifacts"));
    expect(await dispatcher.ask(start)).toMatchObject({ status: "error", state_updates: {}, events: [] });
    rmSync(join(dispatcher.cwd, "work/artifacts"));
    expect(await dispatcher.ask(start)).toMatchObject({ status: "ok" });
  });

  it("is one for a pack that cannot be read, or a workflow of an unknown version", async () => {
    const { cwd } = new Dispatcher({});
    const stdin = JSON.stringify({ command: "handle", config: { decisions: [done] }, event: start });
    const ask = async (name: string, text: string, ...flags: readonly string[]) => {
      writeFileSync(join(cwd, name), text);
      const { code, stdout } = await promptpack(["step", name, "--protocol", ...flags], { cwd, stdin });
      expect(code).toBe(0);
      return (JSON.parse(stdout) as StepResponse).error;
    };
    expect(await ask("broken.yaml", "{")).toBe('The pack cannot be read: run "promptpack lint".');
    const newer = pack.replace("version: 2", "version: 3");
    expect(await ask("newer.yaml", newer)).toMatch(/workflow version 3.*"--force"/);
    expect(await ask("newer.yaml", newer, "--force")).toBeNull();
  });

  it.each([
    [["--run", "r.json"], '"--protocol" reads the turn from standard input: leave out "--run".'],
    [["--max-steps", "3"], '"--protocol" reads the turn from standard input: leave out "--max-steps".'],
    [["-"], "Standard input is the request: name the pack."],
  ])("is not one with %j, which is a mistake on the command line", async (args, said) => {
    expect(await promptpack(["step", "--protocol", ...args])).toEqual({
      code: 2,
      stdout: "",
      stderr: `promptpack: ${said}\n`,
    });
  });
});
