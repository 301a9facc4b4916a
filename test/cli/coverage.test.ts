import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { randomMachine } from "../machine/random-machine.js";
import { contextOf } from "../replay/context-of.js";
import { runs } from "../runs.js";
import { machinePack } from "../simulate/machine-pack.js";
import { folderOf, promptpack } from "./harness.js";

/** A search that is redirected to a person after two visits, and a review that is stopped after one. */
const pack = JSON.stringify({
  id: "desk",
  name: "Desk",
  version: "1.0.0",
  template_engine: { version: "v1", syntax: "{{variable}}" },
  prompts: { ask: { id: "ask", name: "Ask", version: "1.0.0", system_template: "Emit Search or Review." } },
  workflow: {
    version: 1,
    entry: "intake",
    states: {
      intake: { prompt_task: "ask", on_event: { Search: "search", Review: "review" } },
      search: { prompt_task: "ask", max_visits: 2, on_max_visits: "human", on_event: { Back: "intake" } },
      review: { prompt_task: "ask", max_visits: 1, on_event: { Back: "intake" } },
      human: { prompt_task: "ask", terminal: true },
      lost: { prompt_task: "ask", on_event: { Back: "intake" } },
    },
    engine: { budget: { max_total_visits: 20 } },
  },
});

async function simulated(events: string, text = pack): Promise<string> {
  const args = ["simulate", "-", "--no-budget", "-f", "jsonl", "-e", events];
  return (await promptpack(args, { stdin: text, cwd: folderOf({}) })).stdout;
}

const toHuman = "Search,Back,Search,Back,Search";

async function coverage(records: Readonly<Record<string, string>>, ...args: string[]) {
  const cwd = folderOf({ "desk.pack.json": pack, ...records });
  return promptpack(["coverage", "desk.pack.json", ...Object.keys(records), ...args], { cwd });
}

interface Count {
  readonly seen: number;
  readonly total: number;
  readonly missing: readonly unknown[];
}
type Counts = Readonly<Record<"states" | "transitions" | "forcedExits" | "ends", Count>>;

/** The number of things seen, by part. */
async function seenIn(records: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const { stdout } = await coverage(records, "-f", "json");
  const { states, transitions, forcedExits, ends } = JSON.parse(stdout) as Counts;
  return [states, transitions, forcedExits, ends].map(({ seen }) => seen);
}

