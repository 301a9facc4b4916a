import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RunFile } from "../../src/cli/actions/run-file.js";
import { UsageError } from "../../src/cli/terminal/io.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { pack } from "./turns.js";
import { isFull } from "../runs.js";

const two = pack.replace('"on_event":{"Next":"a"}', '"terminal":true');

class Desk {
  readonly cwd: string;
  readonly log: string[] = [];
  stdin = "";

  constructor(text = two) {
    this.cwd = folderOf({ "a.pack.json": text });
  }

  /** Takes a turn: the exit code, the types of the events, and what is said. */
  async turn(...flags: readonly string[]): Promise<string> {
    const args = ["step", "a.pack.json", "--run", "run.json", ...flags];
    const ran = await promptpack(args, { cwd: this.cwd, stdin: this.stdin });
    const lines = ran.stdout.split("\n").slice(0, -1);
    this.log.push(...lines);
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    return [ran.code, ...types, ran.stderr.replace(/^promptpack: /u, "").trimEnd()].join(" ").trimEnd();
  }

  get file(): string {
    return readFileSync(join(this.cwd, "run.json"), "utf8");
  }

  /** The run in the file. */
  get run(): Record<string, unknown> {
    return runIn(this.file);
  }

  change(fields: object): void {
    const runs = { R1: { ...this.run, ...fields } };
    writeFileSync(join(this.cwd, "run.json"), JSON.stringify({ runs, last_run_id: "R1" }));
  }

  /** The payloads of the last events printed. */
  payloads(count: number): unknown[] {
    return this.log.slice(-count).map((line) => (JSON.parse(line) as { payload: unknown }).payload);
  }

  /** What `replay` says of everything that was printed, and of the run file. */
  async replay(): Promise<string> {
    const record = this.log.map((line) => `${line}\n`).join("");
    const { code, stdout } = await promptpack(["replay", "-", "--state", "run.json", "-f", "compact"], {
      cwd: this.cwd,
      stdin: record,
    });
    return `${code} ${stdout}`;
  }
}

function runIn(text: string): Record<string, unknown> {
  return (JSON.parse(text) as { runs: { R1: Record<string, unknown> } }).runs.R1;
}

const begin = ["--start", "--run-id", "R1", "--goal", "go round", "--max-steps", "6"];
const ok = (step: number, tool = "fetch") => ["--result", "ok", "--step", String(step), "--tool", tool];
const error = (step: number) => ["--result", "error", "--step", String(step), "--tool", "fetch"];
const request = (step: number) => ["--request", "fetch", "--step", String(step)];

