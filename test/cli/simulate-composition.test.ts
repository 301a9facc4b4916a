import { describe, expect, it } from "vitest";
import { triage } from "../composition/triage-pack.js";
import { folderOf, promptpack, type Ran } from "./harness.js";

function simulate(args: readonly string[], pack = triage, stdin = ""): Promise<Ran> {
  const cwd = folderOf({ "a.pack.yaml": pack });
  return promptpack(["simulate", "a.pack.yaml", ...args], { cwd, stdin });
}

/** Two branches about one question, and a last state that runs a composition too. */
const ending = triage
  .replace(
    "done: { prompt_task: close, terminal: true }",
    "done: { orchestration: composition, composition: bye, terminal: true }",
  )
  .replace(
    "workflow:",
    `  bye:
    version: 1
    output: kiss
    steps:
      - { id: route, kind: branch, predicate: { path: "\${input.kind}", op: equals, value: friend }, then: kiss }
      - { id: same, kind: branch, predicate: { path: "\${input.kind}", op: not_equals, value: friend }, then: bow }
      - { id: kiss, kind: prompt, prompt_task: close }
      - { id: bow, kind: prompt, prompt_task: close }
      - { id: wave, kind: prompt, prompt_task: close, input: "\${bow.output}" }
workflow:`,
  );