describe("promptpack coverage", () => {
  it("shows what was tried, and what was not", async () => {
    expect(await coverage({ "a.jsonl": await simulated(toHuman) })).toEqual({
      code: 0,
      stdout: `             │ Tried │ Of │ Share │
─────────────┼───────┼────┼───────┤
States       │ 3     │ 4  │ 75 %  │
Transitions  │ 2     │ 4  │ 50 %  │
Forced exits │ 1     │ 1  │ 100 % │
Ends         │ 1     │ 2  │ 50 %  │

1 run. Never tried:
  state       review
  transition  intake ─Review→
  transition  review ─Back→
  end         stopped at review
`,
      stderr: "",
    });
  });

  it("adds up several records, and several runs in one", async () => {
    const [a, b] = [await simulated(toHuman), await simulated("Review,Back,Review")];
    const nothing = "\n2 runs. Never tried: nothing.\n";
    expect((await coverage({ "a.jsonl": a, "b.jsonl": b })).stdout).toContain(nothing);
    expect((await coverage({ "a.jsonl": a + b })).stdout).toContain(nothing);
    // The first was broken off before its end.
    const cut = a.split("\n").slice(0, -2).join("\n");
    expect(await coverage({ "a.jsonl": `${cut}\n${b}` })).toMatchObject({
      stdout: expect.stringContaining(nothing) as string,
      stderr: "",
    });
  });

  it("prints Markdown", async () => {
    const { stdout } = await coverage({ "a.jsonl": await simulated(toHuman) }, "--format", "markdown");
    expect(stdout).toBe(`## Coverage of 1 recorded run

|  | Tried | Of | Share |
| --- | ---: | ---: | ---: |
| States | 3 | 4 | 75 % |
| Transitions | 2 | 4 | 50 % |
| Forced exits | 1 | 1 | 100 % |
| Ends | 1 | 2 | 50 % |

Never tried:

\`\`\`text
state       review
transition  intake ─Review→
transition  review ─Back→
end         stopped at review
\`\`\`
`);
  });

  it("prints JSON", async () => {
    const { stdout } = await coverage({ "a.jsonl": await simulated("Search") }, "-f", "json");
    expect(JSON.parse(stdout)).toEqual({
      runs: 1,
      states: { seen: 2, total: 4, missing: ["review", "human"] },
      transitions: {
        seen: 1,
        total: 4,
        missing: [
          { state: "intake", event: "Review" },
          { state: "search", event: "Back" },
          { state: "review", event: "Back" },
        ],
      },
      forcedExits: { seen: 0, total: 1, missing: [{ state: "search", to: "human" }] },
      ends: {
        seen: 0,
        total: 2,
        missing: [
          { state: "review", end: "stopped" },
          { state: "human", end: "complete" },
        ],
      },
    });
  });

  it("reads a saved context, also one whose beginning is gone", async () => {
    const record = await simulated(toHuman);
    expect(await seenIn({ "a.json": JSON.stringify(contextOf(record)) })).toEqual([3, 2, 1, 1]);
    const endless = pack.replace('"max_visits":2,"on_max_visits":"human",', "");
    const long = contextOf(await simulated(`Review,Back,${"Search,Back,".repeat(600)}`, endless));
    const cwd = folderOf({ "desk.pack.json": endless, "a.json": JSON.stringify(long) });
    const { stdout, stderr } = await promptpack(["coverage", "desk.pack.json", "a.json", "-f", "json"], {
      cwd,
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({ states: { seen: 2 }, transitions: { seen: 2 } });
  });

  it("counts a run up to where it does not fit the workflow, and says so", async () => {
    const record = await simulated(toHuman);
    const broken = record.replace('"to":"intake"', '"to":"human"');
    const { code, stderr } = await coverage({ "a.jsonl": broken });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'promptpack: "a.jsonl" does not fit the workflow from line 3 on, and counts only up to there: "promptpack replay" says why.\n',
    });
    expect(await seenIn({ "a.jsonl": broken })).toEqual([2, 1, 0, 0]);
    const second = await coverage({ "a.jsonl": record + broken });
    expect(second.stderr).toBe(
      'promptpack: In "a.jsonl", 1 of 2 runs do not fit the workflow, the first from line 10 on, and count only up to there.\n',
    );
  });

  const lines = async (): Promise<readonly string[]> =>
    (await simulated("Review,Back,Review")).trim().split("\n");
  it.each<[string, (lines: readonly string[]) => readonly string[], readonly number[]]>([
    ["starts elsewhere", ([, ...rest]) => ['{"record":"start","state":"search"}', ...rest], [0, 0, 0, 0]],
    ["has no start", ([, ...rest]) => rest, [0, 0, 0, 0]],
    ["lost a transition", (all) => all.toSpliced(1, 1), [1, 0, 0, 0]],
    ["repeats a transition", (all) => all.toSpliced(1, 0, all[1] ?? ""), [2, 1, 0, 0]],
    ["has a line of another kind", (all) => all.toSpliced(1, 0, '{"record":"note"}'), [1, 0, 0, 0]],
    ["names an unknown event", (all) => all.map((line) => line.replace("Back", "Bake")), [2, 1, 0, 0]],
    ["names an unknown state", (all) => all.map((line) => line.replaceAll("review", "revue")), [1, 0, 0, 0]],
    [
      "ends elsewhere",
      (all) => all.map((line) => line.replace('ed","state":"intake', 'ed","state":"search')),
      [2, 2, 0, 0],
    ],
    [
      "ends by an unknown event",
      (all) =>
        all.map((line) => line.replace(/("limit.*|"record":"end".*)"event":"Review"/, '$1"event":"Nope"')),
      [2, 2, 0, 0],
    ],
    ["goes on after its end", (all) => [...all, all[1] ?? ""], [2, 2, 0, 1]],
  ])("a run that %s counts only as far as it fits", async (_, change, seen) => {
    const record = `${change(await lines()).join("\n")}\n`;
    expect(await seenIn({ "a.jsonl": record })).toEqual(seen);
    expect((await coverage({ "a.jsonl": record })).stderr).toContain(
      '"a.jsonl" does not fit the workflow from line',
    );
  });

  it("does not count the event at which the budget ended a run", async () => {
    const tight = pack.replace('"max_total_visits":20', '"max_total_visits":2');
    const args = ["simulate", "-", "-f", "jsonl", "-e", "Search,Back"];
    const { stdout } = await promptpack(args, { stdin: tight, cwd: folderOf({}) });
    expect(stdout).toContain('"limit":"max_total_visits"');
    expect(await seenIn({ "a.jsonl": stdout })).toEqual([2, 1, 0, 0]);
    expect((await coverage({ "a.jsonl": stdout })).stderr).toBe("");
  });

  it.each([
    ["50", 0, ""],
    ["51", 1, "promptpack: The runs tried 50 % of the transitions, less than 51 %.\n"],
    ["100", 1, "promptpack: The runs tried 50 % of the transitions, less than 100 %.\n"],
  ])("--min %s exits with %i", async (min, code, stderr) => {
    const ran = await coverage({ "a.jsonl": await simulated(toHuman) }, "--min", min);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code, stderr });
  });

  it("counts the lines before one that is cut off", async () => {
    const cwd = folderOf({
      "a.pack.yaml": pack,
      "a.jsonl": '{"record":"start","state":"intake"}\n{"record":',
    });
    const { code, stdout, stderr } = await promptpack(["coverage", "a.pack.yaml", "a.jsonl"], { cwd });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "promptpack: a.jsonl:2:11: The last line is cut off; only the lines before it are checked.\n",
    });
    expect(stdout).toMatch(/^States +│ 1 /m);
  });

  it.each([
    [["--min", "101"], "{}", '"--min" must be a whole number from 0 to 100, not "101".'],
    [["--min", "80%"], "{}", '"--min" must be a whole number from 0 to 100, not "80%".'],
    [["-f", "xml"], "{}", '"coverage" has no format "xml".'],
    [[], "", '"a.jsonl" is empty: there is no record in it.'],
    [[], '{"a":1}', '"a.jsonl" is not the record of a run'],
    [
      [],
      '{"type":"loop.start"}',
      '"a.jsonl" is a log of RFC-103 events, which names no states of a workflow.',
    ],
    [["none.jsonl"], '{"record":"start","state":"intake"}', '"none.jsonl" does not exist.'],
    [["-", "-"], "{}", "Standard input can be only one of the files: give the others by name."],
    [["--spec-version", "9"], "{}", 'There is no spec version "9".'],
    [["--max-size", "10"], "{}", '"--max-size" raises the limit.'],
    [["--max-depth", "1"], "{}", '"--max-depth" raises the limit.'],
    [["--max-values", "5"], "{}", '"--max-values" raises the limit.'],
    [["--max-alias-nodes", "x"], "{}", '"--max-alias-nodes" must be a whole number'],
  ])("%j is refused", async (args, record, message) => {
    const { code, stdout, stderr } = await coverage({ "a.jsonl": record }, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

it("every run that paths prints, simulated, makes 100 %", async () => {
  let ends = 0;
  await fc.assert(
    fc.asyncProperty(randomMachine(6), async (machine) => {
      const cwd = folderOf({ "a.pack.json": machinePack(machine) });
      const { stdout } = await promptpack(["paths", "a.pack.json", "-f", "jsonl"], { cwd });
      const records: string[] = [];
      for (const line of stdout.trim().split("\n")) {
        const args = ["simulate", "a.pack.json", "--no-budget", "-f", "jsonl", "-e", line];
        records.push((await promptpack(args, { cwd })).stdout);
      }
      writeFileSync(join(cwd, "a.jsonl"), records.join(""));
      const ran = await promptpack(["coverage", "a.pack.json", "a.jsonl", "-f", "json", "--min", "100"], {
        cwd,
      });
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).not.toContain("does not fit");
      const counts = JSON.parse(ran.stdout) as Counts;
      for (const part of ["states", "transitions", "forcedExits", "ends"] as const) {
        expect(counts[part].missing, part).toEqual([]);
        expect(counts[part].seen).toBe(counts[part].total);
      }
      ends += counts.ends.total;
    }),
    { numRuns: runs(300), seed: 35 },
  );
  expect(ends).toBeGreaterThan(0);
});

describe("graph --coverage", () => {
  const drawn = async (format: string, ...more: readonly string[]) => {
    const cwd = folderOf({
      "desk.pack.json": pack,
      "a.jsonl": await simulated(toHuman),
      "b.jsonl": await simulated("Search"),
    });
    return promptpack(
      ["graph", "desk.pack.json", "-f", format, "--coverage", "a.jsonl", "b.jsonl", ...more],
      { cwd },
    );
  };

  it("paints what was tried, in every format", async () => {
    const { stdout, stderr } = await drawn("json");
    expect(stderr).toBe("");
    interface Painted {
      readonly kind: string;
      readonly name?: string;
      readonly events?: readonly string[];
      readonly paint?: string;
    }
    const { nodes, edges } = JSON.parse(stdout) as Record<"nodes" | "edges", readonly Painted[]>;
    expect(nodes.map(({ name, paint }) => [name, paint])).toEqual([
      [undefined, undefined],
      ["intake", "tried"],
      ["search", "tried"],
      ["review", "untried"],
      ["human", "tried"],
      ["lost", "unreachable"],
    ]);
    expect(edges.map(({ kind, events, paint }) => [events?.join() ?? kind, paint])).toEqual([
      ["start", undefined],
      ["Search", "tried"],
      ["Review", "untried"],
      ["Back", "tried"],
      ["forced", "tried"],
      ["Back", "untried"],
      ["Back", undefined],
    ]);
    expect((await drawn("mermaid")).stdout).toContain("class s2 untried");
    expect((await drawn("dot")).stdout).toContain("■</font> never tried");
    expect((await drawn("svg")).stdout).toContain(">never tried</text>");
    expect((await drawn("html")).stdout).toContain("</svg> never tried</li>");
  });

  it("paints an edge in part where only some of its events were sent", async () => {
    const two = pack.replace('"Review":"review"', '"Review":"review","Check":"review"');
    const cwd = folderOf({ "desk.pack.json": two, "a.jsonl": await simulated("Check", two) });
    const { stdout } = await promptpack(["graph", "desk.pack.json", "-f", "json", "--coverage", "a.jsonl"], {
      cwd,
    });
    expect(stdout).toMatch(/"Review",\s+"Check"\s+\],\s+"paint": "partly"/);
  });

  it("writes no picture over a record", async () => {
    const { code, stderr } = await drawn("svg", "-o", "a.jsonl");
    expect(code).toBe(2);
    expect(stderr).toContain('"a.jsonl" would be overwritten');
  });
});

describe("the page of a workflow", () => {
  const runsOf = (page: string) => {
    const [, data = ""] = /<script type="application\/json" id="data">([^]*?)<\/script>/.exec(page) ?? [];
    return (JSON.parse(data) as { runs: { title: string; steps: { end?: string }[] }[] }).runs;
  };

  it("plays the paths", async () => {
    const { stdout } = await promptpack(["graph", "-", "-f", "html", "--no-findings"], { stdin: pack });
    const played = runsOf(stdout).filter(({ title }) => title.startsWith("path "));
    expect(played.map(({ title }) => title)).toEqual(
      played.map((_, index) => `path ${index + 1} of ${played.length}`),
    );
    expect(played.flatMap(({ steps }) => steps.flatMap(({ end }) => end ?? []))).toEqual(["stopped"]);
    const { stdout: paths } = await promptpack(["paths", "-", "-f", "jsonl"], { stdin: pack });
    expect(played).toHaveLength(paths.trim().split("\n").length);
  });

  it("plays none where they are too long", async () => {
    const long = pack.replace('"max_visits":2', '"max_visits":2000');
    const { stdout } = await promptpack(["graph", "-", "-f", "html"], { stdin: long });
    expect(runsOf(stdout).filter(({ title }) => title.startsWith("path "))).toEqual([]);
  });
});
