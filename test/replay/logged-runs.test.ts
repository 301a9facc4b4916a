import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";

const pack = `
id: loop
name: Loop
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  p: { id: p, name: P, version: 1.0.0, system_template: "Emit Again, Ask, Done, Yes or No." }
workflow:
  version: 2
  entry: work
  engine: { budget: { max_total_visits: 8, max_tool_calls: 3, max_wall_time_sec: 50 } }
  states:
    work: { prompt_task: p, max_visits: 2, on_max_visits: ask, on_event: { Again: work, Ask: ask } }
    ask: { prompt_task: p, orchestration: external, on_event: { Yes: done, No: work } }
    done: { prompt_task: p, terminal: true }
`;
const routes = `
pipelines:
  - { on: agentic.tool_request.fetch, steps: [{ uses: fetch }, { uses: agentic-loop }] }
plugins: { agentic-loop: { config: { max_steps: 20, allowed_plugins: [fetch, shell] } } }
`;

type Transition = readonly [from: string, event: string, to: string, ...forced: string[]];

/** The lines of a run, whose steps take two seconds each: tools, transitions, and an end. */
function run(steps: readonly (string | Transition)[], id = "R1"): string[] {
  const lines: object[] = [
    { type: "agentic.start", payload: { goal: "g", run_id: id }, dedupe_key: `agentic:start:${id}` },
  ];
  let step = 0;
  for (const each of steps) {
    if (each === "completed" || each === "escalated") {
      lines.push({ type: `agent.${each}`, payload: { run_id: id } });
      continue;
    }
    step++;
    const [from, event, to, ...forced] = typeof each === "string" ? [] : each;
    const tool = typeof each === "string" ? each : "workflow__transition";
    const key = `agentic:run:${id}:step:${step}`;
    const payload = { run_id: id, step, tool };
    const time = (second: number) => `2026-02-16T12:00:${String(second).padStart(2, "0")}Z`;
    const [sent, got] =
      event === undefined
        ? [{}, {}]
        : [{ tool_payload: { event } }, { result: { from, to, ...(forced.length > 0 && { forced }) } }];
    lines.push(
      {
        type: `agentic.tool_request.${tool}`,
        payload: { ...payload, ...sent, requested_at: time(step * 2) },
        dedupe_key: `${key}:request`,
      },
      {
        type: "agentic.tool_result",
        payload: { ...payload, status: "ok", ...got, completed_at: time(step * 2 + 1) },
        dedupe_key: `${key}:result`,
      },
    );
  }
  return lines.map((line) => JSON.stringify(line));
}

interface Shown {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
  readonly data?: { readonly causedBy?: string; readonly firstDivergence?: true };
}

async function replayed(lines: readonly string[], flags: readonly string[] = [], more = {}) {
  const cwd = folderOf({
    "a.pack.yaml": pack,
    "routes.yaml": routes,
    "events.jsonl": lines.join("\n"),
    ...more,
  });
  const args = ["replay", "events.jsonl", "--pack", "a.pack.yaml", ...flags];
  const { stdout, stderr } = await promptpack([...args, "-f", "json"], { cwd });
  expect(stderr).toBe("");
  const { files } = JSON.parse(stdout) as { files: readonly { diagnostics: readonly Shown[] }[] };
  return files.flatMap(({ diagnostics }) => diagnostics);
}

/** `line rule cause` of each finding, with `!` for the first divergence and `?` for an info. */
async function said(
  lines: readonly string[],
  flags: readonly string[] = [],
  more = {},
): Promise<readonly string[]> {
  return (await replayed(lines, flags, more)).map(({ range, rule, severity, message, data }) => {
    const isFirst = message.includes("This is the first divergence");
    expect(data?.firstDivergence === true).toBe(isFirst);
    const sign = severity === "info" ? "?" : isFirst ? "!" : "";
    return `${range.start.line} ${rule} ${data?.causedBy ?? "nobody"}${sign}`;
  });
}

const again: Transition = ["work", "Again", "work"];
const ask: Transition = ["work", "Ask", "ask"];
const yes: Transition = ["ask", "Yes", "done"];
const spent: Transition = ["ask", "No", "ask", "work"];
const forced: Transition = ["work", "Again", "ask", "work"];
const whole = run(["fetch", again, forced, yes, "completed"]);

