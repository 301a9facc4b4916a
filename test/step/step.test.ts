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
import { describe, expect, it } from "vitest";
import { RunFile } from "../../src/cli/actions/run-file.js";
import { UsageError } from "../../src/cli/terminal/messages.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { pack } from "./turns.js";

const two = pack.replace('"on_event":{"Next":"a"}', '"terminal":true');

class Desk {
  readonly cwd: string;
  readonly log: string[] = [];

  constructor(text = two) {
    this.cwd = folderOf({ "a.pack.json": text });
  }

  /** Takes a turn: the exit code, the types of the events, and what is said. */
  async turn(...flags: readonly string[]): Promise<string> {
    const ran = await promptpack(["step", "a.pack.json", "--run", "run.json", ...flags], { cwd: this.cwd });
    const lines = ran.stdout.split("\n").slice(0, -1);
    this.log.push(...lines);
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    return [ran.code, ...types, ran.stderr.replace(/^promptpack: /u, "").trimEnd()].join(" ").trimEnd();
  }

  get file(): string {
    return readFileSync(join(this.cwd, "run.json"), "utf8");
  }

  /** What `replay` says of everything that was printed. */
  async replay(): Promise<string> {
    const record = this.log.map((line) => `${line}\n`).join("");
    const { code, stdout } = await promptpack(["replay", "-", "-f", "compact"], {
      cwd: this.cwd,
      stdin: record,
    });
    return `${code} ${stdout}`;
  }
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
    expect(JSON.parse(desk.file)).toMatchObject({
      run_id: "R1",
      status: "done",
      goal: "go round",
      state: "b",
      visit_counts: { a: 1, b: 1 },
      artifacts: { log: "one" },
      step: 3,
      max_steps: 6,
      attempt: 0,
      completed_steps: [1, 2, 3],
      pending_step: null,
      pending_tool: null,
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
      expect(JSON.parse(before)).toMatchObject({ attempt: 2 });
      expect(await desk.turn(...error(1), ...act)).toBe(
        '0 Ignored: This turn was already taken; if it is another attempt, say so with "--attempt".',
      );
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
    expect(JSON.parse(before)).toMatchObject({ attempt: 3 });
    expect(await desk.turn(...ok(1))).toBe("0 agentic.tool_result");
    expect(JSON.parse(desk.file)).toMatchObject({ turns: [expect.any(String)] });
  });

  it.each<[string, readonly string[], string]>([
    ["stale", error(1), "0 Ignored: Step 1 is over; the run is at step 2."],
    [
      "wrong tool",
      ok(2, "fabric"),
      '1 agentic.tool_result agent.escalated Step 2 waits for "fetch", not for "fabric". The run escalates.',
    ],
    ["step ahead", ok(3), "1 agent.escalated No result is expected for step 3. The run escalates."],
    [
      "error without a retry",
      error(2),
      "1 agentic.tool_result agent.escalated Step 2 failed and was not retried. The run escalates.",
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
    ["another run", [...ok(2), "--run-id", "R2"], '0 Ignored: "run.json" holds run "R1", not "R2".'],
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
      "1 agentic.tool_result agent.escalated Step 2 reaches max_steps (2). The run escalates.",
    );
    expect(await desk.turn(...ok(2))).toBe('0 Ignored: Run "R1" has ended (escalated).');
    expect(await desk.replay()).toBe("0 ");
  });