describe("step", () => {
  it("runs a workflow to its end, and replay accepts what it prints", async () => {
    const desk = new Desk();
    expect(await desk.turn(...begin, ...request(1))).toBe("0 agentic.start agentic.tool_request.fetch");
    expect(await desk.turn(...ok(1))).toBe("0 agentic.tool_result");
    expect(await desk.turn("--event", "Next", "--step", "2", "--set", "log=one", ...request(3))).toBe(
      "0 agentic.tool_request.workflow__transition agentic.tool_result agentic.tool_request.fetch",
    );
    expect(await desk.turn(...error(3), ...request(3))).toBe(
      "0 agentic.tool_result agentic.tool_request.fetch",
    );
    expect(await desk.turn(...ok(3), "--attempt", "2", "--done")).toBe(
      "0 agentic.tool_result agent.completed",
    );
    expect(await desk.replay()).toBe("0 ");
    expect(JSON.parse(desk.file)).toMatchObject({ last_run_id: "R1" });
    expect(desk.run).toMatchObject({
      status: "done",
      goal: "go round",
      state: "b",
      visit_counts: { a: 1, b: 1 },
      artifacts: { log: "one" },
      step: 3,
      max_steps: 6,
      attempt: 0,
      reframes: 0,
      completed_steps: [1, 2, 3],
      pending_step: null,
      pending_tool: null,
      pending_since: null,
      tool_calls: 3,
      outbox: [],
    });
  });

  it("changes nothing when a turn comes again", async () => {
    const desk = new Desk();
    const turns = [
      [...begin, ...request(1)],
      [...error(1), ...request(1)],
      [...ok(1), ...request(2)],
    ];
    for (const turn of turns) {
      await desk.turn(...turn);
      const before = desk.file;
      expect(await desk.turn(...turn)).toMatch(/^0 Ignored: /);
      expect(desk.file).toBe(before);
    }
  });

  it.each([[request(1)], [["--request", "fetch"]], [[]]])(
    "knows an error again whatever the loop decides then: %j",
    async (act) => {
      const desk = new Desk();
      await desk.turn(...begin, ...request(1));
      await desk.turn(...error(1), "--request", "fetch");
      const before = desk.file;
      expect(runIn(before)).toMatchObject({ attempt: 2 });
      expect(await desk.turn(...error(1), ...act)).toBe("0 Ignored: This turn was already taken.");
      expect(desk.file).toBe(before);
    },
  );

  it("asks for no attempt where it was given", async () => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    const first = [...error(1), "--attempt", "1", ...request(1)];
    await desk.turn(...first);
    expect(await desk.turn(...first)).toBe("0 Ignored: This turn was already taken.");
  });

  it("takes no try for another that comes again behind a later one", async () => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    const first = [...error(1), ...request(1)];
    expect(await desk.turn(...first)).toMatch(/^0 agentic/);
    expect(await desk.turn(...first, "--attempt", "2")).toMatch(/^0 agentic/);
    const before = desk.file;
    for (const again of [first, [...first, "--attempt", "1"], [...first, "--attempt", "2"]]) {
      expect(await desk.turn(...again)).toMatch(/^0 Ignored: /);
      expect(desk.file).toBe(before);
    }
    expect(runIn(before)).toMatchObject({ attempt: 3 });
    expect(await desk.turn(...ok(1))).toBe("0 agentic.tool_result");
    expect(desk.run).toMatchObject({ turns: [expect.any(String)] });
  });

  it.each<[string, readonly string[], string]>([
    ["stale", error(1), "0 Ignored: Step 1 is over; the run is at step 2."],
    [
      "wrong tool",
      ok(2, "fabric"),
      '0 agentic.tool_result agent.escalated Step 2 waits for "fetch", not for "fabric". The run escalates.',
    ],
    ["step ahead", ok(3), "0 agent.escalated No result is expected for step 3. The run escalates."],
    [
      "error without a retry",
      error(2),
      "0 agentic.tool_result agent.escalated Step 2 failed and was not retried. The run escalates.",
    ],
    [
      "error, then another step",
      [...error(2), ...request(3)],
      "1 Refused: Step 2 failed: only the same step with the same tool can be retried.",
    ],
    [
      "error, then done",
      [...error(2), "--done"],
      "1 Refused: Step 2 failed, so the run is not done: retry the step, or give up.",
    ],
    ["event while pending", ["--event", "Next", "--step", "3"], '1 Refused: Step 2 still waits for "fetch".'],
    [
      "another run",
      [...ok(2), "--run-id", "R2"],
      '0 Warning: "run.json" holds run "R1", not "R2", so this turn is ignored.',
    ],
    [
      "a start of another run",
      ["--start", "--run-id", "R2"],
      '1 Refused: "run.json" holds run "R1", not "R2".',
    ],
    ["a leap", [...ok(2), ...request(5)], "1 Refused: The next step is 3, not 5."],
  ])("%s", async (_, turn, said) => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    await desk.turn(...ok(1), ...request(2));
    expect(await desk.turn(...turn)).toBe(said);
    expect(await desk.replay()).toMatch(/^0 /);
  });

  it("escalates at max_steps, and ends", async () => {
    const desk = new Desk();
    await desk.turn("--start", "--run-id", "R1", "--max-steps", "2", ...request(1));
    expect(await desk.turn(...ok(1), ...request(2))).toBe(
      "0 agentic.tool_result agent.escalated Step 2 reaches max_steps (2). The run escalates.",
    );
    expect(await desk.turn(...ok(2))).toBe('0 Ignored: Run "R1" has ended (escalated).');
    expect(await desk.replay()).toBe("0 ");
  });

  it("reports what a killed turn could not", async () => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    desk.change({ outbox: [{ type: "agent.noted", payload: {}, dedupe_key: "k" }] });
    expect(await desk.turn(...begin)).toBe('0 agent.noted Ignored: Run "R1" has already started.');
    expect(await desk.turn(...begin)).toBe('0 Ignored: Run "R1" has already started.');
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ["a done run", [...begin, ...request(1)], [...ok(1), "--done"]],
    ["a run that an event ends", begin, ["--event", "Next", "--step", "1", "--done"]],
    ["an escalated run", [...begin, ...request(1)], ok(1, "fabric")],
  ])("prints the last turn of %s twice, and replay takes it for one", async (_, first, last) => {
    const desk = new Desk();
    await desk.turn(...first);
    const before = desk.log.length;
    await desk.turn(...last);
    const outbox = desk.log.slice(before).map((line) => JSON.parse(line) as unknown);
    desk.change({ outbox });
    await desk.turn(...last);
    expect(desk.log.slice(before)).toHaveLength(2 * outbox.length);
    expect(await desk.replay()).not.toMatch(/: (?:error|warning): /);
  });

  it.each<[readonly string[], string]>([
    [[], 'A turn needs exactly one of "--start", "--event" and "--result", or "--done" alone.'],
    [
      ["--start", "--event", "Next"],
      'A turn needs exactly one of "--start", "--event" and "--result", or "--done" alone.',
    ],
    [["--event", "Next"], '"--event" needs a "--step".'],
    [["--done", "--step", "1", "--step", "2"], 'There are too many "--step" flags: give one for "--done".'],
    [["--done", "--request", "x"], '"--request" and "--done" cannot be used together: choose one.'],
    [["--result", "fine", "--step", "1", "--tool", "x"], '"--result" must be ok or error, not "fine".'],
    [["--result", "ok", "--step", "1"], '"--result" needs a "--tool".'],
    [
      ["--result", "ok", "--step", "0", "--tool", "x"],
      '"--step" must be a whole number from 1 to 999999999, not "0".',
    ],
    [["--start", "--step", "1"], 'There are too many "--step" flags: give none with "--start".'],
    [
      ["--start", "--request", "x", "--step", "1", "--step", "2"],
      'There are too many "--step" flags: give one for "--request".',
    ],
    [
      ["--event", "Next", "--step", "1", "--step", "2"],
      'There are too many "--step" flags: give one for "--event".',
    ],
    [
      ["--result", "ok", "--request", "x", "--step", "1", "--step", "2", "--step", "3"],
      'There are too many "--step" flags: give one for "--result", and one for "--request".',
    ],
    [["--start", "--reframe"], '"--reframe" can only be used with "--event" or "--result".'],
    [
      ["--result", "ok", "--step", "1", "--tool", "x", "--reframe", "--done"],
      '"--reframe" and "--done" cannot be used together: choose one.',
    ],
    [
      ["--event", "Next", "--step", "1", "--max-reframes", "9"],
      '"--max-reframes" can only be used with "--start".',
    ],
    [
      ["--start", "--max-reframes", "-1"],
      '"--max-reframes" must be a whole number from 0 to 999999999, not "-1".',
    ],
    [["--start", "--workspace", ""], '"--workspace" must not be empty.'],
    [["--start", "--tool", "zzz"], '"--tool" can only be used with "--result".'],
    [["--start", "--attempt", "3"], '"--attempt" can only be used with "--result".'],
    [["--start", "--set", "log=one"], '"--set" can only be used with "--event" or "--done".'],
    [["--event", "Next", "--step", "1", "--tool", "x"], '"--tool" can only be used with "--result".'],
    [["--event", "Next", "--step", "1", "--agent", "p"], '"--agent" can only be used with "--start".'],
    [["--event", "Next", "--step", "1", "--goal", "x"], '"--goal" can only be used with "--start".'],
    [
      ["--event", "Next", "--step", "1", "--max-steps", "9"],
      '"--max-steps" can only be used with "--start".',
    ],
    [
      ["--start", "--max-steps", "9999999999"],
      '"--max-steps" must be a whole number from 1 to 999999999, not "9999999999".',
    ],
    [["--start", "--run-id", ""], '"--run-id" must not be empty.'],
    [["--start", "--goal", ""], '"--goal" must not be empty.'],
    [["--start", "--request", ""], '"--request" must not be empty.'],
    [["--start", "--request", "a b"], '"--request" needs the name of a tool.'],
    [
      ["--start", "--request", "agentic-loop"],
      '"--request" cannot name "agentic-loop": in RFC-103, no run may trigger the loop itself.',
    ],
    [
      ["--start", "--done", "--request", "x"],
      '"--request" and "--done" cannot be used together: choose one.',
    ],
  ])("%j makes no sense", async (flags, said) => {
    expect(await new Desk().turn(...flags)).toBe(`2 ${said}`);
  });

  it.each([
    [two.replace('"entry":"a"', '"entry":"A"'), `The workflow's entry "A" is not a state. Did you mean "a"?`],
    [
      two.replace('"entry":"a"', '"entry":1'),
      'The workflow has no state to start in: run "promptpack lint".',
    ],
  ])("says in which state it cannot start, as simulate does", async (text, said) => {
    const desk = new Desk(text);
    expect(await desk.turn(...begin)).toBe(`2 ${said}`);
    const { stderr } = await promptpack(["simulate", "a.pack.json", "-e", "Next"], { cwd: desk.cwd });
    expect(stderr).toBe(`promptpack: ${said}\n`);
  });

  describe("with --agent", () => {
    const members = { p: { state: "b" }, r: {}, lost: { state: "bb" } };
    const manned = (text: string) =>
      JSON.stringify({ ...(JSON.parse(text) as object), agents: { entry: "p", members } });

    it("starts in the state of the agent, and goes on from there", async () => {
      const desk = new Desk(manned(pack).replace('"entry":"a"', '"entry":"none"'));
      expect(await desk.turn(...begin, "--agent", "p")).toMatch(/^0 agentic\.start\b/);
      expect(desk.run).toMatchObject({ state: "b", visit_counts: { b: 1 } });
      expect(await desk.turn("--event", "Next", "--step", "1")).toMatch(/^0 agentic/);
      expect(desk.run).toMatchObject({ state: "a", visit_counts: { a: 1, b: 1 } });
    });

    it.each([
      ["q", pack, 'There is no agent "q" with a state to start in. No agent of this pack has one.'],
      [
        "nobody",
        manned(pack),
        'There is no agent "nobody" with a state to start in. These agents have one: "p".',
      ],
      ["r", manned(pack), 'There is no agent "r" with a state to start in. These agents have one: "p".'],
      ["lost", manned(pack), 'The agent "lost" starts in "bb", which is not a state.'],
    ])("%s, says why the run cannot start", async (agent, text, said) => {
      const desk = new Desk(text);
      expect(await desk.turn(...begin, "--agent", agent)).toBe(`2 ${said}`);
      expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json"]);
    });
  });

  it("refuses an artifact that the state which is left does not declare", async () => {
    const desk = new Desk(
      two
        .replace('"artifacts":{"log":', '"artifacts":{"plan":{"type":"text/plain"},"log":')
        .replace('"terminal":true', '"on_event":{"Next":"a"}'),
    );
    const next = (step: number, set: string) => ["--event", "Next", "--step", String(step), "--set", set];
    await desk.turn(...begin);
    expect(await desk.turn(...next(1, "plan=one"))).toMatch(/^0 /);
    const before = desk.file;
    expect(await desk.turn(...next(2, "plan=two"))).toBe(
      '2 State "b" declares no artifact "plan", but "a" does.',
    );
    expect(await desk.turn(...next(2, "none=two"))).toBe(
      '2 No state declares the artifact "none". There are "plan" and "log".',
    );
    // A turn that comes again is judged by where it was taken.
    expect(await desk.turn(...next(1, "plan=one"))).toMatch(/^0 Ignored: /);
    expect(desk.file).toBe(before);
  });

  describe("is held to the budget", () => {
    const { workflow, ...rest } = JSON.parse(two) as { workflow: object };
    const budgeted = (budget: object) =>
      new Desk(JSON.stringify({ ...rest, workflow: { ...workflow, engine: { budget } } }));

    it("of tool calls, of which every attempt is one", async () => {
      const desk = budgeted({ max_tool_calls: 2 });
      expect(await desk.turn(...begin, ...request(1))).toBe("0 agentic.start agentic.tool_request.fetch");
      expect(await desk.turn(...error(1), ...request(1))).toMatch(/^0 agentic/);
      expect(await desk.turn(...ok(1), "--attempt", "2", ...request(2))).toBe(
        "0 agentic.tool_result agent.escalated The budget of 2 tool calls is used up. The run escalates.",
      );
      expect(desk.payloads(1)).toEqual([{ run_id: "R1", reason: "budget-exhausted", step: 1 }]);
      expect(desk.run).toMatchObject({ status: "escalated", reason: "budget-exhausted", tool_calls: 2 });
      expect(await desk.replay()).toBe("0 ");
    });

    it("of time, from the start of the run", async () => {
      vi.useFakeTimers({ toFake: ["Date"] });
      onTestFinished(() => void vi.useRealTimers());
      const desk = budgeted({ max_wall_time_sec: 60 });
      await desk.turn(...begin, ...request(1));
      desk.change({ created_at: new Date(Date.now() - 75_500).toISOString() });
      expect(await desk.turn(...ok(1))).toBe(
        "0 agentic.tool_result agent.escalated The budget of 60 seconds is used up: the run started 75 seconds ago. The run escalates.",
      );
      expect(await desk.replay()).toBe("0 ");
    });

    it.each([
      [{}, 20],
      [{ max_tool_calls: 5 }, 20],
      [{ max_total_visits: 9 }, 30],
      [{ max_total_visits: 9, max_tool_calls: 5 }, 15],
      [{ max_total_visits: 999_999_999 }, 999_999_999],
    ])("%j, which ends it before max_steps does", async (budget, steps) => {
      const desk = budgeted(budget);
      await desk.turn("--start", "--run-id", "R1");
      expect(desk.run).toMatchObject({ max_steps: steps });
    });

    it("to the last visit and tool call, with as many steps as there are by default", async () => {
      const desk = new Desk(
        pack.replace('"states"', '"engine":{"budget":{"max_total_visits":3,"max_tool_calls":2}},"states"'),
      );
      await desk.turn("--start", "--run-id", "R1", "--request", "fetch");
      await desk.turn(...ok(1), "--request", "fetch");
      await desk.turn(...ok(2));
      await desk.turn("--event", "Next", "--step", "3");
      expect(await desk.turn("--event", "Next", "--step", "4")).toMatch(/^0 agentic/);
      expect(await desk.turn("--event", "Next", "--step", "5")).toBe(
        "0 agent.escalated The budget of 3 visits is used up. The run escalates.",
      );
    });
  });

  it("runs a workflow of an unknown version only if it is forced to", async () => {
    const desk = new Desk(two.replace('"version":2', '"version":3'));
    const unknown = "No published specification defines workflow version 3; the newest is 2.";
    expect(await desk.turn(...begin, ...request(1))).toBe(
      `2 ${unknown} "--force" runs it like one of version 2.`,
    );
    expect(existsSync(join(desk.cwd, "run.json"))).toBe(false);
    expect(await desk.turn(...begin, ...request(1), "--force")).toBe(
      `0 agentic.start agentic.tool_request.fetch ${unknown}`,
    );
    expect(await desk.turn(...ok(1), "--force")).toBe("0 agentic.tool_result");
  });

  it("fills the artifacts of the state in which the run ends, which are its output", async () => {
    const desk = new Desk();
    await desk.turn(...begin);
    await desk.turn("--event", "Next", "--step", "1", "--set", "log=one");
    expect(await desk.turn("--done", "--step", "1", "--set", "none=two")).toBe(
      '2 No state declares the artifact "none". There is "log".',
    );
    expect(await desk.turn("--done", "--step", "1", "--set", "log=two")).toBe("0 agent.completed");
    expect(desk.payloads(1)).toEqual([
      {
        run_id: "R1",
        goal: "go round",
        outcome: 'Done in state "b".',
        steps_taken: 1,
        artifacts: [],
        output: { log: "one\ntwo" },
      },
    ]);
    expect(desk.run).toMatchObject({ artifacts: { log: "one\ntwo" } });
    expect(await desk.replay()).toBe("0 ");
  });

  it("fills the artifacts of the state that it leaves and of the one that it ends in, in one turn", async () => {
    const turn = ["--event", "Next", "--step", "1", "--done"];
    const both = new Desk();
    await both.turn(...begin);
    expect(await both.turn(...turn, "--set", "log=one", "--set", "log=two", "--set", "log=three")).toMatch(
      /^0 /,
    );
    expect(both.run).toMatchObject({ status: "done", artifacts: { log: "one\ntwo\nthree" } });
    const last = new Desk(two.replace('"log":{"type":"text/plain","mode":"append"}', '"note":{}'));
    await last.turn(...begin);
    expect(await last.turn(...turn, "--set", "note=one", "--set", "log=two")).toMatch(/^0 /);
    expect(last.payloads(1)).toMatchObject([{ output: { note: "one", log: "two" } }]);
  });

  it("fills the artifacts of the state that ends the workflow in the turn that enters it", async () => {
    const late = new Desk(two.replace('"log":{"type":"text/plain","mode":"append"}', '"note":{}'));
    await late.turn(...begin);
    const enter = ["--event", "Next", "--step", "1", "--set", "note=one", "--set", "log=two"];
    expect(await late.turn(...enter, ...request(2))).toMatch(/^0 /);
    expect(late.run).toMatchObject({ status: "running", artifacts: { note: "one", log: "two" } });
    await late.turn(...ok(2));
    expect(await late.turn("--done", "--step", "2", "--set", "log=three")).toBe("0 agent.completed");
    expect(late.payloads(1)).toMatchObject([{ output: { note: "one", log: "two\nthree" } }]);
    expect(await late.replay()).toBe("0 ");
    const twice = new Desk(two.replace('"mode":"append"', '"mode":"replace"'));
    await twice.turn(...begin);
    await twice.turn("--event", "Next", "--step", "1", "--set", "log=one", "--set", "log=two");
    expect(twice.run).toMatchObject({ artifacts: { log: "two" } });
  });

  it("gives what the run has written with an escalation, too", async () => {
    const desk = new Desk(pack);
    await desk.turn(...begin);
    await desk.turn("--event", "Next", "--step", "1", "--set", "log=one", ...request(2));
    expect(await desk.turn(...error(2))).toMatch(/agent\.escalated/);
    expect(desk.payloads(1)).toEqual([
      { run_id: "R1", reason: "tool_error", step: 2, output: { log: "one" } },
    ]);
    expect(await desk.replay()).toBe("0 ");
  });

  it("requests only tools that the prompt of the state lists", async () => {
    const listing = (tools: object, own = '"tools":["fetch"],') =>
      new Desk(
        JSON.stringify({ ...(JSON.parse(two) as object), tools }).replace(
          '"system_template"',
          `${own}"system_template"`,
        ),
      );
    const desk = listing({ fetch: {}, fabric: { name: "weave" } });
    const refused = (tool: string) =>
      `1 Refused: State "a" cannot request "${tool}": its prompt does not list the tool "${tool}", only "fetch".`;
    expect(await desk.turn(...begin, "--request", "fabric")).toBe(refused("fabric"));
    expect(existsSync(join(desk.cwd, "run.json"))).toBe(false);
    expect(await desk.turn(...begin, "--request", "fetc")).toBe(`${refused("fetc")} Did you mean "fetch"?`);
    expect(await desk.turn(...begin, ...request(1))).toMatch(/^0 agentic/);
    expect(await desk.turn(...ok(1), "--request", "mcp__files__read")).toMatch(/^0 agentic/);
    expect(await listing({ fetch: {} }, "").turn(...begin, ...request(1))).toBe(
      '1 Refused: State "a" cannot request "fetch": its prompt does not list any tools.',
    );
    const renamed = listing({ fetch: { name: "get_page" } });
    expect(await renamed.turn(...begin, "--request", "get_page")).toMatch(/^0 agentic/);
  });

  it("counts reframes, and escalates at one too many", async () => {
    const desk = new Desk();
    await desk.turn(...begin, "--max-reframes", "1", ...request(1));
    expect(await desk.turn(...error(1), "--reframe", ...request(1))).toMatch(
      /^0 agentic.tool_result agentic/,
    );
    expect(desk.run).toMatchObject({ reframes: 1, max_reframes: 1 });
    const before = desk.file;
    expect(await desk.turn(...error(1), "--reframe", ...request(1))).toMatch(/^0 Ignored: /);
    expect(desk.file).toBe(before);
    expect(await desk.turn(...ok(1), "--reframe", "--request", "fetch")).toBe(
      "0 agentic.tool_result agent.escalated Reframe 2 exceeds max_reframes (1). The run escalates.",
    );
    expect(desk.payloads(1)).toMatchObject([{ reason: "max_reframes" }]);
    expect(desk.run).toMatchObject({ status: "escalated", reframes: 2, completed_steps: [1] });
    expect(await desk.replay()).toBe("0 ");
  });

  it("takes two reframes by default, and from files without max_reframes", async () => {
    const desk = new Desk(pack);
    await desk.turn(...begin);
    desk.change({ max_reframes: undefined });
    const next = (step: number) => desk.turn("--event", "Next", "--step", String(step), "--reframe");
    expect(await next(1)).toMatch(/tool_result$/);
    expect(await next(2)).toMatch(/tool_result$/);
    expect(await next(3)).toMatch(/Reframe 3 exceeds max_reframes \(2\)/);
  });

  it("keeps what a state wrote before a guard, the budget or max_steps ended the run", async () => {
    const once = pack.replace('"entry":"a"', '"entry":"a","engine":{"budget":{"max_total_visits":1}}');
    const guarded = pack.replace('"on_event":{"Next":"b"}', '"on_event":{"Next":"a"},"max_visits":1');
    for (const [text, start] of [[once], [guarded], [pack, ["--max-steps", "1"]]] as const) {
      const desk = new Desk(text);
      await desk.turn(...begin, ...(start ?? []));
      expect(await desk.turn("--event", "Next", "--step", "1", "--set", "log=last")).toMatch(/escalates\.$/);
      expect(desk.run).toMatchObject({ status: "escalated", artifacts: { log: "last" } });
    }
  });

  it("appends JSON to a JSON artifact as items of a list", async () => {
    const desk = new Desk(pack.replaceAll("text/plain", "application/json"));
    await desk.turn(...begin);
    const next = (step: number, value: string) =>
      desk.turn("--event", "Next", "--step", String(step), "--set", `log=${value}`);
    for (const [index, value] of ['{"n": 1}', "[2, 12345678901234567890]", "three", "[]"].entries())
      await next(index + 1, value);
    expect(desk.run["artifacts"]).toEqual({ log: '[{"n": 1},2, 12345678901234567890,"three"]' });
  });

  it("fills the artifacts of a state in which a result ends the run", async () => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    expect(await desk.turn(...ok(1), "--done", "--set", "log=two")).toMatch(/^0 agentic.tool_result agent/);
    expect(desk.run).toMatchObject({ status: "done", state: "a", artifacts: { log: "two" } });
  });

  it.each([
    [{ created_at: "yesterday" }, '"created_at" is missing or has a wrong value.'],
    [{ updated_at: 5 }, '"updated_at" is missing or has a wrong value.'],
    [{ tool_calls: "5" }, '"tool_calls" is missing or has a wrong value.'],
    [{ reframes: -1 }, '"reframes" is missing or has a wrong value.'],
    [{ artifact_paths: [1] }, '"artifact_paths" is missing or has a wrong value.'],
    [{ reason: 1 }, '"reason" is missing or has a wrong value.'],
  ])("says what a run file may hold instead of %j", async (change, fault) => {
    const desk = new Desk();
    await desk.turn(...begin);
    desk.change(change);
    expect(await desk.turn(...begin)).toBe(`2 "run.json" is not a run file: ${fault}`);
  });

  it.each([
    [{ runs: {} }, "it has 0 runs, but a run file has one."],
    [{ runs: { R1: {}, R2: {} } }, "it has 2 runs, but a run file has one."],
    [{ runs: { R1: [] } }, '"status" is missing or has a wrong value.'],
  ])("takes %j for no run file", async (file, fault) => {
    const desk = new Desk();
    writeFileSync(join(desk.cwd, "run.json"), JSON.stringify(file));
    expect(await desk.turn(...begin)).toBe(`2 "run.json" is not a run file: ${fault}`);
  });

  it("says that a turn into the end of the workflow ought to complete the run, which may still be done", async () => {
    const desk = new Desk();
    await desk.turn(...begin);
    expect(await desk.turn("--done")).toBe(
      '1 Refused: The workflow does not end in state "a": "--done" alone is for a run whose workflow has ended.',
    );
    expect(await desk.turn("--event", "Next", "--step", "1")).toBe(
      "0 agentic.tool_request.workflow__transition agentic.tool_result " +
        'The workflow has ended in state "b", but the run goes on: end it with "--done --step 1".',
    );
    const before = desk.file;
    expect(await desk.turn("--done")).toBe('1 Refused: The last step is 1: give it with "--step".');
    expect(await desk.turn("--done", "--step", "2")).toBe("1 Refused: The last step is 1, not 2.");
    expect(desk.file).toBe(before);
    expect(await desk.turn("--done", "--step", "1")).toBe("0 agent.completed");
    expect(desk.run).toMatchObject({ status: "done", state: "b", step: 1 });
    expect(await desk.turn("--done", "--step", "1")).toBe('0 Ignored: Run "R1" has ended (done).');
    expect(await desk.replay()).toBe("0 ");
  });

  it("completes a run that is over when it starts", async () => {
    const desk = new Desk(two.replace('"entry":"a"', '"entry":"b"'));
    expect(await desk.turn("--done")).toBe(
      '0 Warning: The run has not started, so this turn is ignored: start it with "--start".',
    );
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json"]);
    expect(await desk.turn(...begin)).toBe(
      '0 agentic.start The workflow has ended in state "b", but the run goes on: end it with "--done".',
    );
    expect(await desk.turn("--done")).toBe("0 agent.completed");
    expect(await desk.replay()).toBe("0 ");
  });

  it("does not complete a run that waits for a tool", async () => {
    const desk = new Desk();
    await desk.turn(...begin);
    await desk.turn("--event", "Next", "--step", "1", ...request(2));
    expect(await desk.turn("--done", "--step", "2")).toBe('1 Refused: Step 2 still waits for "fetch".');
    expect(await desk.turn(...ok(2))).toBe(
      '0 agentic.tool_result The workflow has ended in state "b", but the run goes on: end it with "--done --step 2".',
    );
    expect(await desk.turn("--done", "--step", "2")).toBe("0 agent.completed");
    expect(await desk.replay()).toBe("0 ");
  });

  it("says that the workflow has ended where no event leads on", async () => {
    const desk = new Desk();
    await desk.turn(...begin);
    expect(await desk.turn("--event", "Next", "--step", "1")).toMatch(/^0 /);
    expect(await desk.turn("--event", "Next", "--step", "2")).toBe(
      '1 Refused: The workflow has ended in state "b": no event leads on from there.',
    );
  });

  it("refuses a file that holds no run", async () => {
    const desk = new Desk();
    for (const text of ["", "[]", "{}", '{"run_id": 1}', "{"]) {
      writeFileSync(join(desk.cwd, "run.json"), text);
      expect(await desk.turn(...begin)).toMatch(/^2 "run\.json" is not a run file: /);
      expect(desk.file).toBe(text);
    }
    writeFileSync(join(desk.cwd, "run.json"), "");
    expect(await desk.turn(...begin)).toBe(
      '2 "run.json" is not a run file: The file is empty. A run must be an object with keys such as runs and last_run_id.',
    );
    writeFileSync(join(desk.cwd, "run.json"), "run_id: 1\n");
    expect(await desk.turn(...begin)).toBe(
      '2 "run.json" is not a run file: This looks like YAML, but is read as JSON. Write it as JSON.',
    );
  });

  it("reads a run file within the limits of the flags", async () => {
    const desk = new Desk(pack);
    await desk.turn(...begin);
    const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
    writeFileSync(join(desk.cwd, "run.json"), desk.file.replace("{", `{"note": ${deep},`));
    const turn = ["--event", "Next", "--step", "1"];
    expect(await desk.turn(...turn)).toBe(
      '2 "run.json" is not a run file: The values are nested more than 200 levels deep.',
    );
    expect(await desk.turn(...turn, "--max-depth", "400")).toBe(
      "0 agentic.tool_request.workflow__transition agentic.tool_result",
    );
  });

  it("says what could happen instead of an event that the state does not know", async () => {
    const desk = new Desk(two.replace('"Next":"b"', '"Next":"b","Again":"a"'));
    await desk.turn(...begin);
    expect(await desk.turn("--event", "Nxt", "--step", "1")).toBe(
      '1 Refused: State "a" has no event "Nxt", only "Next" and "Again". Did you mean "Next"?',
    );
  });

  const [guarded, back] = ['"a":{', '"on_event":{"Next":"a"}'];
  it.each([
    [guarded, '"a":{"max_visits":"2",', '"Next" leads to "a", whose guard could not be read.'],
    [
      guarded,
      '"a":{"max_visits":1,"on_max_visits":2,',
      '"Next" leads to "a", whose guard could not be read.',
    ],
    [back, '"on_event":{"Next":2}', 'the target of "Next" could not be read.'],
  ])("leaves the run as it is where %s is %s", async (from, to, said) => {
    const desk = new Desk(pack.replace(from, to));
    await desk.turn(...begin);
    await desk.turn("--event", "Next", "--step", "1");
    const before = desk.file;
    expect(await desk.turn("--event", "Next", "--step", "2")).toBe(`2 The run cannot go on: ${said}`);
    expect(desk.file).toBe(before);
  });

  it.each([
    [
      guarded,
      '"a":{"max_visits":1,"on_max_visits":"c",',
      '"Next" leads to "a", which is spent and whose on_max_visits "c" is not a state.',
    ],
    [back, '"on_event":{"Next":"c"}', '"Next" leads to "c", which is not a state.'],
    [back, '"on_event":{"Next":"A"}', '"Next" leads to "A", which is not a state. Did you mean "a"?'],
  ])("goes on once the pack is mended where %s is %s, which is not a state", async (from, to, said) => {
    const desk = new Desk(pack.replace(from, to));
    await desk.turn(...begin);
    await desk.turn("--event", "Next", "--step", "1");
    const before = desk.file;
    const turn = ["--event", "Next", "--step", "2"];
    expect(await desk.turn(...turn)).toBe(`1 Refused: ${said}`);
    expect(desk.file).toBe(before);
    writeFileSync(join(desk.cwd, "a.pack.json"), pack);
    expect(await desk.turn(...turn)).toBe("0 agentic.tool_request.workflow__transition agentic.tool_result");
  });

  it("says of an event that comes again which step is next, and nothing of tries", async () => {
    const desk = new Desk();
    await desk.turn(...begin);
    const next = ["--event", "Next", "--step", "1"];
    await desk.turn(...next);
    expect(await desk.turn(...next)).toBe("0 Ignored: This turn was already taken.");
    expect(await desk.turn(...next, "--set", "log=x")).toBe("0 Ignored: Step 1 is over; step 2 is next.");
  });

  it("says of a result that comes again that it is, and nothing of tries once the step is done", async () => {
    const desk = new Desk();
    await desk.turn(...begin, "--request", "fetch");
    const result = ["--result", "ok", "--step", "1", "--tool", "fetch"];
    await desk.turn(...result);
    expect(await desk.turn(...result)).toBe("0 Ignored: This turn was already taken.");
  });

  it.each([
    [{ status: "ended" }, '"status" is missing or has a wrong value.'],
    [{ completed_steps: ["1"] }, '"completed_steps" is missing or has a wrong value.'],
    [{ turns: {} }, '"turns" is missing or has a wrong value.'],
    [{ outbox: [1] }, '"outbox" is missing or has a wrong value.'],
    [{ step: 1, pending_step: 2, pending_tool: "t" }, "the run is at step 1 but waits for step 2."],
    [
      { status: "done", step: 1, pending_step: 1, pending_tool: "t" },
      "the run has ended but still waits for a tool.",
    ],
    [{ step: 1, pending_step: 1 }, '"pending_tool" is missing or has a wrong value.'],
    [{ pending_tool: "t" }, '"pending_step" is missing or has a wrong value.'],
    [{ goal: 1 }, '"goal" is missing or has a wrong value.'],
    [{ step: -1 }, '"step" is missing or has a wrong value.'],
    [{ step: 1.5 }, '"step" is missing or has a wrong value.'],
    [{ visit_counts: { a: "1" } }, '"visit_counts" is missing or has a wrong value.'],
    [{ visit_counts: { a: [1] } }, '"visit_counts" is missing or has a wrong value.'],
    [{ visit_counts: [] }, '"visit_counts" is missing or has a wrong value.'],
    [{ artifacts: { log: 1 } }, '"artifacts" is missing or has a wrong value.'],
    [{ outbox: [null] }, '"outbox" is missing or has a wrong value.'],
    [{ outbox: [{ type: "agentic.start" }] }, '"outbox" is missing or has a wrong value.'],
    [{ outbox: [{ payload: {} }] }, '"outbox" is missing or has a wrong value.'],
  ])("says what a run file has to hold instead of %j", async (change, fault) => {
    const desk = new Desk();
    await desk.turn(...begin);
    desk.change(change);
    expect(await desk.turn("--event", "Next", "--step", "1")).toBe(
      `2 "run.json" is not a run file: ${fault}`,
    );
  });

  it.runIf(process.platform !== "win32")("keeps a run where it lies, and who may read it", async () => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    mkdirSync(join(desk.cwd, "runs"));
    const [link, target] = [join(desk.cwd, "run.json"), join(desk.cwd, "runs/r1.json")];
    renameSync(link, target);
    symlinkSync("runs/r1.json", link);
    chmodSync(target, 0o600);
    expect(await desk.turn(...ok(1))).toBe("0 agentic.tool_result");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(desk.run).toMatchObject({ completed_steps: [1] });
    expect([readdirSync(desk.cwd), readdirSync(join(desk.cwd, "runs"))]).toEqual([
      [".git", "a.pack.json", "run.json", "runs"],
      ["r1.json"],
    ]);
  });

  it.runIf(process.platform !== "win32")("starts a run where a link leads", async () => {
    const desk = new Desk();
    mkdirSync(join(desk.cwd, "runs"));
    symlinkSync("runs/r1.json", join(desk.cwd, "run.json"));
    expect(await desk.turn(...begin)).toBe("0 agentic.start");
    expect(lstatSync(join(desk.cwd, "run.json")).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(desk.cwd, "runs"))).toEqual(["r1.json"]);
  });

  it.runIf(process.platform !== "win32").each([
    ["none/r1.json", "cannot be written: its folder does not exist"],
    ["a.pack.json/r1.json", "cannot be written: not a directory"],
    ["run.json", "cannot be written: too many symbolic links encountered"],
  ])("says why there can be no run where a link leads to %s", async (target, why) => {
    const desk = new Desk();
    symlinkSync(target, join(desk.cwd, "run.json"));
    expect(await desk.turn(...begin)).toBe(`2 "run.json" ${why}.`);
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", "run.json"]);
    expect(lstatSync(join(desk.cwd, "run.json")).isSymbolicLink()).toBe(true);
  });

  it.each([
    ["none/run.json", "cannot be written: its folder does not exist"],
    ["a.pack.json/run.json", "cannot be written: not a directory"],
    [".", "is a folder"],
  ])("says why there can be no run in %s", async (run, why) => {
    const { cwd } = new Desk();
    expect(await promptpack(["step", "a.pack.json", "--run", run, "--start"], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: `promptpack: "${run}" ${why}.\n`,
    });
    expect(readdirSync(cwd)).toEqual([".git", "a.pack.json"]);
  });
});

