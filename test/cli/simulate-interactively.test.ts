import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run } from "../../src/cli/run.js";
import { folderOf, promptpack, type Ran } from "./harness.js";
import { isFull } from "../runs.js";

const codegen = readFileSync(new URL("../../examples/codegen.pack.yaml", import.meta.url), "utf8");

const spent = `
id: spent
workflow:
  version: 1
  entry: a
  engine: { budget: { max_total_visits: 5 } }
  states:
    a:
      max_visits: 1
      on_max_visits: b
      artifacts: { log: { type: text/plain, mode: append } }
      on_event: { Go: b }
    b: { max_visits: 2, on_event: { Back: a, Stay: b, Gone: nowhere, End: c } }
    c: { terminal: true }
`;

const endless =
  "# promptpack-disable schema\nworkflow: { entry: a, states: { a: { on_event: { Again: a } } } }";

function converse(lines: readonly string[], pack: string, args: readonly string[] = []): Promise<Ran> {
  const cwd = folderOf({ "a.pack.yaml": pack });
  return promptpack(["simulate", "a.pack.yaml", ...args], {
    cwd,
    stdin: lines.map((line) => `${line}\n`).join(""),
  });
}

describe("simulate, step by step", () => {
  it("lets a long name stand out instead of moving where the others lead", async () => {
    const long = "Wait".repeat(20);
    const pack = `workflow: { entry: a, states: { a: { on_event: { Go: b, ${long}: b, Stay: a } }, b: {} } }`;
    const { stdout } = await converse(["quit"], pack);
    const events = stdout.split("\n").filter((line) => line.includes("→"));
    expect(events.slice(0, 3)).toEqual(["  1  Go    → b", `  2  ${long}  → b`, "  3  Stay  → a"]);
  });

  it("shows the state, takes events by number and name, goes back, and prints the run", async () => {
    const lines = ["1", "set commit_sha=abc", "CodeReady", "back", "1", "2", "quit"];
    const { code, stdout, stderr } = await converse(lines, codegen);
    expect(stdout).toBe(`
plan  visit 1 · 1 visit in all
  │ You are a software architect. Turn these requirements into a plan of small …
  │ {{requirements}}
  │ When the plan stands, emit PlanReady.
  1  PlanReady  → implement
> 1

implement  visit 1 of 10 · 2 visits in all
  │ Write code that follows the plan.
  │ Last commit (none on the first visit): {{artifacts.commit_sha}}
  │ Test results: {{artifacts.test_report}}
  │ …
  commit_sha: —
  test_report: —
  1  CodeReady     → test
  2  NeedsRethink  → plan
> set commit_sha=abc
commit_sha will be filled when the run leaves "implement".
> CodeReady

test  visit 1 of 10 · 3 visits in all
  │ Run the tests against {{artifacts.commit_sha}}.
  │ Emit TestsPassed or TestsFailed.
  commit_sha: abc
  test_report: —
  1  TestsPassed  → review
  2  TestsFailed  → implement
> back

implement  visit 1 of 10 · 2 visits in all
  │ Write code that follows the plan.
  │ Last commit (none on the first visit): {{artifacts.commit_sha}}
  │ Test results: {{artifacts.test_report}}
  │ …
  commit_sha: —, then abc
  test_report: —
  1  CodeReady     → test
  2  NeedsRethink  → plan
> 1

test  visit 1 of 10 · 3 visits in all
  │ Run the tests against {{artifacts.commit_sha}}.
  │ Emit TestsPassed or TestsFailed.
  commit_sha: abc
  test_report: —
  1  TestsPassed  → review
  2  TestsFailed  → implement
> 2

implement  visit 2 of 10 · 4 visits in all
  │ Write code that follows the plan.
  │ Last commit (none on the first visit): {{artifacts.commit_sha}}
  │ Test results: {{artifacts.test_report}}
  │ …
  commit_sha: abc
  test_report: —
  1  CodeReady     → test
  2  NeedsRethink  → plan
> quit

Transition      │ Event       │ commit_sha │ test_report │
────────────────┼─────────────┼────────────┼─────────────┤
→ plan          │ (entry)     │ —          │ —           │
→ implement (1) │ PlanReady   │ —          │ —           │
→ test          │ CodeReady   │ abc        │ —           │
→ implement (2) │ TestsFailed │ abc        │ —           │

Still running in "implement" after 4 visits.
`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  });

  it("shows where forced exits lead, what stops, and what the budget leaves", async () => {
    const { stdout } = await converse(["Go", "Back", "quit"], spent);
    expect(stdout).toContain(`
b  visit 1 of 2 · 2 visits in all, budget for 3 more
  1  Back  → a (spent) ⇒ b
  2  Stay  → b
  3  Gone  ✗ "nowhere" is not a state
  4  End   → c
> Back

b  visit 2 of 2 · 3 visits in all, budget for 2 more
  1  Back  → a (spent) ⇒ b (spent) ✗ the run ends, budget-exhausted: there is no on_max_visits
  2  Stay  → b (spent) ✗ the run ends, budget-exhausted: there is no on_max_visits
  3  Gone  ✗ "nowhere" is not a state
  4  End   → c
> quit
`);
  });

  it("names the forced exit that leads nowhere", async () => {
    const pack = (guard: string) =>
      `workflow: { entry: a, states: { a: { ${guard}, on_event: { Go: a } } } }`;
    const named = await converse(["quit"], pack("max_visits: 1, on_max_visits: gone"));
    expect(named.stdout).toContain('\n  1  Go  → a (spent) ✗ on_max_visits "gone" is not a state\n');
    const unread = await converse(["quit"], pack("max_visits: none"));
    expect(unread.stdout).toContain("\n  1  Go  → a (spent) ✗ its guard could not be read\n");
  });

  it("takes variables for the prompts it may be asked for", async () => {
    const { stdout } = await converse(["render", "quit"], codegen, ["--var", "requirements=a clock"]);
    expect(stdout).toContain("\n  a clock\n");
  });

  it("goes on after the end only by going back, and ends where the input ends", async () => {
    const { stdout, code } = await converse(["Go", "Stay", "Stay", "End", "back", "End"], spent);
    expect(stdout.slice(stdout.indexOf("> Stay\n\nBudget"))).toBe(`\
> Stay

Budget exhausted in "b" after 3 visits: "Stay" leads to "b", which is spent and has no on_max_visits.
back, or quit > End
The run has ended.
back, or quit > back

b  visit 2 of 2 · 3 visits in all, budget for 2 more
  1  Back  → a (spent) ⇒ b (spent) ✗ the run ends, budget-exhausted: there is no on_max_visits
  2  Stay  → b (spent) ✗ the run ends, budget-exhausted: there is no on_max_visits
  3  Gone  ✗ "nowhere" is not a state
  4  End   → c
> End

Complete in "c" after 4 visits.
back, or quit > 

Transition │ Event   │ log │
───────────┼─────────┼─────┤
→ a        │ (entry) │ —   │
→ b (1)    │ Go      │ —   │
→ b (2)    │ Stay    │ —   │
→ c        │ End     │ —   │
`);
    expect(code).toBe(0);
  });

  it("tells below the table only what was not told above it", async () => {
    const limited = spent.replace("max_total_visits: 5", "max_tool_calls: 5");
    const { stdout } = await converse(["Go", "End"], limited);
    expect(stdout.slice(stdout.indexOf("> End"))).toBe(`\
> End

Complete in "c" after 3 visits.
back, or quit > 

Transition │ Event   │ log │
───────────┼─────────┼─────┤
→ a        │ (entry) │ —   │
→ b        │ Go      │ —   │
→ c        │ End     │ —   │

Not simulated: max_tool_calls (5) of the budget, since no tool is called.
`);
  });

  it("counts tools and time against the budget, and takes them back", async () => {
    const limited = spent.replace("max_total_visits: 5", "max_tool_calls: 5, max_wall_time_sec: 60");
    const lines = ["tools 2", "Go", "seconds 1", "tools 4", "Stay", "tools 1", "back", "back", "Go", "End"];
    const { stdout } = await converse(lines, limited);
    expect(stdout).toContain(`\
> tools 2
2 tool calls and 0 seconds so far.
> Go
`);
    expect(stdout).toContain(`\
> seconds 1
2 tool calls and 1 second so far.
> tools 4
6 tool calls and 1 second so far: the budget is used up.
> Stay

Budget exhausted in "b": it allows 5 tool calls, and 6 were made before "Stay".
back, or quit > tools 1
The run has ended.
back, or quit > back

b  visit 1 of 2 · 2 visits in all
  1  Back  ✗ the budget is used up
  2  Stay  ✗ the budget is used up
  3  Gone  ✗ the budget is used up
  4  End   ✗ the budget is used up
> back
`);
    expect(stdout).toContain("Complete in");
    expect(
      stdout.endsWith("Not simulated: max_wall_time_sec (60) of the budget, since no time passes.\n"),
    ).toBe(true);
  });

  it("fills the artifacts of the state that ends the run", async () => {
    const written = spent.replace(/c: \{/u, "c: { artifacts: { log: { type: text/plain, mode: append } },");
    const { stdout, stderr } = await converse(["Go", "End", "set log=x"], written, ["--set", "log=1"]);
    expect(stdout.slice(stdout.indexOf("> End"))).toBe(`\
> End

Complete in "c" after 3 visits.
set, back, or quit > set log=x
log is part of the output.
set, back, or quit > 

Transition │ Event    │ log  │
───────────┼──────────┼──────┤
→ a        │ (entry)  │ —    │
→ b        │ Go       │ 1    │
→ c        │ End      │ 1    │
✓ c        │ (output) │ 1\\nx │
`);
    expect(stderr).not.toContain("--set");
  });

  it("says what it does not understand, and goes on", async () => {
    const lines = ["back", "Gone", "9", "set lgo=1", "set log", "set", "help", "render", ""];
    const { stdout } = await converse(lines, spent);
    expect(stdout.slice(stdout.indexOf("> "), stdout.indexOf("\n\nTransition"))).toBe(`\
> back
There is nothing to undo: the run is at its start.
> Gone
State "a" has no event "Gone", only "Go". Type "help" for the commands.
> 9
State "a" has no event "9", only "Go". Type "help" for the commands.
> set lgo=1
State "a" declares no artifact "lgo". Did you mean "log"?
> set log
"log" is not an assignment: write name=value.
> set
"" is not an assignment: write name=value.
> help
  a number or an event   send the event
  yes, no                answer a branch of the composition; an empty line means yes
  set name=value         fill an artifact of this state
  tools 3, seconds 20    what this state uses up of the budget
  render                 show the prompt with everything filled in
  back                   undo the last step
  quit                   end here and print the run
> render
State "a" has no prompt to show.
> 
> `);
  });

  it("renders each prompt when asked to, and values that wait are filled", async () => {
    const args = ["--render", "--set", "commit_sha=abc", "--var", "requirements=a clock"];
    const { stdout } = await converse(["1", "1"], codegen, args);
    expect(stdout.slice(0, stdout.indexOf("> 1"))).toBe(`
plan  visit 1 · 1 visit in all
  1  PlanReady  → implement

The prompt "planner" in "plan"
  You are a software architect. Turn these requirements into a plan of small steps:
  a clock
  When the plan stands, emit PlanReady.
`);
    expect(stdout).toContain("\n  Run the tests against abc.\n");
  });

  it("keeps standard output for the record when one is asked for", async () => {
    const { stdout, stderr } = await converse(["1"], spent, ["--format", "jsonl"]);
    expect(stdout.split("\n").map((line) => line.slice(0, 22))).toEqual([
      '{"record":"start","sch',
      '{"record":"transition"',
      '{"record":"end","statu',
      "",
    ]);
    expect(stderr).toContain("\nb  visit 1 of 2 · 2 visits in all, budget for 3 more\n");
  });

  it("does not echo what a terminal has shown already", async () => {
    const cwd = folderOf({ "a.pack.yaml": spent });
    const { stdout } = await promptpack(["simulate", "a.pack.yaml", "--no-color"], {
      cwd,
      stdin: "Go\r\nquit",
      terminal: 60,
    });
    expect(stdout).toContain("\n  1  Go  → b\n> \nb  visit 1 of 2");
  });

  it("stops when nobody reads what it writes", async () => {
    let asked = 0;
    async function* forEver(): AsyncGenerator<string> {
      for (; asked < 1000; asked++) yield "1\n";
    }
    const stdout = { isLost: false, write: () => (stdout.isLost = asked >= 3) };
    const args = ["simulate", "a.pack.yaml"];
    const cwd = folderOf({ "a.pack.yaml": endless });
    const code = await run({ args, stdin: forEver(), stdout, stderr: { write: () => true }, cwd, env: {} });
    expect({ code, asked }).toEqual({ code: 1, asked: 3 });
  });

  it.runIf(isFull)("reads no more lines than it can remember", async () => {
    const { code, stdout, stderr } = await promptpack(["simulate", "a.pack.yaml"], {
      cwd: folderOf({ "a.pack.yaml": endless }),
      stdin: "1\n".repeat(10_001),
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "promptpack: Only the first 10000 lines were read.\n",
    });
    expect(stdout.endsWith('\n\nStill running in "a" after 10001 visits.\n')).toBe(true);
  });

  it("is painted where colour is wanted", async () => {
    const bare = (await converse(["Go"], spent)).stdout;
    const painted = (await converse(["Go"], spent, ["--color"])).stdout;
    expect(painted).not.toBe(bare);
    expect(painted.replace(/\u001b\[\d+m/gu, "")).toBe(bare);
  });

  it("cannot read both the pack and the events from standard input", async () => {
    expect(await promptpack(["simulate", "-"], { stdin: spent })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'promptpack: Standard input is the pack, so you cannot type events: use "--events" or "--random".\n',
    });
  });
});
