import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack, type Ran } from "./harness.js";

const codegen = readFileSync(new URL("../../examples/codegen.pack.yaml", import.meta.url), "utf8");

/** One state of everything: a guard that leads out, one that stops, a ring, a name that leads nowhere, a budget. */
const corners = `# promptpack-disable schema, unknown-event-target, forced-exit-cycle, unknown-agent-member, unknown-agent-state
id: corners
prompts:
  p: { id: p, system_template: "Work on {{goal}}.\\nSo far: {{artifacts.log}}" }
workflow:
  version: 1
  entry: a
  engine: { budget: { max_total_visits: 6, max_tool_calls: 9, max_wall_time_sec: 60 } }
  states:
    a:
      prompt_task: p
      max_visits: 2
      on_max_visits: done
      artifacts: { log: { type: text/plain, mode: append }, last: { type: text/plain } }
      on_event: { Again: a, Once: once, Ring: ring, Lost: nowhere, Done: done }
    once:
      prompt_task: p
      max_visits: 1
      on_event: { Again: once, Back: a }
    ring:
      prompt_task: p
      max_visits: 1
      on_max_visits: ring
      on_event: { Again: ring }
    free:
      prompt_task: p
      on_event: { Again: free }
    done: { prompt_task: p, terminal: true }
agents:
  entry: p
  members: { q: { state: once }, r: {}, walker: { state: free }, lost: { state: frea } }
`;

function simulate(args: readonly string[], pack = corners, stdin = ""): Promise<Ran> {
  const cwd = folderOf({ "a.pack.yaml": pack });
  return promptpack(["simulate", "a.pack.yaml", ...args], { cwd, stdin });
}

