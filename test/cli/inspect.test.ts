import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { manyGuards, support } from "../inspect/packs.js";
import { folderOf, promptpack, type Ran } from "./harness.js";
import { newestSpecVersion, specVersions } from "../../src/text/tool-info.js";

const codegen = readFileSync(new URL("../../examples/codegen.pack.yaml", import.meta.url), "utf8");

function inspect(pack: string, args: readonly string[] = []): Promise<Ran> {
  return promptpack(["inspect", "a.pack.yaml", ...args], { cwd: folderOf({ "a.pack.yaml": pack }) });
}

describe("inspect", () => {
  it("shows which states wait for a person, and which keep the conversation", async () => {
    const pack = `workflow:
  version: 1
  entry: a
  states:
    a: { persistence: persistent, on_event: { Ask: await_approval } }
    await_approval: { orchestration: external, persistence: persistent, on_event: { Approved: b } }
    b: { orchestration: "by hand", persistence: transient }
`;
    const { stdout } = await inspect(pack);
    expect(stdout.slice(stdout.indexOf("ends in"), stdout.indexOf("most visits"))).toBe(`\
ends in           b
orchestration     external (waits for a person or another system):
                  await_approval
persistence       persistent (keeps the conversation): a, await_approval
                  transient (starts a new conversation): b
shortest run      3 visits
                  a ─Ask→ await_approval ─Approved→ b
`);
    const json = JSON.parse((await inspect(pack, ["--format", "json"])).stdout) as {
      workflow: { states: { orchestration: unknown; persistence: unknown }[] };
    };
    expect(
      json.workflow.states.map(({ orchestration, persistence }) => [orchestration, persistence]),
    ).toEqual([
      [null, "persistent"],
      ["external", "persistent"],
      [null, "transient"],
    ]);
  });

  it("puts the codegen example on one screen", async () => {
    expect(await inspect(codegen)).toEqual({
      code: 0,
      stderr: "",
      stdout: `\
a.pack.yaml
codegen-agent 1.0.0: Code generation agent

spec              1.4.1
prompts           5: planner, coder, tester, reviewer, summarizer
tools             3: write_file, read_file, run_tests
fragments         0
evals             0
skills            0
agents            0
states            5: plan, implement, test, review, done

Workflow, version 2
starts in         plan
ends in           done
shortest run      5 visits
                  plan ─PlanReady→ implement ─CodeReady→ test
                    ─TestsPassed→ review ─Approved→ done
most visits       unbounded: no guard ends the loop through "review"
budget            none
most tool rounds  not set: "coder" and "tester" set no tool_policy.max_rounds

State      Prompt      Guard        Most visits  Most tool rounds
plan       planner     —            11           —
implement  coder       10 ⇒ review  10           not set
test       tester      10 ⇒ review  10           not set
review     reviewer    —            unbounded    —
done       summarizer  —            1            —

Loop
through           plan, implement, test, review
guards            implement (10 ⇒ review), test (10 ⇒ review)
no guard ends     ↻ review ─ChangesNeeded→ implement ⇒ review
bounded by        nothing

Artifact     Type              Mode     Declared by                    Read by
commit_sha   text/plain        replace  implement, test, review, done  implement, test, review, done
test_report  application/json  replace  implement, test, review        implement, review

State      Reads (PromptKit)      Set        Run without it
plan       variable requirements  sometimes  plan ─PlanReady→ i…eedsRethink→ plan
implement  artifact commit_sha    sometimes  plan ─PlanReady→ implement
implement  artifact test_report   sometimes  plan ─PlanReady→ implement
`,
    });
  });

  it("shows agents, guards, limits and the budget", async () => {
    expect((await inspect(support)).stdout).toBe(`\
a.pack.yaml
support 2.1.0: Support desk

spec              1.4.1
prompts           3: triage, solver, closer
tools             2: search, reply
fragments         1: style
evals             2: helpful, polite
skills            0
agents            2: triage (entry), solver (in solve)
states            4: intake, solve, close, attic

Workflow, version 2
starts in         intake, solve (agent solver)
ends in           close
shortest run      2 visits
                  solve ─Solved→ close
most visits       6
budget            30 visits, 600 seconds; no run needs more than 6 visits
most tool rounds  17, one turn per visit

State   Prompt  Guard         Most visits    Most tool rounds
intake  triage  3 ⇒ close     3              9
solve   solver  2, then stop  2              8
close   closer  —             1              —
attic   closer  —             never entered  —

Loop
through           intake, solve
guards            intake (3 ⇒ close), solve (2, then the run stops)
bounded by        guards

Artifact  Type           Mode     Declared by    Read by
ticket    text/plain     replace  intake         solve
notes     text/markdown  append   intake, solve  intake

State   Reads (PromptKit)  Set        Run without it
intake  artifact notes     sometimes  intake
solve   artifact ticket    sometimes  solve
`);
  });

  it("names no end that no run comes to, except in the list of all ends", async () => {
    const pack = support.replace("on_event: { Up: close }", "terminal: true");
    expect((await inspect(pack)).stdout).toContain("\nends in           close\n");
    const { stdout } = await inspect(pack, ["--format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ workflow: { ends: ["close", "attic"] } });
    const unclear = pack.replace("Clear: solve", "Clear: slve");
    expect((await inspect(unclear)).stdout).toContain("\nends in           close, attic\n");
  });

  it("says what it does not know where there are too many runs", async () => {
    const { stdout } = await inspect(manyGuards(30));
    expect(stdout.slice(stdout.indexOf("starts in"), stdout.indexOf("s1 "))).toBe(`\
starts in         s0, free (agent p)
ends in           no state
shortest run      not known
most visits       unbounded: no guard ends the loop through "free"
budget            none
most tool rounds  not known

State  Prompt  Guard          Most visits  Most tool rounds
s0     p       50, then stop  at most 50   not known
`);
    expect(stdout.slice(stdout.indexOf("… and"))).toBe(`\
… and 6 more; --format json has them all.

Loops
through           s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, 19 more
guards            s0 (50, then the run stops), s1 (50, then the run stops),
                  s2 (50, then the run stops), s3 (50, then the run stops),
                  s4 (50, then the run stops), s5 (50, then the run stops),
                  s6 (50, then the run stops), s7 (50, then the run stops),
                  s8 (50, then the run stops), s9 (50, then the run stops),
                  s10 (50, then the run stops), 19 more
bounded by        guards

through           free
guards            none
no guard ends     ↻ free ─Round→ free
bounded by        nothing

There are no artifacts.

There are too many runs to try them all: inexact values say "at most" or "not
known".
`);
  });

  it("says of a loop that is only suspected that it may never end", async () => {
    const { stdout } = await inspect(
      readFileSync("fixtures/rules/unbounded-loop/bad-too-many-runs.yaml", "utf8"),
    );
    const from = stdout.indexOf("may never end");
    expect(stdout.slice(from, stdout.indexOf("\n\n", from))).toBe(`\
may never end     desk
bounded by        not known`);
    expect(stdout.slice(stdout.lastIndexOf("\n\n"))).toBe(`

There are too many runs to try them all: inexact values say "at most" or "not
known", and a loop that "may never end" is inferred from the shape of the
workflow alone.
`);
  });

  it("says what it does not know where something could not be read", async () => {
    const { stdout } = await inspect(`
workflow:
  entry: a
  states:
    a: { max_visits: 0, on_event: { Go: b } }
    b: { max_visits: 5, on_max_visits: z, on_event: { Back: a, Done: z } }
    z: { terminal: true }
`);
    expect(stdout.slice(stdout.indexOf("starts in"))).toBe(`\
starts in         a
ends in           z
shortest run      not known
most visits       not known
budget            none
most tool rounds  not known

State  Prompt  Guard      Most visits  Most tool rounds
a      —       not known  not known    not known
b      —       5 ⇒ z      at most 5    not known
z      —       —          at most 1    not known

Loop
through           a, b
guards            a (not known), b (5 ⇒ z)
bounded by        not known

There are no artifacts.

Part of the workflow is missing, could not be read or leads nowhere, so nothing
that depends on it is known: run "promptpack lint".
`);
  });

  it.each(["", ", Out: nowhere"])(
    "does not say that a run has as many tool rounds as the budget allows where runs are not known%s",
    async (typo) => {
      const names = ["a", "b", "c", "d", "e", "f", "g"];
      const events = names.map((name) => `${name.toUpperCase()}: ${name}`).join(", ");
      const states = names.map(
        (name) => `    ${name}: { prompt_task: q, max_visits: 40, on_event: { ${events}, T: t${typo} } }\n`,
      );
      const { stdout } = await inspect(`
prompts: { p: { tools: [s], tool_policy: { max_rounds: 5 } }, q: {} }
workflow:
  entry: a
  engine: { budget: { max_total_visits: 30 } }
  states:
${states.join("")}    t: { prompt_task: p, on_event: { A: a, Out: z } }
    z: { prompt_task: q, terminal: true }
`);
      expect(stdout).toContain("\nmost tool rounds  at most 150, within the budget, one turn per visit\n");
      expect(stdout).toMatch(/^t +p +— .* at most 150$/m);
    },
  );

  it("says that tool rounds are counted within the budget, which visits are not", async () => {
    const pack = (budget: string): string => `
prompts: { p: { tools: [t], tool_policy: { max_rounds: 4 } }, q: {} }
workflow:
  entry: a
  engine: { budget: { ${budget} } }
  states:
    a: { prompt_task: p, max_visits: 5, on_max_visits: z, on_event: { Go: a, Done: z } }
    z: { prompt_task: q, terminal: true }
`;
    const linesOf = async (budget: string): Promise<unknown> =>
      (await inspect(pack(budget))).stdout.split("\n").filter((line) => /^(most tool|State|a) /.test(line));
    expect(await linesOf("max_total_visits: 3")).toEqual([
      "most tool rounds  12, within the budget, one turn per visit",
      "State  Prompt  Guard  Most visits  Most rounds in budget",
      "a      p       5 ⇒ z  5            12",
    ]);
    expect(await linesOf("max_tool_calls: 7")).toEqual([
      "most tool rounds  7, within the budget",
      "State  Prompt  Guard  Most visits  Most rounds in budget",
      "a      p       5 ⇒ z  5            7",
    ]);
    for (const idle of ["max_total_visits: 30", "max_wall_time_sec: 9"])
      expect(await linesOf(idle)).toEqual([
        "most tool rounds  20, one turn per visit",
        "State  Prompt  Guard  Most visits  Most tool rounds",
        "a      p       5 ⇒ z  5            20",
      ]);
  });

  it("says whether tool rounds have no bound, or none that the pack sets", async () => {
    const linesOf = async (p: string, q: string): Promise<unknown> => {
      const { stdout } = await inspect(`
prompts: { p: { tools: [t]${p} }, q: { tools: [t]${q} } }
workflow:
  entry: a
  states:
    a: { prompt_task: p, on_event: { Again: a, Go: b } }
    b: { prompt_task: q, terminal: true }
    c: { prompt_task: q, terminal: true }
`);
      return stdout.split("\n").filter((line) => /^(most tool|a|b) /.test(line));
    };
    const limit = ", tool_policy: { max_rounds: 4 }";
    const none = ", tool_policy: { tool_choice: none }";
    expect(await linesOf("", limit)).toEqual([
      "most tool rounds  unbounded, because the visits are",
      "a      p       —      unbounded      unbounded",
      "b      q       —      1              4",
    ]);
    expect(await linesOf(limit, "")).toEqual([
      "most tool rounds  unbounded, because the visits are",
      "a      p       —      unbounded      unbounded",
      "b      q       —      1              not set",
    ]);
    expect(await linesOf(none, none)).toEqual([
      "most tool rounds  0: no prompt that runs offers tools",
      "a      p       —      unbounded",
      "b      q       —      1",
    ]);
  });

  it("does not say that a state whose prompt is not known calls no tools", async () => {
    const linesOf = async (state: string): Promise<unknown> => {
      const { stdout } = await inspect(`
prompts: { p: { tools: [t], tool_policy: { max_rounds: 4 } }, q: {} }
workflow:
  entry: a
  states:
    a: { prompt_task: p, on_event: { Go: b } }
    b: { ${state}, on_event: { Go: c } }
    c: { prompt_task: q, terminal: true }
    never: { prompt_task: x, on_event: { Go: c } }
`);
      return stdout.split("\n").filter((line) => /^(most tool|a|b|c) /.test(line));
    };
    expect(await linesOf("prompt_task: missing")).toEqual([
      "most tool rounds  not known",
      "a      p        —      1              4",
      "b      missing  —      1              not known",
      "c      q        —      1              —",
    ]);
    expect(await linesOf("orchestration: composition, composition: x")).toEqual([
      "most tool rounds  not known",
      "a      p              —      1              4",
      "b      composition x  —      1              not known",
      "c      q              —      1              —",
    ]);
  });

  it("does not blame a prompt where more than that is unclear", async () => {
    const { stdout } = await inspect(`
prompts: { p: { tools: [t], tool_policy: { max_rounds: many } } }
workflow:
  entry: a
  states:
    a: { prompt_task: p, on_event: { Go: b } }
    b: { prompt_task: missing, terminal: true }
`);
    expect(stdout.split("\n")).toContain("most tool rounds  not known");
  });

  it("clips the widest columns of a table where the terminal is narrow", async () => {
    const pack = `
prompts: { a_prompt_for_the_plan: { tools: [t] }, p: {} }
workflow:
  entry: plan_the_implementation
  states:
    plan_the_implementation: { prompt_task: a_prompt_for_the_plan, on_event: { Go: work } }
    work: { prompt_task: p, max_visits: 3, on_max_visits: plan_the_implementation, on_event: { Done: end, Again: work } }
    end: { prompt_task: p, terminal: true }
`;
    const cwd = folderOf({ "a.pack.yaml": pack });
    const tableOf = async (columns?: number): Promise<string> => {
      const at = columns === undefined ? {} : { terminal: columns };
      const { stdout } = await promptpack(["inspect", "a.pack.yaml", "--no-color"], { cwd, ...at });
      return stdout.slice(stdout.indexOf("State "), stdout.indexOf("\n\nLoop"));
    };
    const wide = `\
State                    Prompt                 Guard                        Most visits  Most tool rounds
plan_the_implementation  a_prompt_for_the_plan  —                            unbounded    unbounded
work                     p                      3 ⇒ plan_the_implementation  3            —
end                      p                      —                            1            —`;
    expect(await tableOf()).toBe(wide);
    expect(await tableOf(110)).toBe(wide);
    expect(await tableOf(80)).toBe(`\
State            Prompt           Guard            Most visits  Most tool rounds
plan_th…ntation  a_promp…he_plan  —                unbounded    unbounded
work             p                3 ⇒ pla…ntation  3            —
end              p                —                1            —`);
  });

  it("names one of the loops that no guard ends, and counts the others", async () => {
    const { stdout } = await inspect(`
workflow:
  entry: a
  states:
    a: { on_event: { Again: a, Go: b } }
    b: { on_event: { Go: c } }
    c: { on_event: { Back: b, Out: d } }
    d: {}
`);
    expect(stdout).toContain(
      '\nmost visits       unbounded: no guard ends the loop through "a" (and 1 more\n                  loop)\n',
    );
  });

  it("says that a run can want more visits than the budget has", async () => {
    const { stdout } = await inspect(`
workflow:
  entry: a
  engine: { budget: { max_total_visits: 3 } }
  states: { a: { max_visits: 3, on_event: { Again: a, Go: b } }, b: {} }
`);
    expect(stdout).toContain("3 visits; a run can need 4 visits, and is then cut short\n");
  });

  it("names every agent that starts in a state", async () => {
    const pack = `
workflow: { entry: a, states: { a: { on_event: { E: b } }, b: { on_event: { E: c } }, c: {} } }
agents: { members: { one: { state: b }, two: { state: a }, three: { state: b }, four: { state: gone }, five: {}, six: { state: c } } }
`;
    expect((await inspect(pack)).stdout).toContain(
      "\nstarts in         a (also agent two), b (agents one, three), c (agent six)\n",
    );
    const { workflow } = JSON.parse((await inspect(pack, ["--format", "json"])).stdout);
    expect(workflow.entries).toEqual([
      { state: "a", agent: null },
      { state: "b", agent: "one" },
      { state: "a", agent: "two" },
      { state: "b", agent: "three" },
      { state: "c", agent: "six" },
    ]);
  });

  it("has the same facts as JSON", async () => {
    const { stdout, code } = await inspect(support, ["--format", "json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      file: "a.pack.yaml",
      specVersion: "1.4.1",
      agents: [
        { name: "triage", state: null, entry: true },
        { name: "solver", state: "solve", entry: false },
      ],
      workflow: { worstCaseVisits: 6, budget: { maxTotalVisits: 30, verdict: "never-reached" } },
    });
  });

  it("takes a pack without a workflow, from standard input too", async () => {
    const { stdout, code } = await promptpack(["inspect", "-"], { stdin: "id: a\nprompts: { p: {} }\n" });
    expect({ stdout, code }).toEqual({
      code: 0,
      stdout: `\
<stdin>
a

spec              ${newestSpecVersion}
prompts           1: p
tools             0
fragments         0
evals             0
skills            0
agents            0
states            0

The pack has no workflow.
`,
    });
  });

  it.each([
    ["https://promptpack.org/schema/v1.4/promptpack.schema.json", "1.4.1", null],
    [
      "https://promptpack.org/schema/v1.99/promptpack.schema.json",
      `${newestSpecVersion} (the pack names v1.99)`,
      "v1.99",
    ],
    ['"  "', newestSpecVersion, "  "],
    [
      "https://promptpack.org/schema/2025.1/promptpack.schema.json",
      `${newestSpecVersion} (the pack names 2025.1)`,
      "2025.1",
    ],
    [
      "https://example.com/a.json",
      `${newestSpecVersion} (the pack names https://example.com/a.json)`,
      "https://example.com/a.json",
    ],
  ])(
    "says so if the version that %s names is not the one it is held against",
    async (schema, spec, named) => {
      const pack = `$schema: ${schema}\nid: a\n`;
      expect((await inspect(pack)).stdout).toContain(`\nspec              ${spec}\n`);
      const { stdout } = await inspect(pack, ["--format", "json"]);
      expect(JSON.parse(stdout)).toMatchObject({
        specVersion: spec.split(" ")[0],
        unknownSpecVersion: named,
      });
      const told = await inspect(pack, ["--spec-version", "1.3.1"]);
      expect(told.stdout).toContain("\nspec              1.3.1\n");
    },
  );

  it("clips a title that has no end", async () => {
    const cwd = folderOf({ "a.pack.yaml": codegen.replace(/^name: .*$/mu, `name: ${"n".repeat(5_000)}`) });
    const { stdout } = await promptpack(["inspect", "a.pack.yaml"], { cwd });
    expect(stdout.split("\n")[1]).toHaveLength(200);
  });

  it("says when the pack has errors", async () => {
    const cwd = folderOf({ "a.pack.yaml": codegen.replace("entry: plan", "entry: pln") });
    const { code, stderr } = await promptpack(["inspect", "a.pack.yaml"], { cwd });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'promptpack: "a.pack.yaml" has 1 error, which "promptpack lint" shows.\n',
    });
  });

  it("counts no errors that the config silences", async () => {
    const cwd = folderOf({
      "a.pack.yaml": codegen.replace("entry: plan", "entry: pln"),
      "promptpack.config.yaml": "rules: { unknown-entry: off }\n",
    });
    const { code, stderr } = await promptpack(["inspect", "a.pack.yaml"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("shows names for what they are", async () => {
    const pack =
      'workflow: { entry: "a\\e[31m", states: { "a\\e[31m": { on_event: { "E\\u202e": "a\\e[31m" } } } }';
    const { stdout } = await inspect(pack);
    expect(stdout).toContain("through           a\\u001b[31m\n");
    expect(/[\u001b\u202e]/u.test(stdout)).toBe(false);
  });

  it("shows a name that is empty", async () => {
    const pack = `
prompts: { "": { evals: [{ id: "" }] } }
workflow:
  entry: ""
  states:
    "": { prompt_task: "", max_visits: 2, on_max_visits: "", artifacts: { "": { type: text/plain } }, on_event: { E: "", F: b } }
    b: { prompt_task: "" }
agents: { members: { "": { state: "" } } }
`;
    const { stdout } = await inspect(pack);
    expect(stdout.slice(stdout.indexOf("spec"))).toBe(`\
spec              ${newestSpecVersion}
prompts           1: ""
tools             0
fragments         0
evals             1: ""
skills            0
agents            1: "" (in "")
states            2: "", b

Workflow
starts in         "" (also agent "")
ends in           b
shortest run      2 visits
                  "" ─F→ b
most visits       3 (RFC 0009), unbounded (PromptKit)
budget            none
most tool rounds  0: no prompt that runs offers tools

State  Prompt  Guard   Most visits
""     ""      2 ⇒ ""  2, unbounded (PromptKit)
b      ""      —       1

Loop
through           ""
guards            "" (2 ⇒ "")
bounded by        guards

Artifact  Type        Mode     Declared by  Read by
""        text/plain  replace  ""           —
`);
  });

  it("is painted where colour is wanted", async () => {
    const { stdout } = await inspect(codegen, ["--color"]);
    expect(stdout).toContain("\u001b[33m");
    const bare = stdout.replace(/\u001b\[\d+m/gu, "");
    expect(bare).toBe((await inspect(codegen, ["--no-color"])).stdout);
  });

  it.each([
    [["inspect", "a.pack.yaml", "--format", "jsn"], '"inspect" has no format "jsn". Did you mean "json"?'],
    [
      ["inspect", "a.pack.yaml", "--spec-version", "banana"],
      `There is no spec version "banana". The known versions are ${specVersions.join(", ")} and latest.`,
    ],
    [["inspect", "b.pack.yaml"], '"b.pack.yaml" does not exist.'],
  ])("%j is refused", async (args, sentence) => {
    const cwd = folderOf({ "a.pack.yaml": codegen });
    expect(await promptpack(args, { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: `promptpack: ${sentence}\n`,
    });
  });

  it("tells why a file cannot be parsed", async () => {
    const { code, stdout, stderr } = await inspect("a: 1\nb: [");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^a\.pack\.yaml:\d+:\d+: error: .+ \[parse-error\]\n$/u);
  });

  it("shows a pack in which every state reads every artifact, and refuses to list all that", async () => {
    const names = Array.from({ length: 1_500 }, (_, index) => `n${index}`);
    const artifacts = Object.fromEntries(names.map((name) => [name, { type: "text/plain" }]));
    const reads = names.map((name) => `{{artifacts.${name}}}`).join(" ");
    const states = Object.fromEntries(names.map((name) => [name, { prompt_task: "p", terminal: true }]));
    const prompts = { p: { id: "p", name: "P", version: "1.0.0", system_template: reads } };
    const entry = { prompt_task: "p", terminal: true, artifacts };
    const workflow = { version: 2, entry: "n0", states: { ...states, n0: entry } };
    const pack = JSON.stringify({ id: "x", name: "X", version: "1.0.0", prompts, workflow });
    expect((await inspect(pack)).stdout).toContain("\n… and 1475 more.\n");
    expect(await inspect(pack, ["--format", "json"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(
        '"a.pack.yaml" has 2250000 pairs of an artifact and a state that reads it, too many to list: leave out "--format json".',
      ) as string,
    });
  });
});
