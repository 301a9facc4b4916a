import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { folderOf, promptpack } from "./harness.js";
import { isFull } from "../runs.js";

const prompt = (id: string) =>
  `  ${id}: { id: ${id}, name: P, version: 1.0.0, system_template: Emit something. }\n`;

/** A desk that may search twice and is then stopped, an agent of its own, and odd names. */
const desk = `id: desk
name: Desk
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
${prompt("ask")}${prompt("look")}
agents:
  entry: ask
  members: { ask: {}, look: { state: search } }
workflow:
  version: 1
  entry: intake
  states:
    intake: { prompt_task: ask, on_event: { "a, [b]": search, Done: done } }
    search: { prompt_task: look, max_visits: 2, on_event: { Again: search, Found: done } }
    done: { prompt_task: ask, terminal: true }
  engine: { budget: { max_total_visits: 3 } }
`;

const paths = (args: readonly string[], text = desk) =>
  promptpack(["paths", "-", ...args], { stdin: text, cwd: folderOf({}) });

describe("promptpack paths", () => {
  it("lists the runs, how each ends, and what it adds", async () => {
    expect(await paths([])).toEqual({
      code: 0,
      stdout: `Run 1: 3 events, stopped by a guard, past the budget. New: 2 states, 2 transitions and 1 end.
  intake ─"a, [b]"→ search ─Again→ search ─Again→ search ⇒ (the run stops)

Run 2: 1 event, complete. New: 1 state, 1 transition and 1 end.
  intake ─Done→ done

Run 3: agent "look", 1 event, complete. New: 1 transition.
  search ─Found→ done

3 runs, 5 events: 3 of 3 states, 4 of 4 transitions, 0 of 0 forced exits, 2 of 2 ends.
`,
      stderr: "",
    });
  });

  it("prints one run per line", async () => {
    const { code, stdout, stderr } = await paths(["--format", "jsonl"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      [
        '{"root":"intake","events":["a, [b]","Again","Again"],"overBudget":true}',
        '{"root":"intake","events":["Done"]}',
        '{"root":"search","agent":"look","events":["Found"]}',
        "",
      ].join("\n"),
    );
  });

  it.each([2, 3, 4])("says which runs a budget of %i visits would end earlier", async (visits) => {
    const tight = desk.replace("max_total_visits: 3", `max_total_visits: ${visits}`);
    const lines = (await paths(["-f", "jsonl"], tight)).stdout.trim().split("\n");
    const isOver = lines.map((line) => line.includes('"overBudget":true'));
    expect(isOver).toEqual([visits < 4, false, false]);
    for (const [index, line] of lines.entries()) {
      const { stdout: run } = await promptpack(["simulate", "-", "-f", "jsonl", "-e", line], {
        stdin: tight,
      });
      expect(run.includes('"limit":"max_total_visits"'), line).toBe(isOver[index]);
    }
  });

  it("writes scenarios of PromptArena", async () => {
    const { stdout } = await paths(["-f", "arena"]);
    const scenarios = parseAllDocuments(stdout).map((document) => document.toJS() as Record<string, unknown>);
    expect(scenarios).toHaveLength(3);
    expect(scenarios[0]).toEqual({
      apiVersion: "promptkit.altairalabs.ai/v1alpha1",
      kind: "Scenario",
      metadata: { name: "desk-path-1" },
      spec: {
        id: "desk-path-1",
        task_type: "ask",
        description:
          'intake ─"a, [b]"→ search ─Again→ search ─Again→ search ⇒ (the run stops) (past the budget)',
        turns: ['"a, [b]"', '"Again"', '"Again"'].map((event) => ({
          role: "user",
          content: `Say something that leads to ${event}.`,
          assertions: [{ type: "state_is", params: { state: "search" } }],
        })),
        conversation_assertions: [
          { type: "workflow_transition_order", params: { sequence: ["search", "search"] } },
        ],
      },
    });
    expect(scenarios[2]).toMatchObject({
      spec: {
        task_type: "look",
        description: 'agent "look": search ─Found→ done',
        turns: [
          {
            assertions: [
              { type: "state_is", params: { state: "done" } },
              { type: "workflow_complete", params: {} },
            ],
          },
        ],
      },
    });
  });

  it("gives the user no turn while the agent keeps it", async () => {
    const kept = desk
      .replace("id: desk", 'id: desk\n$schema: "https://promptpack.org/schema/v1.7/promptpack.schema.json"')
      .replace("search: { prompt_task: look,", "search: { prompt_task: look, control: agent,");
    const { stdout } = await paths(["-f", "arena"], kept);
    expect(stdout).toContain(
      'content: "Say something that leads to \\"a, [b]\\", then \\"Again\\", then \\"Again\\"."',
    );
  });

  it("writes to a file, but to none that it reads", async () => {
    const cwd = folderOf({ "desk.pack.yaml": desk });
    const ran = await promptpack(["paths", "desk.pack.yaml", "-f", "jsonl", "-o", "out/paths.jsonl"], {
      cwd,
    });
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(join(cwd, "out/paths.jsonl"), "utf8")).toContain(
      '{"root":"intake","events":["Done"]}\n',
    );
    const refused = await promptpack(["paths", "desk.pack.yaml", "--output", "desk.pack.yaml"], { cwd });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("is an input: choose another file.");
  });

  it.each([
    [["--format", "xml"], desk, '"paths" has no format "xml". Choose "table", "jsonl" or "arena".'],
    [[], desk.replace(/workflow:[^]*/, ""), '"<stdin>" cannot be tried: the pack has no workflow.'],
    [
      [],
      desk.replace("entry: intake", "entry: intk").replace(/agents:\n.*\n.*\n/, ""),
      'The workflow has no state to start in: run "promptpack lint".',
    ],
    [["--spec-version", "9"], desk, 'There is no spec version "9".'],
    [["--max-size", "10"], desk, '"--max-size" raises the limit.'],
    [["--max-depth", "2"], desk, '"--max-depth" raises the limit.'],
    [["--max-values", "5"], desk, '"--max-values" raises the limit.'],
    [["--max-alias-nodes", "x"], desk, '"--max-alias-nodes" must be a whole number'],
  ])("%j is refused", async (args, text, message) => {
    const { code, stdout, stderr } = await paths(args, text);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it.runIf(isFull)("says what could not be decided, apart from the runs", async () => {
    const many = crowded();
    const table = await paths([], many);
    expect(table.stdout).toMatch(
      /\nRuns may be able to do more, .+: there are too many of them to find out\.\n$/,
    );
    const { stdout, stderr } = await paths(["-f", "jsonl"], many);
    expect(stderr).toMatch(/^promptpack: Runs may be able to do more, /m);
    for (const line of stdout.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("events");
  });
});

/** Too many guards to try every run, and one, of "x", that no run spends, which is not clear from the shape. */
function crowded(): string {
  const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
  const guarded = (max_visits: number, targets: readonly string[], on_max_visits = "s0"): object => ({
    prompt_task: "ask",
    max_visits,
    on_max_visits,
    on_event: Object.fromEntries(targets.map((each) => [`To${each}`, each])),
  });
  const states: [string, object][] = names.map((name, index) => [
    name,
    guarded(50, [...names.filter((_, other) => other % 3 === index % 3), "y"], names[(index + 1) % 40]),
  ]);
  return JSON.stringify({
    id: "crowd",
    version: "1.0.0",
    prompts: { ask: { id: "ask", name: "P", version: "1.0.0", system_template: "Emit something." } },
    workflow: {
      version: 1,
      entry: "s0",
      states: Object.fromEntries([...states, ["y", guarded(3, ["x"])], ["x", guarded(5, ["s0"])]]),
    },
  });
}

describe("simulate", () => {
  it("takes what paths prints", async () => {
    const { stdout } = await paths(["-f", "jsonl"]);
    const statuses = [];
    for (const line of stdout.trim().split("\n")) {
      const args = ["simulate", "-", "--no-budget", "-f", "jsonl", "--events", line];
      const { code, stdout: run, stderr } = await promptpack(args, { stdin: desk });
      expect(stderr).toBe("");
      statuses.push([code, /"status":"([\w-]+)"/.exec(run)?.[1], /"agent":"(\w+)"/.exec(run)?.[1]]);
    }
    expect(statuses).toEqual([
      [1, "budget-exhausted", undefined],
      [0, "complete", undefined],
      [0, "complete", "look"],
    ]);
  });

  it.each([
    [['{"root":"intake"}'], "The events are no run in JSON:"],
    [['{"root":"intake","events":[1]}'], "The events are no run in JSON:"],
    [['{"root":"intake","events":["Done"],"agent":1}'], "The events are no run in JSON:"],
    [["{broken"], "The events are no run in JSON:"],
    [['{"root":"intake","events":[]}', "Done"], "A run in JSON cannot be combined with other events."],
    [['{"root":"done","events":[]}'], 'The run starts in "done", but the workflow starts in "intake".'],
    [
      ['{"root":"done","agent":"look","events":[]}'],
      'The run starts in "done", but the agent "look" starts in "search".',
    ],
    [["\\{ready"], 'State "intake" has no event "{ready"'],
  ])("refuses %j", async (events, message) => {
    const args = ["simulate", "-", ...events.flatMap((each) => ["-e", each])];
    const { code, stdout, stderr } = await promptpack(args, { stdin: desk });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});