describe("the workspace of a run", () => {
  const turns = [
    [...begin, ...request(1)],
    [...error(1), ...request(1)],
    [...ok(1), "--attempt", "2"],
    ["--event", "Next", "--step", "2", "--set", "log=one", "--done"],
  ];
  const workspace = ["--workspace", "work"];
  const read = (desk: Desk, name: string) => readFileSync(join(desk.cwd, "work", name), "utf8");

  it("has the files of the contract, and a trace that replay accepts", async () => {
    const desk = new Desk();
    await desk.turn(...(turns[0] ?? []), ...workspace);
    writeFileSync(join(desk.cwd, "work/memory.md"), "remembered");
    for (const turn of turns.slice(1)) await desk.turn(...turn, ...workspace);
    expect(readdirSync(join(desk.cwd, "work")).sort()).toEqual([
      "artifacts",
      "context.md",
      "memory.md",
      "plan.md",
      "trace.jsonl",
    ]);
    expect(read(desk, "context.md")).toBe("# Context\n\nRun: R1\n\nGoal: go round\n");
    expect(read(desk, "memory.md")).toBe("remembered");
    expect(read(desk, "trace.jsonl")).toBe(desk.log.map((line) => `${line}\n`).join(""));
    expect(desk.run).toMatchObject({ workspace_ref: "work" });
    const replay = ["replay", "work/trace.jsonl", "--state", "run.json", ...workspace, "-f", "compact"];
    expect(await promptpack(replay, { cwd: desk.cwd })).toMatchObject({ code: 0, stdout: "" });
  });

  it("has each event once, whenever a turn was killed", async () => {
    const files = ["context.md", "memory.md", "plan.md", "trace.jsonl"];
    for (const [index] of turns.entries()) {
      const desk = new Desk();
      for (const turn of turns.slice(0, index)) await desk.turn(...turn, ...workspace);
      const [before, ran] = [desk.log.length, index > 0 && desk.file];
      const turn = [...(turns[index] ?? []), ...workspace];
      await desk.turn(...turn);
      const [after, trace, outbox] = [desk.run, read(desk, "trace.jsonl"), desk.log.slice(before)];
      // Killed before the run was saved: the turn is taken again, later.
      if (ran === false) rmSync(join(desk.cwd, "run.json"));
      else writeFileSync(join(desk.cwd, "run.json"), ran);
      for (const name of index === 0 ? files : []) rmSync(join(desk.cwd, "work", name));
      await desk.turn(...turn);
      expect(timeless(desk.run)).toEqual(timeless(after));
      expect(timeless(read(desk, "trace.jsonl"))).toEqual(timeless(trace));
      // Killed before the events were printed, with and without its part of the trace.
      desk.change({ outbox: outbox.map((line) => JSON.parse(line) as unknown) });
      await desk.turn(...turn);
      const lines = read(desk, "trace.jsonl")
        .split("\n")
        .slice(0, -1 - outbox.length);
      writeFileSync(join(desk.cwd, "work/trace.jsonl"), lines.map((line) => `${line}\n`).join(""));
      desk.change({ outbox: outbox.map((line) => JSON.parse(line) as unknown) });
      await desk.turn(...turn);
      expect(timeless(read(desk, "trace.jsonl"))).toEqual(timeless(trace));
    }
  });

  it.each<[string, (cwd: string) => void]>([
    ["a file that is a link", (cwd) => symlinkSync(join(cwd, "a.pack.json"), join(cwd, "work/plan.md"))],
    ["a trace that is a link", (cwd) => symlinkSync(join(cwd, "a.pack.json"), join(cwd, "work/trace.jsonl"))],
    ["a link for its artifacts", (cwd) => symlinkSync(cwd, join(cwd, "work/artifacts"))],
    ["a folder for a file", (cwd) => mkdirSync(join(cwd, "work/plan.md"))],
    ["a file for a folder", (cwd) => writeFileSync(join(cwd, "work/artifacts"), "")],
  ])("is not made where it has %s, and no turn is taken", async (_, prepare) => {
    const desk = new Desk();
    mkdirSync(join(desk.cwd, "work"));
    prepare(desk.cwd);
    expect(await desk.turn(...begin, ...workspace)).toMatch(/^2 "work" /);
    expect(existsSync(join(desk.cwd, "run.json"))).toBe(false);
    expect(readFileSync(join(desk.cwd, "a.pack.json"), "utf8")).toBe(two);
    expect(readdirSync(desk.cwd).sort()).toEqual([".git", "a.pack.json", "work"]);
  });

  it("is not made where a link leads out of the repository", async () => {
    const [desk, outside] = [new Desk(), folderOf({})];
    symlinkSync(outside, join(desk.cwd, "work"));
    expect(await desk.turn(...begin, ...workspace)).toMatch(/^2 "work" leads out of its folder/);
    expect(readdirSync(outside)).toEqual([".git"]);
  });
});