describe("replay of a log with the pack of its workflow", () => {
  it("finds nothing in a run that follows both", async () => {
    expect(await said(whole)).toEqual([]);
    expect(await said(run(["fetch", ask, yes, "completed"]), ["--routes", "routes.yaml"])).toEqual([]);
    expect(await said(run(["completed"]))).toEqual(["2 run-end loop?"]);
    expect(await said(run([again, "escalated"]))).toEqual([]);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    [
      "an event that the state does not have",
      run([["work", "Agan", "work"], ask, yes, "completed"]),
      ["2 run-unknown-event model!"],
    ],
    [
      "one that the host sends",
      run([ask, ["ask", "Maybe", "done"], "completed"]),
      ["4 run-unknown-event host!"],
    ],
    [
      "one after the end",
      run([ask, yes, ["done", "Again", "work"], "completed"]),
      ["6 run-after-end model!"],
    ],
    ["another state", run([["work", "Ask", "done"], "completed"]), ["3 run-wrong-state loop!"]],
    ["a spent guard", run([again, again, ask, yes, "completed"]), ["5 run-guard loop!"]],
    ["a start elsewhere", run([yes, "completed"]), ["3 run-start loop!"]],
    [
      "too many visits",
      run([ask, ["ask", "No", "work"], ask, spent, spent, spent, spent, yes, "completed"]),
      ["16 run-budget loop!"],
    ],
    ["too many tool calls", run(["a", "b", "c", "d", ask, yes, "completed"]), ["8 run-budget loop!"]],
    ["a completion in mid-workflow", run([ask, "completed"]), ["4 run-end loop?"]],
    [
      "a step of the protocol first",
      run(["a", ["ask", "No", "work"], "completed"]).toSpliced(2, 1),
      ["3 agentic-pending loop!", "4 run-start loop"],
    ],
    [
      "a result too early",
      [whole[0] ?? "", whole[2] ?? "", whole[1] ?? "", ...whole.slice(3)],
      ["2 agentic-result-before-request dispatcher!"],
    ],
    [
      "a result that is none",
      whole.map((line, index) => (index === 2 ? line.replace('"ok"', '"okay"') : line)),
      ["3 agentic-event plugin!"],
    ],
    [
      "a result of nobody's run",
      [...whole, (whole[2] ?? "").replaceAll("R1", "R9")],
      ["11 agentic-unknown-run dispatcher!"],
    ],
    [
      "a start of a run that is known",
      [...whole, (whole[0] ?? "").replace("start:R1", "start:2")],
      ["11 agentic-run-id-reused caller!"],
    ],
  ])("names who caused %s", async (_, lines, expected) => {
    expect(await said(lines)).toEqual(expected);
  });

  it("takes the workflow up again after lines that are missing", async () => {
    // The result of a transition, a transition, and the beginning of the run.
    expect(await said(whole.toSpliced(4, 1))).toEqual(["5 agentic-pending loop!"]);
    expect(await said(whole.toSpliced(5, 2))).toEqual(["6 agentic-step-gap loop!"]);
    expect(await said(whole.slice(3))).toEqual(["1 agentic-step-order loop!"]);
    expect(await said(whole.slice(0, 6))).toEqual(["6 agentic-run-open loop?"]);
    const failed = whole[4]?.replace('"ok"', '"error"') ?? "";
    expect(await said([...whole.slice(0, 4), failed, ...whole.slice(3)])).toEqual([]);
  });

  it("measures the time by the requests", async () => {
    const late = whole.map((line) =>
      line
        .replace('requested_at":"2026-02-16T12:00:08', 'requested_at":"2026-02-16T12:01:08')
        .replace('completed_at":"2026-02-16T12:00:09', 'completed_at":"2026-02-16T12:01:09'),
    );
    expect(await said(late)).toEqual(["8 run-budget loop!"]);
    expect(await said(late, ["--no-budget"])).toEqual([]);
  });

  it("keeps runs apart, and finds the first divergence of all", async () => {
    const other = run(["fetch", ask, ["ask", "Maybe", "done"], "completed"], "R2");
    const mixed = whole.flatMap((line, index) => [line, ...other.slice(index, index + 1)]);
    expect(await said(mixed)).toEqual(["12 run-unknown-event host!"]);
    expect(await said([...run([["work", "Agan", "work"], ask, yes, "completed"], "R3"), ...mixed])).toEqual([
      "2 run-unknown-event model!",
      "20 run-unknown-event host",
    ]);
  });

  it("tells a missing route from a plugin that is not allowed", async () => {
    const flags = ["--routes", "routes.yaml"];
    expect(await said(run(["shell", ask, yes, "completed"]), flags)).toEqual(["2 agentic-route routes!"]);
    expect(await said(run(["lint", ask, yes, "completed"]), flags)).toEqual(["2 agentic-route loop!"]);
  });

  it("compares the state, which comes last", async () => {
    const stateOf = (more: object) => ({
      "state.json": JSON.stringify({ runs: { R1: { status: "done", step: 4, ...more } } }, null, 1),
    });
    const flags = ["--state", "state.json", "--rule", "agentic-state-shape:off"];
    const counts = { work: 2, ask: 1, done: 1 };
    expect(await said(whole, flags, stateOf({ state: "done", visit_counts: counts }))).toEqual([]);
    expect(await said(whole, flags, stateOf({ state: "ask", visit_counts: {} }))).toEqual([
      "6 agentic-state-log loop!",
    ]);
    expect(await said(whole, flags, stateOf({ state: "done", visit_counts: { ...counts, ask: 2 } }))).toEqual(
      ["9 agentic-state-log loop!"],
    );
    const wrong = run([["work", "Ask", "done"], "completed"]);
    const state = stateOf({ step: 1, state: "work" });
    expect(await said(wrong, flags, state)).toEqual(["3 run-wrong-state loop!", "6 agentic-state-log loop"]);
  });

  it("takes the first of what the config leaves", async () => {
    const lines = run([["work", "Agan", "work"], ["work", "Ask", "done"], "completed"]);
    expect(await said(lines)).toEqual(["2 run-unknown-event model!", "5 run-wrong-state loop"]);
    expect(await said(lines, ["--rule", "run-unknown-event:off"])).toEqual(["5 run-wrong-state loop!"]);
    const config = {
      "promptpack.config.yaml": 'ignore: [{ file: events.jsonl, rule: run-unknown-event, pointer: "" }]\n',
    };
    expect(await said(lines, [], config)).toEqual(["5 run-wrong-state loop!"]);
  });

  it("says so in every format", async () => {
    const cwd = folderOf({
      "a.pack.yaml": pack,
      "events.jsonl": run([["work", "Ask", "done"], "completed"]).join("\n"),
    });
    for (const format of ["pretty", "compact", "json", "sarif", "github", "gitlab", "junit", "markdown"]) {
      const args = ["replay", "events.jsonl", "--pack", "a.pack.yaml", "-f", format];
      const { code, stdout } = await promptpack(args, { cwd });
      expect([format, code, stdout.replace(/\s+/g, " ")]).toEqual([
        format,
        1,
        expect.stringContaining("This is the first divergence; the loop caused it."),
      ]);
    }
  });

  it("draws one timeline, and of a long one what is near the first divergence", async () => {
    const draw = async (lines: readonly string[], more: readonly string[] = [], files = {}) => {
      const cwd = folderOf({ "a.pack.yaml": pack, "events.jsonl": lines.join("\n"), ...files });
      return (await promptpack(["replay", "events.jsonl", "--pack", "a.pack.yaml", ...more], { cwd })).stdout;
    };
    expect(await draw(run(["fetch", ["work", "Ask", "done"], "completed"]))).toContain(
      `\
Run R1: done, 2 steps, in state "done"

Line │ Run │ Who    │ What             │ State │
─────┼─────┼────────┼──────────────────┼───────┤
1    │ R1  │ caller │ start            │       │
2    │ R1  │ loop   │ request 1: fetch │ work  │
3    │ R1  │ plugin │ result 1: ok     │ work  │
4    │ R1  │ model  │ event Ask        │ work  │
✗ 5  │ R1  │ loop   │ enters done      │ done  │
`.replace("1    │     │", "1    │ R1  │"),
    );
    const long = [
      ...Array.from({ length: 60 }, (_, index) => run([ask, yes, "completed"], `A${index}`)).flat(),
      ...run([["work", "Ask", "done"], "completed"]),
      ...Array.from({ length: 9 }, (_, index) => run([ask, yes, "completed"], `B${index}`)).flat(),
    ];
    const text = await draw(long);
    expect(text).toContain("✗ 363 │ R1  │ loop   │ enters done │ done  │\n  └ ");
    expect(text).toContain("(183 earlier events not shown.)\n(35 later events not shown.)\n");
    expect(text).toContain("(50 more runs not shown.)\n\nLine");
    const state = { "state.json": '{ "runs": { "R1": { "status": "done", "step": 4, "state": "work" } } }' };
    expect(
      await draw(whole, ["--state", "state.json", "--rule", "agentic-state-shape:off"], state),
    ).toContain(
      '\n✗ The state says that run "R1" is in state "work" of the workflow, but by the\n  log it is in "done".',
    );
  });

  it("finds nothing in what step takes, whichever way the run goes", async () => {
    const cwd = folderOf({ "a.pack.yaml": pack.replace("50 }", "5000 }"), "routes.yaml": routes });
    const turns: readonly (readonly string[])[] = [
      ["--start", "--run-id", "R1", "--request", "fetch"],
      ["--result", "error", "--step", "1", "--tool", "fetch", "--request", "fetch"],
      ["--result", "ok", "--step", "1", "--tool", "fetch"],
      ["--event", "Again", "--step", "2"],
      ["--event", "Again", "--step", "3"],
      ["--event", "No", "--step", "4"],
      ["--event", "No", "--step", "5"],
      ["--event", "Yes", "--step", "6", "--done"],
    ];
    let log = "";
    for (const turn of turns) {
      const taken = await promptpack(["step", "a.pack.yaml", "--run", "run.json", ...turn], { cwd });
      expect(taken.code).toBe(0);
      log += taken.stdout;
      const args = ["replay", "-", "--pack", "a.pack.yaml", "--state", "run.json", "--routes", "routes.yaml"];
      const { stdout } = await promptpack([...args, "-f", "compact", "-q"], { cwd, stdin: log });
      expect([turn, stdout]).toEqual([turn, ""]);
    }
    expect(log).toContain('"forced"');
    expect(log).toContain("agent.completed");
  });
});