describe("simulate, in a state that runs a composition", () => {
  it("takes answers with the events, and counts one visit whatever runs", async () => {
    expect(await simulate(["-e", "Again[route no],Solved"])).toEqual({
      code: 0,
      stderr: "",
      stdout: `\
Transition   │ Event   │
─────────────┼─────────┤
→ intake (1) │ (entry) │
→ intake (2) │ Again   │
→ done       │ Solved  │

Composition "triage" in "intake"
  ran      kind, route (no), ask, reply
  skipped  facts (bought, left)
  result   reply

Composition "triage" in "intake", visit 2
  ran      kind, route (yes), facts (bought, left), reply
  skipped  ask
  result   reply

Complete in "done" after 3 visits.
`,
    });
  });

  it("takes answers from --answer in order, also where the run ends", async () => {
    const { code, stdout, stderr } = await simulate(
      ["-e", "Again,Solved", "--answer", "route=no", "--answer", "route=yes", "--answer", "route=no"],
      ending,
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.slice(stdout.indexOf("Composition"))).toBe(`\
Composition "triage" in "intake"
  ran      kind, route (no), ask, reply
  skipped  facts (bought, left)
  result   reply

Composition "triage" in "intake", visit 2
  ran      kind, route (yes), facts (bought, left), reply
  skipped  ask
  result   reply

Composition "bye" in "done"
  ran      route (no), same (yes), bow, wave
  skipped  kiss
  fails    "output" names "kiss", which was skipped

Complete in "done" after 3 visits.
`);
  });

  it("says at which step a composition fails", async () => {
    const { stdout } = await simulate(["-e", "Solved"], ending);
    expect(stdout.slice(stdout.indexOf('Composition "bye"'))).toBe(`\
Composition "bye" in "done"
  ran      route (yes), same (no), kiss
  skipped  bow
  fails    "wave" reads \${bow.output}, and "bow" was skipped

Complete in "done" after 2 visits.
`);
  });

  it("has the walks in JSON, but not in a recorded run", async () => {
    const { stdout } = await simulate(["-e", "Solved[route n]", "-f", "json"], ending);
    const { walks } = JSON.parse(stdout) as { walks: unknown };
    expect(walks).toEqual([
      {
        state: "intake",
        visit: 1,
        composition: "triage",
        answers: [{ branch: "route", answer: false }],
        ran: ["kind", "route", "ask", "reply"],
        skipped: ["facts"],
        result: "reply",
      },
      {
        state: "done",
        visit: 1,
        composition: "bye",
        answers: [
          { branch: "route", answer: true },
          { branch: "same", answer: false },
        ],
        ran: ["route", "same", "kiss"],
        skipped: ["bow"],
        failure: '"wave" reads ${bow.output}, and "bow" was skipped',
      },
    ]);
    const recorded = await simulate(["-e", "Solved", "-f", "jsonl"], ending);
    expect(recorded.stdout.trimEnd().split("\n")).toEqual([
      '{"record":"start","schemaVersion":1,"pack":{"id":"desk","version":"1.0.0"},"state":"intake"}',
      '{"record":"transition","step":1,"from":"intake","event":"Solved","to":"done","visit":1,"total":2,"artifacts":{}}',
      '{"record":"end","status":"complete","state":"done","steps":1,"total":2,"artifacts":{}}',
    ]);
  });

  it("answers at random, by the seed, with --random", async () => {
    const first = await simulate(["--random", "9", "--seed", "3"]);
    expect((await simulate(["--random", "9", "--seed", "3"])).stdout).toBe(first.stdout);
    const seeds = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((seed) => simulate(["--random", "1", "--seed", `${seed}`])),
    );
    expect(new Set(seeds.map(({ stdout }) => /route \((yes|no)\)/.exec(stdout)?.[1]))).toEqual(
      new Set(["yes", "no"]),
    );
    const { stdout } = await simulate(["--random", "2", "--seed", "3", "--answer", "route=no"]);
    expect(stdout).toContain('Composition "triage" in "intake"\n  ran      kind, route (no), ask, reply\n');
  });

  it.each([
    [["-e", "Solved[rout no]"], 'Event 1: Composition "triage" has no branch "rout". Did you mean "route"?'],
    [["-e", "Solved[kind no]"], 'Event 1: Composition "triage" has no branch "kind". There is "route".'],
    [
      ["-e", "Solved[route maybe]"],
      '"[route maybe]" in the events is not an assignment: write [name=value], [tools 3], [seconds 20], or [branch no].',
    ],
    [["-e", "Solved", "--answer", "route"], '"route" is not an answer: write branch=yes or branch=no.'],
    [["-e", "Solved", "--answer", "=no"], '"=no" is not an answer: write branch=yes or branch=no.'],
    [
      ["-e", "Solved", "--answer", "none=no"],
      'No state runs a composition with the branch "none". There are "route" and "same".',
    ],
  ])("refuses %j", async (args, message) => {
    expect(await simulate(args, ending)).toEqual({ code: 2, stdout: "", stderr: `promptpack: ${message}\n` });
  });

  it("refuses an answer that another one decides, or that nobody asks for", async () => {
    const looping = ending.replace("composition: triage, max_visits", "composition: bye, max_visits");
    const refused = async (event: string, pack = looping) => (await simulate(["-e", event], pack)).stderr;
    expect(await refused("Solved[route no][same no]")).toBe(
      'promptpack: Event 1: Branch "same" is yes: no other answer is possible here.\n',
    );
    expect(await refused("Solved[route no][same yes]")).toBe("");
    const nested = looping
      .replace("id: same, kind: branch,", "id: same, kind: branch, depends_on: [mid],")
      .replace("then: kiss }", "then: mid }\n      - { id: mid, kind: prompt, prompt_task: close }");
    expect(await refused("Solved[route no][same no]", nested)).toBe(
      'promptpack: Event 1: Branch "same" is not asked: it is skipped.\n',
    );
    const prompts = triage.replace("orchestration: composition, composition: triage", "prompt_task: close");
    expect(await refused("Solved[route no]", prompts)).toBe(
      'promptpack: Event 1: State "intake" runs no composition, so no branch "route" is asked.\n',
    );
  });

  it("says which answers had no use, and which compositions could not be read", async () => {
    const { stderr } = await simulate(["-e", "Solved", "--answer", "route=no", "--answer", "route=no"]);
    expect(stderr).toBe(
      'promptpack: There was no use for an "--answer" of "route": the run asked no further time.\n',
    );
    const broken = triage.replace("then: facts\n", "then: 3\n");
    const { stdout } = await simulate(["-e", "Solved"], broken);
    expect(stdout).not.toContain("Composition");
    expect(stdout).toContain('Not simulated: the composition of "intake", since it could not be read.\n');
  });

  it("asks when it runs interactively, and again after a step back", async () => {
    const { stdout } = await simulate([], triage, "what\nno\nrender\nAgain\nback\n\nSolved\nquit\n");
    expect(stdout).toBe(`
intake  visit 1 of 3 · 1 visit in all
  runs the composition "triage"
  1  Solved  → done
  2  Again   → intake
route: kind.output.intent equals "refund"? (yes) > what
State "intake" has no event "what", only "Solved" and "Again". Type "help" for the commands.
route: kind.output.intent equals "refund"? (yes) > no
  ran      kind, route (no), ask, reply
  skipped  facts (bought, left)
  result   reply
> render
State "intake" runs a composition, and has no prompt of its own to show.
> Again

intake  visit 2 of 3 · 2 visits in all
  runs the composition "triage"
  1  Solved  → done
  2  Again   → intake
route: kind.output.intent equals "refund"? (yes) > back

intake  visit 1 of 3 · 1 visit in all
  runs the composition "triage"
  1  Solved  → done
  2  Again   → intake
route: kind.output.intent equals "refund"? (yes) > 
  ran      kind, route (yes), facts (bought, left), reply
  skipped  ask
  result   reply
> Solved

Complete in "done" after 2 visits.
back, or quit > quit

Transition │ Event   │
───────────┼─────────┤
→ intake   │ (entry) │
→ done     │ Solved  │

Composition "triage" in "intake"
  ran      kind, route (yes), facts (bought, left), reply
  skipped  ask
  result   reply
`);
  });
});