/** Without times, which differ where a turn is taken again. */
function timeless(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"a time"').replace(/\\?"outbox.*/, "");
}

describe("the event contract of RFC-103", () => {
  const goal = "fetch web http://mattjoyce.ai and produce a 2 para critique";

  it("is carried by a whole run, the worked example, which replay accepts with its run file", async () => {
    const desk = new Desk(two.replace('"entry":"a"', '"entry":"b"'));
    const url = { url: "http://mattjoyce.ai" };
    const start = ["--start", "--run-id", "R1", "--goal", goal, "--max-steps", "6"];
    expect(await desk.turn(...start, "--request", "fetch", "--tool-payload", JSON.stringify(url))).toBe(
      "0 agentic.start agentic.tool_request.fetch",
    );
    const created = desk.run["created_at"];
    expect(desk.run).toMatchObject({
      pending_step: 1,
      pending_tool: "fetch",
      pending_since: created,
      updated_at: created,
    });
    expect(await desk.replay()).toMatch(/^0 /);
    desk.stdin = '{"content_type": "text/html", "excerpt": "..."}';
    const fetched = [...ok(1), "--tool-result", "-", "--artifact-path", "artifacts/fetch-01.html"];
    const prompt = '{"prompt": "critique", "artifact_path": "artifacts/fetch-01.html"}';
    expect(await desk.turn(...fetched, "--request", "fabric", "--tool-payload", prompt)).toBe(
      "0 agentic.tool_result agentic.tool_request.fabric",
    );
    expect(desk.payloads(3)).toEqual([
      {
        run_id: "R1",
        step: 1,
        tool: "fetch",
        tool_command: "handle",
        tool_payload: url,
        attempt: 1,
        requested_at: created,
      },
      {
        run_id: "R1",
        step: 1,
        tool: "fetch",
        status: "ok",
        result: { artifact_path: "artifacts/fetch-01.html", content_type: "text/html", excerpt: "..." },
        error: null,
        completed_at: desk.run["updated_at"],
      },
      {
        run_id: "R1",
        step: 2,
        tool: "fabric",
        tool_command: "handle",
        tool_payload: JSON.parse(prompt) as unknown,
        attempt: 1,
        requested_at: desk.run["pending_since"],
      },
    ]);
    const critique = ["--artifact-path", "artifacts/critique.md"];
    const outcome = "Two paragraph critique generated in artifacts/critique.md";
    expect(await desk.turn(...ok(2, "fabric"), ...critique, "--done", "--outcome", outcome)).toBe(
      "0 agentic.tool_result agent.completed",
    );
    const artifacts = ["artifacts/fetch-01.html", "artifacts/critique.md"];
    expect(desk.payloads(1)).toEqual([{ run_id: "R1", goal, outcome, steps_taken: 2, artifacts }]);
    expect(desk.run).toMatchObject({ status: "done", step: 2, pending_step: null, created_at: created });
    expect(await desk.replay()).toBe("0 ");
  });

  it("has the error of a tool", async () => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    await desk.turn(...error(1), "--error", "404", "--artifact-path", "artifacts/log.txt", ...request(1));
    expect(desk.payloads(2)[0]).toMatchObject({
      status: "error",
      error: "404",
      result: { artifact_path: "artifacts/log.txt" },
    });
    await desk.turn(...ok(1), "--done");
    expect(desk.payloads(1)).toMatchObject([{ artifacts: [] }]);
    expect(await desk.replay()).toBe("0 ");
  });

  it("lists a file once", async () => {
    const desk = new Desk();
    const path = ["--artifact-path", "artifacts/a.txt"];
    await desk.turn(...begin, ...request(1));
    await desk.turn(...ok(1), ...path, ...request(2));
    await desk.turn(...ok(2), ...path, "--done");
    expect(desk.payloads(1)).toMatchObject([{ artifacts: ["artifacts/a.txt"] }]);
  });

  it("takes an answer with other words for the same turn", async () => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    await desk.turn(...error(1), "--error", "404", ...request(1));
    expect(await desk.turn(...error(1), "--error", "500", ...request(1))).toMatch(/^0 Ignored: /);
  });

  it.each<[readonly string[], string, string]>([
    [["--tool-payload", "{"], "", '"--tool-payload" cannot be read as JSON: '],
    [["--tool-payload", "[]"], "", '"--tool-payload" must be a JSON object.'],
    [["--tool-payload", "5"], "", '"--tool-payload" must be a JSON object.'],
    [["--tool-payload", "url: x"], "", '"--tool-payload" cannot be read as JSON: This looks like YAML'],
    [["--tool-payload", "-"], "", '"--tool-payload" must be a JSON object.'],
    [["--tool-payload", "-"], '"text"', '"--tool-payload" must be a JSON object.'],
    [
      ["--tool-payload", "-", "--max-depth", "9"],
      `{"a": ${"[".repeat(99)}${"]".repeat(99)}}`,
      '"--tool-payload" cannot be read as JSON: The values are nested more than 9 levels deep.',
    ],
    [
      ["--tool-payload", '{"run_id": "R2"}'],
      "",
      '"--tool-payload" cannot have "run_id", a key reserved for the run.',
    ],
    [
      ["--tool-payload", '{"tool_command": null}'],
      "",
      '"--tool-payload" cannot have "tool_command", a key reserved for the run.',
    ],
  ])("%j, with the input %s, is no payload", async (flags, stdin, said) => {
    const desk = new Desk();
    desk.stdin = stdin;
    expect(await desk.turn(...begin, ...request(1), ...flags)).toContain(`2 ${said}`);
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json"]);
  });

  it.each<[readonly string[], string]>([
    [["--artifact-path", "/etc/passwd"], 'The artifact path must be a relative path inside "artifacts/".'],
    [["--artifact-path", "artifacts/../x"], 'The artifact path must be a relative path inside "artifacts/".'],
    [
      ["--tool-result", '{"artifact_path": 5}'],
      'The artifact path must be a relative path inside "artifacts/".',
    ],
    [
      ["--tool-result", '{"artifact_path": "artifacts/a"}', "--artifact-path", "artifacts/a"],
      '"--tool-result" has an "artifact_path": leave out "--artifact-path".',
    ],
    [["--error", "x"], '"--error" can only be used with "--result error".'],
    [["--tool-payload", "{}"], '"--tool-payload" can only be used with "--request".'],
    [["--outcome", "x"], '"--outcome" can only be used with "--done".'],
    [
      ["--request", "fetch", "--tool-payload", "-", "--tool-result", "-"],
      'Only one of the pack, "--tool-payload" and "--tool-result" can be standard input.',
    ],
  ])("%j makes no sense with a result", async (flags, said) => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    const before = desk.file;
    expect(await desk.turn(...ok(1), ...flags)).toBe(`2 ${said}`);
    expect(desk.file).toBe(before);
  });

  it.each(["--tool-result", "--artifact-path", "--error"])("%s needs a result", async (flag) => {
    expect(await new Desk().turn(...begin, flag, "{}")).toBe(`2 "${flag}" can only be used with "--result".`);
  });

  it("takes keys for what they are", async () => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1), "--tool-payload", '{"__proto__": {"run_id": "R2"}}');
    expect(desk.log.at(-1)).toContain('"tool_payload":{"__proto__":{"run_id":"R2"}}');
    expect(desk.log.at(-1)).toContain('"payload":{"run_id":"R1"');
  });

  it("is read within the limits", async () => {
    const desk = new Desk();
    desk.stdin = `{"text": "${"x".repeat(5000)}"}`;
    const size = ["--tool-payload", "-", "--max-size", "4000"];
    expect(await desk.turn(...begin, ...request(1), ...size)).toBe(
      '2 "--tool-payload" cannot be read as JSON: The file has more than 4000 bytes.',
    );
  });
});

