import { describe, expect, it } from "vitest";
import { triage } from "../composition/triage-pack.js";
import { folderOf, promptpack, type Ran } from "./harness.js";
import { newestSpecVersion } from "../../src/text/tool-info.js";

function inspect(pack: string, args: readonly string[] = []): Promise<Ran> {
  return promptpack(["inspect", "a.pack.yaml", ...args], { cwd: folderOf({ "a.pack.yaml": pack }) });
}

async function inspectJson(pack: string): Promise<Record<string, unknown>> {
  return JSON.parse((await inspect(pack, ["--format", "json"])).stdout) as Record<string, unknown>;
}

async function compositionText(pack: string): Promise<string> {
  const { stdout } = await inspect(pack);
  return stdout.slice(stdout.indexOf("Composition "));
}

describe("inspect, of a pack with compositions and providers", () => {
  it("shows what each state and each step runs", async () => {
    expect(await inspect(triage)).toEqual({
      code: 0,
      stderr: "",
      stdout: `\
a.pack.yaml
desk 1.0.0: Desk

spec              ${newestSpecVersion}
prompts           3: classify, answer, close
tools             2: orders, stock
fragments         0
evals             1: polite
skills            0
agents            0
providers         3: fast, judge (optional), voice (tts)
compositions      1: triage
states            2: intake, done

Workflow, version 1
starts in         intake
ends in           done
orchestration     composition (runs the steps of its composition): intake
shortest run      2 visits
                  intake ─Solved→ done
most visits       4
budget            none
most tool rounds  12, one turn per visit

State   Runs                Guard     Most visits  Most tool rounds
intake  composition triage  3 ⇒ done  3            12
done    close               —         1            —

Loop
through           intake
guards            intake (3 ⇒ done)
bounded by        guards

There are no artifacts.

Composition triage
run by            intake
result            reply

Step      Kind      Runs                  Depends on
kind      prompt    classify              —
route     branch    then facts, else ask  —
facts     parallel  barrier into all      —
  bought  tool      orders                —
  left    tool      stock                 —
ask       prompt    answer                —
reply     agent     answer                facts, ask
`,
    });
  });

  it("has the same facts in JSON", async () => {
    const { providers, compositions, workflow } = (await inspectJson(triage)) as {
      providers: unknown;
      compositions: { steps: unknown[] }[];
      workflow: { states: { prompt: unknown; composition: unknown }[]; toolUse: unknown };
    };
    expect(providers).toEqual([
      { key: "fast", role: "llm", optional: false },
      { key: "judge", role: "llm", optional: true },
      { key: "voice", role: "tts", optional: false },
    ]);
    const [composition] = compositions;
    expect({ ...composition, steps: composition?.steps.length }).toEqual({
      name: "triage",
      clear: true,
      exact: true,
      states: ["intake"],
      steps: 5,
      output: "reply",
      results: ["reply"],
      withoutResult: null,
    });
    const step = {
      prompt: null,
      tool: null,
      tools: null,
      provider: null,
      dependsOn: [],
      predicate: null,
      then: null,
      else: null,
      branches: [],
      reduce: null,
      runs: true,
    };
    expect(composition?.steps).toEqual([
      { ...step, id: "kind", kind: "prompt", prompt: "classify" },
      {
        ...step,
        id: "route",
        kind: "branch",
        predicate: 'kind.output.intent equals "refund"',
        then: "facts",
        else: "ask",
      },
      {
        ...step,
        id: "facts",
        kind: "parallel",
        branches: [
          { ...step, id: "bought", kind: "tool", tool: "orders" },
          { ...step, id: "left", kind: "tool", tool: "stock" },
        ],
        reduce: { strategy: "barrier", into: "all" },
      },
      { ...step, id: "ask", kind: "prompt", prompt: "answer", provider: "judge" },
      {
        ...step,
        id: "reply",
        kind: "agent",
        prompt: "answer",
        tools: ["orders"],
        dependsOn: ["facts", "ask"],
      },
    ]);
    expect(workflow.states.map(({ prompt, composition: runs }) => [prompt, runs])).toEqual([
      [null, "triage"],
      ["close", null],
    ]);
    expect(workflow.toolUse).toEqual({
      states: [
        {
          state: "intake",
          prompt: null,
          composition: "triage",
          maxRounds: 4,
          maxCallsPerTurn: null,
          worstCaseRounds: 12,
        },
      ],
      worstCaseRounds: 12,
    });
  });

  it("says when there is no result, and which step never runs", async () => {
    const pack = `compositions:
  c:
    version: 1
    output: x
    steps:
      - { id: route, kind: branch, predicate: { path: "\${input.a}", exists: true }, then: x }
      - { id: never, kind: branch, predicate: { path: "\${input.a}", op: in, value: [] }, then: lost }
      - { id: x, kind: prompt, prompt_task: p }
      - { id: lost, kind: acme.judge, depends_on: [x] }
`;
    expect(await compositionText(pack)).toBe(`\
Composition c
run by            no state
result            x; none, so that it fails, when route is false and never is
                  false

Step   Kind        Runs            Depends on
route  branch      then x          —
never  branch      then lost       —
x      prompt      p               —
lost   acme.judge  — (never runs)  x

The pack has no workflow.
`);
    expect(await compositionText(pack.replace("output: x", "output: 3"))).toContain(
      "result            not known\n",
    );
    expect((await inspectJson(pack.replace("then: x", "then: 3")))["compositions"]).toMatchObject([
      { clear: false, exact: false, results: null, withoutResult: null },
    ]);
  });

  it.each([
    [
      "termination: { max_steps: 4 }",
      "termination: { tool_called: orders }",
      'not set: "triage" sets no max_steps for an agent step',
    ],
    ["tools: [orders]\n        term", "tools: [stock]\n        term", "0: no prompt that runs offers tools"],
    ["composition: triage,", "composition: nobody,", "not known"],
  ])("counts the tool rounds of agent steps: %j, %j", async (from, to, expected) => {
    const { stdout } = await inspect(triage.replace(from, to));
    expect(stdout).toContain(`most tool rounds  ${expected}\n`);
  });
});