describe("simulate --events", () => {
  it("reproduces the trace of RFC 0009", async () => {
    const events =
      "PlanReady,CodeReady[commit_sha=abc123],TestsFailed[test_report=2/5 pass]," +
      "CodeReady[commit_sha=def456],TestsPassed[test_report=5/5 pass],Approved";
    expect(await simulate(["--events", events], codegen)).toEqual({
      code: 0,
      stderr: "",
      stdout: `\
Transition      │ Event       │ commit_sha │ test_report │
────────────────┼─────────────┼────────────┼─────────────┤
→ plan          │ (entry)     │ —          │ —           │
→ implement (1) │ PlanReady   │ —          │ —           │
→ test (1)      │ CodeReady   │ abc123     │ —           │
→ implement (2) │ TestsFailed │ abc123     │ 2/5 pass    │
→ test (2)      │ CodeReady   │ def456     │ 2/5 pass    │
→ review        │ TestsPassed │ def456     │ 5/5 pass    │
→ done          │ Approved    │ def456     │ 5/5 pass    │

Complete in "done" after 7 visits.
`,
    });
  });

  it("shows forced exits, appended values and what of the budget it leaves out", async () => {
    const args = [
      "-e",
      "Again[log=one][last=x]",
      "-e",
      "Again[log=two][last=y]",
      "--var",
      "goal=it",
      "--render",
    ];
    expect(await simulate(args)).toEqual({
      code: 0,
      stderr: "",
      stdout: `\
Transition │ Event   │ log      │ last │
───────────┼─────────┼──────────┼──────┤
→ a (1)    │ (entry) │ —        │ —    │
→ a (2)    │ Again   │ one      │ x    │
→ a ⇒ done │ Again   │ one\\ntwo │ y    │

Complete in "done" after 3 visits.
Not simulated: max_tool_calls (9) and max_wall_time_sec (60) of the budget, since no tool is called and no time passes.

The prompt "p" in "done"
  Work on it.
  So far: one
  two
`,
    });
  });

  it.each([
    [
      "Once,Again",
      'Budget exhausted in "once" after 2 visits: "Again" leads to "once", which is spent and has no on_max_visits.',
      "✗ once",
    ],
    [
      "Ring,Again",
      'Stuck in "ring" after 2 visits: "Again" leads to "ring", and forced exits lead back to "ring".',
      "✗ ring",
    ],
    [
      "Lost",
      'Broken off in "a" after 1 visit: "Lost" leads to "nowhere", which is not a state.',
      "✗ nowhere",
    ],
    ["Once", 'Still running in "once" after 2 visits. The budget allows 4 more.', "→ once"],
  ])("%s does not complete", async (events, ending, last) => {
    const { code, stdout, stderr } = await simulate(["-e", events]);
    const [table = "", below = ""] = stdout.split("\n\n");
    expect({ code, stderr, ending: below.split("\n")[0] }).toEqual({ code: 1, stderr: "", ending });
    expect(table.split("\n").at(-1)?.split(" │ ")[0]?.trimEnd()).toBe(last);
  });

  it.each([
    [
      "max_visits: 1, on_max_visits: gone",
      'leads to "b", which is spent and whose on_max_visits "gone" is not a state.',
    ],
    ["max_visits: 1, on_max_visits: 5", 'leads to "b", whose guard could not be read.'],
    ["max_visits: 0, on_max_visits: a", 'leads to "b", whose guard could not be read.'],
  ])("a guard of %s leads nowhere", async (guard, why) => {
    const pack = `workflow: { entry: a, states: { a: { on_event: { Go: b } }, b: { ${guard}, on_event: { Back: a } } } }`;
    const { code, stdout } = await simulate(["-e", "Go,Back,Go"], pack);
    expect(code).toBe(1);
    expect(stdout.split("\n\n")[1]).toBe(`Broken off in "a" after 3 visits: "Go" ${why}\n`);
  });

  it.each([
    ["max_tool_calls: 9", "max_tool_calls (9) of the budget, since no tool is called."],
    ["max_wall_time_sec: 60", "max_wall_time_sec (60) of the budget, since no time passes."],
  ])("says why a budget of %s is not simulated", async (limit, words) => {
    const budget = /max_total_visits: 6, .* \} \}/u;
    const { stdout } = await simulate(["-e", "Done"], corners.replace(budget, `${limit} } }`));
    expect(stdout.endsWith(`\nNot simulated: ${words}\n`)).toBe(true);
  });

  it.each([
    ["Again[tools 4][seconds 60],Again[tools 5]", 'Complete in "done" after 3 visits.\n', undefined],
    [
      "Again[tools 4][seconds 50],Again[tools 6]",
      'Budget exhausted in "a": it allows 9 tool calls, and 10 were made before "Again".\n',
      "max_tool_calls",
    ],
    [
      "Again[tools 4][seconds 50],Again[seconds 11]",
      'Budget exhausted in "a": it allows 60 seconds, and 61 passed before "Again".\n',
      "max_wall_time_sec",
    ],
    [
      "Again[seconds 61]",
      'Budget exhausted in "a": it allows 60 seconds, and 61 passed before "Again".\n' +
        "Not simulated: max_tool_calls (9) of the budget, since no tool is called.\n",
      "max_wall_time_sec",
    ],
  ])("spends the budget: %s", async (events, ending, limit) => {
    const { stdout, code } = await simulate(["-e", events]);
    expect(stdout.split("\n\n")[1]).toBe(ending);
    expect(code).toBe(limit === undefined ? 0 : 1);
    const record = (await simulate(["-e", events, "-f", "jsonl"])).stdout;
    const end = JSON.parse(record.trimEnd().split("\n").at(-1) ?? "") as Record<string, unknown>;
    expect([end["status"], end["limit"]]).toEqual(
      limit === undefined ? ["complete", undefined] : ["budget-exhausted", limit],
    );
    const cwd = folderOf({ "a.pack.yaml": corners });
    const args = ["replay", "-", "--pack", "a.pack.yaml", "-f", "compact", "--rule", "run-incomplete:off"];
    expect(await promptpack(args, { cwd, stdin: record })).toEqual({ code: 0, stdout: "", stderr: "" });
    const free = await simulate(["-e", events, "--no-budget"]);
    expect(free.stdout).not.toContain("udget");
  });

  it("fills the artifacts of the state that ends the run, which are its output", async () => {
    const pack = corners.replace(
      "done: { prompt_task: p,",
      "done: { prompt_task: p, artifacts: { log: { type: text/plain, mode: append } },",
    );
    const args = ["-e", "Done", "--set", "log=one", "--set", "log=two", "--no-budget"];
    expect(await simulate([...args, "--render", "--var", "goal=it"], pack)).toEqual({
      code: 0,
      stderr: "",
      stdout: `\
Transition │ Event    │ log      │ last │
───────────┼──────────┼──────────┼──────┤
→ a        │ (entry)  │ —        │ —    │
→ done     │ Done     │ one      │ —    │
✓ done     │ (output) │ one\\ntwo │ —    │

Complete in "done" after 2 visits.

The prompt "p" in "done"
  Work on it.
  So far: one
`,
    });
    const { stdout } = await simulate([...args, "-f", "jsonl"], pack);
    expect(stdout.split("\n").slice(1)).toEqual([
      '{"record":"transition","step":1,"from":"a","event":"Done","to":"done","visit":1,"total":2,"artifacts":{"log":"one"}}',
      '{"record":"end","status":"complete","state":"done","steps":1,"total":2,"artifacts":{"log":"one\\ntwo"}}',
      "",
    ]);
    const record = folderOf({ "a.pack.yaml": pack });
    const replay = ["replay", "-", "--pack", "a.pack.yaml", "--no-budget", "-f", "compact"];
    expect(await promptpack(replay, { cwd: record, stdin: stdout })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });

  it("runs a workflow of an unknown version only if it is forced to", async () => {
    const pack = corners.replace("version: 1", "version: 3");
    const unknown = "promptpack: No published specification defines workflow version 3; the newest is 2.";
    expect(await simulate(["-e", "Done"], pack)).toEqual({
      code: 2,
      stdout: "",
      stderr: `${unknown} "--force" runs it like one of version 2.\n`,
    });
    const { stderr, code } = await simulate(["-e", "Done", "--force"], pack);
    expect(stderr).toBe(`${unknown}\n`);
    expect(code).toBe(0);
  });

  it("shows what orchestration and persistence mean for the states of the run", async () => {
    const pack = `workflow:
  version: 1
  entry: a
  states:
    a: { persistence: persistent, on_event: { Ask: await_approval } }
    b: { orchestration: hybrid, persistence: transient, on_event: { Ask: await_approval } }
    await_approval: { orchestration: external, persistence: persistent, on_event: { Approved: b } }
`;
    const { stdout } = await simulate(["-e", "Ask"], pack);
    expect(stdout.split("\n\n")[1]).toBe(`\
Still running in "await_approval" after 2 visits.
persistent (keeps the conversation): "a" and "await_approval".
external (waits for a person or another system): "await_approval".
`);
    const asked = await simulate([], pack, "Ask\nApproved\n");
    expect(asked.stdout).toContain(`
await_approval  visit 1 · 2 visits in all
  external (waits for a person or another system)
  persistent (keeps the conversation)
  1  Approved  → b
> Approved

b  visit 1 · 3 visits in all
  hybrid (may wait for a person or another system)
  transient (starts a new conversation)
  1  Ask  → await_approval
`);
  });

  it("is held to the budget, unless it is set aside", async () => {
    const args = ["--agent", "walker", "-e", "Again,Again,Again,Again,Again,Again,Again"];
    const held = await simulate(args);
    expect(held.stdout).toContain(
      "\n→ free (6)       │ Again   │ —   │ —    │\n✗ (budget spent) │ Again   │ —   │ —    │\n",
    );
    expect(held.stdout).toContain(
      '\nBudget exhausted in "free": it allows 6 visits, and "Again" would need another.\n',
    );
    expect(held.stderr).toBe("promptpack: The run ended before the last event could happen.\n");
    expect(held.code).toBe(1);
    const free = await simulate([...args, "--no-budget"]);
    expect(free.stdout.endsWith('\n\nStill running in "free" after 8 visits.\n')).toBe(true);
  });

  it.each([
    [
      ["-e", "Agian"],
      'Event 1: State "a" has no event "Agian", only "Again", "Once", "Ring", "Lost" and "Done". Did you mean "Again"?',
    ],
    [["-e", "Done,Again"], 'Event 2: "Again" cannot happen, because "done" has ended the run.'],
    [["-e", "Once,Back[log=x]"], 'Event 2: State "once" declares no artifact "log", but "a" does.'],
    [["-e", "Once,Back[zzz=x]"], 'Event 2: State "once" declares no artifact "zzz". There are none.'],
    [["-e", "Again[lgo=x]"], 'Event 1: State "a" declares no artifact "lgo". Did you mean "log"?'],
    [["-e", "Again", "--set", "zzz=1"], 'No state declares the artifact "zzz". There are "log" and "last".'],
    [["-e", "Again", "--set", "zzz"], '"zzz" is not an assignment: write name=value.'],
    [
      ["-e", "Again", "--agent", "nobody"],
      'There is no agent "nobody" with a state to start in. These agents have one: "q" and "walker".',
    ],
    [
      ["-e", "Again", "--agent", "r"],
      'There is no agent "r" with a state to start in. These agents have one: "q" and "walker".',
    ],
    [
      ["-e", "Again", "--agent", "lost"],
      'The agent "lost" starts in "frea", which is not a state. Did you mean "free"?',
    ],
    [["-e", "Again", "--random", "3"], '"--events" and "--random" cannot be used together: choose one.'],
    [["-e", "Again", "--format", "jsnl"], '"simulate" has no format "jsnl". Did you mean "jsonl"?'],
    [
      ["-e", "Again", "--format", "jsonl", "--render"],
      '"--render" cannot be used with the format "jsonl": use "table" or "json".',
    ],
    [["-e", "Again", "--seed", "1"], '"--seed" can only be used with "--random".'],
    [["-e", "Again", "--var", "goal=it"], '"--var" can only be used with "--render".'],
    [["--random", "3", "--var", "goal=it"], '"--var" can only be used with "--render".'],
    [
      ["-e", "Again", "--render", "--var", "gaol=it"],
      'No prompt declares or reads the variable "gaol". Did you mean "goal"?',
    ],
    [["--var", "log=it"], 'No prompt declares or reads the variable "log". There is "goal".'],
    [["--random", "0"], '"--random" must be a whole number from 1 to 1000000, not "0".'],
    [["--random", "3", "--seed", "x"], '"--seed" must be a whole number from 0 to 4294967295, not "x".'],
  ])("%j is refused", async (args, sentence) => {
    expect(await simulate(args)).toEqual({ code: 2, stdout: "", stderr: `promptpack: ${sentence}\n` });
  });

  it("writes values that wait one by one, and says which were never written", async () => {
    const args = [
      "--set",
      "log=one",
      "--set",
      "log=two",
      "--set",
      "log=three",
      "-e",
      "Again,Once",
      "-f",
      "jsonl",
    ];
    const { stdout, stderr, code } = await simulate(args);
    expect(stdout).toBe(`\
{"record":"start","schemaVersion":1,"pack":{"id":"corners"},"budget":{"maxTotalVisits":6},"state":"a"}
{"record":"transition","step":1,"from":"a","event":"Again","to":"a","visit":2,"total":2,"artifacts":{"log":"one"}}
{"record":"transition","step":2,"from":"a","event":"Once","to":"once","visit":1,"total":3,"artifacts":{"log":"one\\ntwo"}}
{"record":"end","status":"running","state":"once","steps":2,"total":3,"artifacts":{"log":"one\\ntwo"}}
`);
    expect(stderr).toBe(
      'promptpack: There was no use for a "--set" value of "log": the run left no further state that declares it, and did not end in one.\n',
    );
    expect(code).toBe(1);
  });

  it("names the state to which forced exits lead again", async () => {
    const guard = (then: string): string => `max_visits: 1, on_max_visits: ${then}`;
    const pack = `
workflow:
  entry: x
  states:
    x: { ${guard("s1")}, on_event: { Go: s1 } }
    s1: { ${guard("s2")}, on_event: { Go: s2 } }
    s2: { ${guard("s1")}, on_event: { Back: x } }
`;
    const { stdout } = await promptpack(["simulate", "a.pack.yaml", "-e", "Go,Go,Back"], {
      cwd: folderOf({ "a.pack.yaml": pack }),
    });
    expect(stdout).toContain('"Back" leads to "x" ⇒ "s1" ⇒ "s2", and forced exits lead back to "s1".\n');
  });

  it.each([
    [0, "(9 artifacts not shown.)"],
    [8, "(1 more artifact not shown.)"],
    [7, "(2 more artifacts not shown.)"],
  ])("shows the artifacts that are filled where there are many: %i of 9", async (filled, note) => {
    const names = Array.from({ length: 9 }, (_, index) => `n${index}`);
    const artifacts = names.map((name) => `${name}: { type: text/plain }`).join(", ");
    const pack = `workflow: { entry: a, states: { a: { artifacts: { ${artifacts} }, on_event: { Go: b } }, b: {} } }`;
    const sets = names.slice(0, filled).flatMap((name) => ["--set", `${name}=1`]);
    const { stdout } = await promptpack(["simulate", "a.pack.yaml", "-e", "Go", ...sets], {
      cwd: folderOf({ "a.pack.yaml": pack }),
    });
    expect(stdout.split("\n").find((line) => line.startsWith("("))).toBe(note);
  });

  it("says which artifacts no state was left to fill", async () => {
    const { stderr } = await simulate(["--set", "log=1", "--set", "last=2", "-e", "Back", "--agent", "q"]);
    expect(stderr).toBe(
      'promptpack: There was no use for a "--set" value of "log" and "last": ' +
        "the run left no further state that declares them, and did not end in one.\n",
    );
  });

  it("writes the run as one JSON document, too", async () => {
    const { stdout } = await simulate(["-e", "Again", "--agent", "q", "-f", "json"]);
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      start: {
        record: "start",
        schemaVersion: 1,
        pack: { id: "corners" },
        agent: "q",
        budget: { maxTotalVisits: 6 },
        state: "once",
      },
      transitions: [],
      end: {
        record: "end",
        status: "budget-exhausted",
        state: "once",
        steps: 0,
        total: 1,
        event: "Again",
        target: "once",
        forced: ["once"],
        limit: "max_visits",
        artifacts: {},
      },
    });
  });

  it("shows names and values for what they are", async () => {
    const pack = `
workflow:
  version: 1
  entry: a
  states:
    a: { artifacts: { "x\\u202e": { type: text/plain } }, on_event: { "E\\e[31m": b } }
    b: { terminal: true }
`;
    const { stdout } = await simulate(
      ["-e", "E\u001b[31m".replace("[", "\\["), "--set", "x\u202e=\u001b[2J"],
      pack,
    );
    expect(stdout).toBe(`\
Transition │ Event       │ x\\u202e   │
───────────┼─────────────┼───────────┤
→ a        │ (entry)     │ —         │
→ b        │ E\\u001b[31m │ \\u001b[2J │

Complete in "b" after 2 visits.
`);
  });

  it.each([
    ["id: a", '"a.pack.yaml" cannot be simulated: the pack has no workflow.'],
    ["workflow: { entry: b, states: { a: {} } }", `The workflow's entry "b" is not a state.`],
    ["workflow: { states: { a: {} } }", 'The workflow has no state to start in: run "promptpack lint".'],
    [
      "workflow: { entry: 1, states: { 1: {} } }",
      'The workflow has no state to start in: run "promptpack lint".',
    ],
  ])("%s cannot be simulated", async (pack, sentence) => {
    expect(await simulate(["-e", "A"], pack)).toEqual({
      code: 2,
      stdout: "",
      stderr: `promptpack: ${sentence}\n`,
    });
  });

  it("breaks what it says of the end where a terminal is narrow, and nowhere else", async () => {
    const cwd = folderOf({ "a.pack.yaml": corners });
    const below = async (terminal?: number): Promise<string> => {
      const args = ["simulate", "a.pack.yaml", "-e", "Once,Again", "--no-color"];
      const { stdout } = await promptpack(args, { cwd, ...(terminal !== undefined && { terminal }) });
      return stdout.slice(stdout.indexOf("\n\n") + 2);
    };
    const lines = (await below(40)).trimEnd().split("\n");
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
    const whole = (await below()).trimEnd().split("\n");
    expect(whole).toHaveLength(2);
    expect(lines.join(" ")).toBe(whole.join(" "));
  });

  it("tells why a file is no pack", async () => {
    expect(await simulate(["-e", "A"], "a: [")).toMatchObject({ code: 2, stdout: "" });
    const source = await simulate(["-e", "A"], "apiVersion: v1\nkind: PromptConfig\n");
    expect(source.code).toBe(2);
    expect(source.stderr).toBe(
      'a.pack.yaml:2:7: error: This is a source file of kind "PromptConfig" of a PromptKit project, not a pack. Lint the head (kind: Arena) of a project that lists it. [not-a-pack]\n',
    );
  });

  it("finds the one pack of a folder, and asks which of two", async () => {
    const one = folderOf({ "packs/a.pack.yaml": corners });
    expect((await promptpack(["simulate", "packs", "-e", "Done"], { cwd: one })).code).toBe(0);
    const two = folderOf({ "a.pack.yaml": corners, "b.pack.yaml": corners });
    expect(await promptpack(["simulate", ".", "-e", "Done"], { cwd: two })).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: "." holds several packs ("a.pack.yaml" and "b.pack.yaml"): name one.\n',
    });
  });
});

describe("simulate --random", () => {
  it("is the same for the same seed, and ends with the run", async () => {
    const first = await simulate(["--random", "40", "--seed", "7"], codegen);
    expect(await simulate(["--random", "40", "--seed", "7"], codegen)).toEqual(first);
    expect(first.stdout.split("\n").slice(2, 6)).toEqual([
      "→ plan (1)      │ (entry)       │ —          │ —           │",
      "→ implement (1) │ PlanReady     │ —          │ —           │",
      "→ plan (2)      │ NeedsRethink  │ —          │ —           │",
      "→ implement (2) │ PlanReady     │ —          │ —           │",
    ]);
    expect(first.stdout.endsWith('\n\nComplete in "done" after 22 visits.\n')).toBe(true);
    expect(first.code).toBe(0);
    const byDefault = await simulate(["--random", "40"], codegen);
    expect(byDefault).toEqual(await simulate(["--random", "40", "--seed", "1"], codegen));
    expect(byDefault).not.toEqual(first);
  });

  it("makes no more events than asked for", async () => {
    const { stdout } = await simulate(["--random", "5", "--agent", "walker", "--no-budget", "-f", "jsonl"]);
    expect(stdout.trimEnd().split("\n").length).toBe(7);
  });
});