  it("reports what a killed turn could not", async () => {
    const desk = new Desk();
    await desk.turn(...begin, ...request(1));
    const run = JSON.parse(desk.file) as Record<string, unknown>;
    const lost = { type: "agent.noted", payload: {}, dedupe_key: "k" };
    writeFileSync(join(desk.cwd, "run.json"), JSON.stringify({ ...run, outbox: [lost] }));
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
    const run = JSON.parse(desk.file) as Record<string, unknown>;
    writeFileSync(join(desk.cwd, "run.json"), JSON.stringify({ ...run, outbox }));
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
    [["--start", "--step", "1"], '"--start" takes no "--step".'],
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
    [["--start", "--tool", "zzz"], '"--tool" can only be used with "--result".'],
    [["--start", "--attempt", "3"], '"--attempt" can only be used with "--result".'],
    [["--start", "--set", "log=one"], '"--set" can only be used with "--event".'],
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
      expect(JSON.parse(desk.file)).toMatchObject({ state: "b", visit_counts: { b: 1 } });
      expect(await desk.turn("--event", "Next", "--step", "1")).toMatch(/^0 agentic/);
      expect(JSON.parse(desk.file)).toMatchObject({ state: "a", visit_counts: { a: 1, b: 1 } });
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

  it("says once which part of the budget it cannot hold the run to", async () => {
    const budget = { max_total_visits: 9, max_tool_calls: 5, max_wall_time_sec: 60 };
    const { workflow, ...rest } = JSON.parse(two) as { workflow: object };
    const desk = new Desk(JSON.stringify({ ...rest, workflow: { ...workflow, engine: { budget } } }));
    expect(await desk.turn(...begin, ...request(1))).toBe(
      "0 agentic.start agentic.tool_request.fetch Not enforced: max_tool_calls (5) and max_wall_time_sec (60) of the budget, which only the runtime can measure.",
    );
    expect(await desk.turn(...ok(1))).toBe("0 agentic.tool_result");
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
    expect(JSON.parse(desk.file)).toMatchObject({ status: "done", state: "b", step: 1 });
    expect(await desk.turn("--done", "--step", "1")).toBe('0 Ignored: Run "R1" has ended (done).');
    expect(await desk.replay()).toBe("0 ");
  });

  it("completes a run that is over when it starts", async () => {
    const desk = new Desk(two.replace('"entry":"a"', '"entry":"b"'));
    expect(await desk.turn("--done")).toBe('1 Refused: The run has not started: start it with "--start".');
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
      '2 "run.json" is not a run file: The file is empty. A run must be an object with keys such as run_id and state.',
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
  it.each([[back, '"on_event":{"Next":2}', 'what "Next" leads to could not be read.']])(
    "leaves the run as it is where %s is %s",
    async (from, to, said) => {
      const desk = new Desk(pack.replace(from, to));
      await desk.turn(...begin);
      await desk.turn("--event", "Next", "--step", "1");
      const before = desk.file;
      expect(await desk.turn("--event", "Next", "--step", "2")).toBe(`2 The run cannot go on: ${said}`);
      expect(desk.file).toBe(before);
    },
  );

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
    [{ status: "ended" }, '"status" must be "running", "done" or "escalated".'],
    [{ completed_steps: ["1"] }, '"completed_steps" must be a list of whole numbers.'],
    [{ turns: {} }, '"turns" must be a list of strings.'],
    [{ outbox: [1] }, '"outbox" must be a list of events.'],
    [{ step: 1, pending_step: 2, pending_tool: "t" }, "the run is at step 1 but waits for step 2."],
    [
      { status: "done", step: 1, pending_step: 1, pending_tool: "t" },
      "the run has ended but still waits for a tool.",
    ],
    [{ step: 1, pending_step: 1 }, '"pending_tool" must be a string.'],
    [{ pending_tool: "t" }, '"pending_step" must be a whole number.'],
    [{ goal: 1 }, '"goal" must be a string.'],
    [{ step: -1 }, '"step" must be a whole number.'],
    [{ step: 1.5 }, '"step" must be a whole number.'],
    [{ visit_counts: { a: "1" } }, '"visit_counts" must have a whole number for "a".'],
    [{ visit_counts: { a: [1] } }, '"visit_counts" must have a whole number for "a".'],
    [{ visit_counts: [] }, '"visit_counts" must be an object.'],
    [{ artifacts: { log: 1 } }, '"artifacts" must have a string for "log".'],
    [{ outbox: [null] }, '"outbox" must be a list of events.'],
    [{ outbox: [{ type: "agentic.start" }] }, '"outbox" must be a list of events.'],
    [{ outbox: [{ payload: {} }] }, '"outbox" must be a list of events.'],
  ])("says what a run file has to hold instead of %j", async (change, fault) => {
    const desk = new Desk();
    await desk.turn(...begin);
    const run = JSON.parse(desk.file) as object;
    writeFileSync(join(desk.cwd, "run.json"), JSON.stringify({ ...run, ...change }));
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
    expect(JSON.parse(desk.file)).toMatchObject({ completed_steps: [1] });
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
    ["a.pack.json/r1.json", "cannot be written: a part of its path is not a folder"],
    ["run.json", "cannot be written: its symbolic links form a loop"],
  ])("says why there can be no run where a link leads to %s", async (target, why) => {
    const desk = new Desk();
    symlinkSync(target, join(desk.cwd, "run.json"));
    expect(await desk.turn(...begin)).toBe(`2 "run.json" ${why}.`);
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", "run.json"]);
    expect(lstatSync(join(desk.cwd, "run.json")).isSymbolicLink()).toBe(true);
  });

  it.each([
    ["none/run.json", "cannot be written: its folder does not exist"],
    ["a.pack.json/run.json", "cannot be written: a part of its path is not a folder"],
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

describe("the lock of a run", () => {
  const processes = "/proc/self/ns/pid";
  const numbers = existsSync(processes) ? readlinkSync(processes) : "";
  const placeOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);
  const here = placeOf(`${hostname()} ${numbers}`);
  const elsewhere = placeOf(`${hostname()} pid:[1]`);

  it.each([
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

  it("is one for all the names of a run", async () => {
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

  it("counts for nothing when its process is gone", async () => {
    const desk = new Desk();
    writeFileSync(join(desk.cwd, `run.json.lock.${here}.999999999`), "");
    expect(await desk.turn(...begin)).toBe("0 agentic.start");
    expect(readdirSync(desk.cwd)).toEqual([".git", "a.pack.json", "run.json"]);
  });
});