describe("the lock of a run", () => {
  const processes = "/proc/self/ns/pid";
  const numbers = existsSync(processes) ? readlinkSync(processes) : "";
  const placeOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);
  const here = placeOf(`${hostname()} ${numbers}`);
  const elsewhere = placeOf(`${hostname()} pid:[1]`);

  it.runIf(isFull).each([
    ["of this machine", `run.json.lock.${here}.${process.ppid}`, `process ${process.ppid}`],
    [
      "of another machine or container, whatever its number",
      `run.json.lock.${elsewhere}.999999999`,
      "process 999999999 on another machine or in another container",
    ],
  ])("lets no process %s write meanwhile", async (_, lock, holder) => {
    const desk = new Desk();
    writeFileSync(join(desk.cwd, lock), "");
    expect(await desk.turn(...begin)).toBe(
      `2 "run.json" is in use by ${holder}; try again in a minute, or, if that process is not promptpack, remove "${lock}".`,
    );
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", lock]);
  });

  it.runIf(isFull)("is one for all the names of a run", async () => {
    const desk = new Desk();
    await desk.turn(...begin);
    mkdirSync(join(desk.cwd, "links"));
    symlinkSync("../run.json", join(desk.cwd, "links/run.json"));
    const lock = `run.json.lock.${here}.${process.ppid}`;
    writeFileSync(join(desk.cwd, lock), "");
    const args = ["step", "a.pack.json", "--run", "links/run.json", ...begin];
    expect((await promptpack(args, { cwd: desk.cwd })).stderr).toBe(
      `promptpack: "links/run.json" is in use by process ${process.ppid}; try again in a minute, or, if that process is not promptpack, remove "${join(desk.cwd, lock)}".\n`,
    );
  });

  it.each([
    ["of another container", elsewhere, -3600],
    ["of another container, from before the clock was set back", elsewhere, 3600],
    ["whose number is another process's by now", here, -3600],
  ])("counts for nothing when it is left behind by a process %s", async (_, host, age) => {
    const desk = new Desk();
    const lock = join(desk.cwd, `run.json.lock.${host}.${process.ppid}`);
    const draft = `${lock}.${process.ppid}-0.tmp`;
    for (const left of [lock, draft]) writeFileSync(left, "");
    const { mtimeMs } = statSync(lock);
    utimesSync(lock, mtimeMs / 1000 + age, mtimeMs / 1000 + age);
    expect(await desk.turn(...begin)).toBe("0 agentic.start");
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", "run.json"]);
  });

  it("keeps a process from writing that woke up after another took the run over", async () => {
    const desk = new Desk();
    await desk.turn(...begin);
    const before = desk.file;
    const file = RunFile.open(join(desk.cwd, "run.json"), "run.json");
    rmSync(join(desk.cwd, `run.json.lock.${here}.${process.pid}`));
    expect(() => file.write("late")).toThrow(
      new UsageError(
        '"run.json" was not saved, because its lock was taken away, perhaps by a process that took over the run: take this turn again.',
      ),
    );
    file.close();
    expect(desk.file).toBe(before);
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", "run.json"]);
  });

  it("is no folder, and is not left beside one", async () => {
    const desk = new Desk();
    const lock = `run.json.lock.${here}.999999999`;
    const folders = [lock, `${lock}.999999999-0.tmp`, `run.json.lock.${elsewhere}.1`];
    for (const name of folders) mkdirSync(join(desk.cwd, name));
    expect(await desk.turn(...begin)).toBe("0 agentic.start");
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", "run.json", ...folders].sort());
  });

  it.each([
    ["run.json", "is a folder"],
    [`run.json.lock.${here}.${process.pid}`, "cannot be written: file already exists"],
  ])("is not left beside the folder %s", async (name, why) => {
    const desk = new Desk();
    mkdirSync(join(desk.cwd, name));
    expect(await desk.turn(...begin)).toBe(`2 "run.json" ${why}.`);
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", name]);
  });

  it.runIf(process.platform !== "win32")("is written through no link", async () => {
    const desk = new Desk();
    writeFileSync(join(desk.cwd, "other"), "mine");
    symlinkSync("other", join(desk.cwd, `run.json.lock.${here}.${process.pid}`));
    expect(await desk.turn(...begin)).toBe("0 agentic.start");
    expect(readFileSync(join(desk.cwd, "other"), "utf8")).toBe("mine");
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", "other", "run.json"]);
  });

  it("counts for nothing when its process is gone", async () => {
    const desk = new Desk();
    writeFileSync(join(desk.cwd, `run.json.lock.${here}.999999999`), "");
    expect(await desk.turn(...begin)).toBe("0 agentic.start");
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", "run.json"]);
  });
});
