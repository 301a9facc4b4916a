import { describe, expect, it } from "vitest";
import { renderDiff, type ComparedPack } from "../../src/diff/diff-report.js";
import type { PackAnalysis } from "../../src/analysis.js";
import type { Change } from "../../src/diff/change.js";
import type { Difference } from "../../src/diff/compare.js";
import { plainPaint } from "../../src/text/paint.js";
import { analysisOf } from "./compare-texts.js";

const text = (event: string) => `id: a
version: 1.0.0
workflow:
  version: 1
  entry: plan
  states:
    plan:
      prompt_task: p
      on_event: { Go: do, ${event}: end }
    do: { prompt_task: p, on_event: { Done: end } }
    end: { prompt_task: p, terminal: true }
`;

const [old, now] = [analysisOf(text("Stop")), analysisOf(text("Quit"))];

/** The event in the second state of the list of transitions. */
const eventIn = ({ workflow }: PackAnalysis) => {
  const at = workflow?.states[0]?.transitions[1]?.event;
  if (at === undefined) throw new Error("no such event");
  return at;
};

const changes: readonly Change[] = [
  {
    rule: "event-refused",
    level: "breaking",
    side: "old",
    at: eventIn(old),
    message: '"plan" no longer takes "Stop".',
    traces: {
      old: { steps: [{ from: "plan", event: "Stop", to: "end", at: { start: 9000, end: 9001 } }] },
      new: { root: "plan", steps: [] },
    },
  },
  {
    rule: "leads-elsewhere",
    level: "behaviour",
    side: "new",
    at: eventIn(now),
    message: '"Go" leads to another state.',
    traces: {
      old: { steps: [] },
      new: { steps: Array.from({ length: 7 }, (_, n) => ({ from: `s${n}`, event: "Go", to: `s${n + 1}` })) },
    },
  },
];

const difference: Difference = {
  changes,
  requiredBump: "major",
  versionFaults: [],
  behaviour: null,
  oldVersion: "1.0.0",
  newVersion: "2.0.0",
};

const compared: ComparedPack = {
  file: "a.yaml",
  status: "changed",
  old: { file: "a.yaml", shown: "a.yaml (main)", analysis: old },
  new: { file: "a.yaml", shown: "a.yaml", analysis: now },
  difference,
};

async function render(format: Parameters<typeof renderDiff>[0], packs = [compared]): Promise<string> {
  const write = await renderDiff(format, packs, { isAgainst: true, isComplete: true });
  return write({ paint: plainPaint, width: 60 });
}

describe("the runs of a change", () => {
  it("are both shown, the old one in the old text", async () => {
    expect(await render("pretty")).toBe(`a.yaml

  9:27  behaviour  "Go" leads to another state.
                   leads-elsewhere
  9 │       on_event: { Go: do, Quit: end }
    │                           ^^^^
      before: –
      now:    s0 ─Go→ s1 ─Go→ s2 ─Go→ s3 ─Go→ s4 ─Go→ s5
                ─Go→ s6 ─Go→ s7

a.yaml (main)

  9:27  breaking  "plan" no longer takes "Stop".
                  event-refused
  9 │       on_event: { Go: do, Stop: end }
    │                           ^^^^
      before: plan ─Stop→ end
      now:    plan

⚠ a.yaml: 2 changes: 1 breaking, 1 behaviour. Version 1.0.0
  → 2.0.0.
`);
  });

  it("are in annotations, at what is left in the new file", async () => {
    expect((await render("github")).split("\n").filter((line) => line.startsWith("::"))).toEqual([
      '::warning file=a.yaml,line=9,endLine=9,col=7,endColumn=15,title=event-refused::"plan" no longer takes "Stop".%0Abefore: plan ─Stop→ end%0Anow:    plan',
      '::notice file=a.yaml,line=9,endLine=9,col=27,endColumn=31,title=leads-elsewhere::"Go" leads to another state.%0Abefore: –%0Anow:    s0 ─Go→ s1 ─Go→ s2 ─Go→ s3 ─Go→ s4 ─Go→ s5 ─Go→ s6 ─Go→ s7',
    ]);
  });

  it("are in SARIF, in the new file", async () => {
    const { runs } = JSON.parse(await render("sarif")) as {
      runs: [
        {
          results: { codeFlows: unknown; ruleIndex: number }[];
          tool: { driver: { rules: { id: string }[] } };
        },
      ];
    };
    const [{ results, tool }] = runs;
    expect(results.map(({ ruleIndex }) => tool.driver.rules[ruleIndex]?.id)).toEqual([
      "event-refused",
      "leads-elsewhere",
    ]);
    expect(results[0]?.codeFlows).toMatchObject([
      {
        threadFlows: [
          {
            locations: [
              {
                location: {
                  physicalLocation: { artifactLocation: { uri: "a.yaml" }, region: { startLine: 9 } },
                  message: { text: "plan ─Stop→ end" },
                },
              },
            ],
          },
        ],
      },
    ]);
  });

  it("are in JSON without their places", async () => {
    const { packs } = JSON.parse(await render("json")) as { packs: [{ changes: [{ traces: unknown }] }] };
    expect(packs[0].changes[0]).toEqual({
      rule: "event-refused",
      level: "breaking",
      severity: "warning",
      message: '"plan" no longer takes "Stop".',
      side: "old",
      file: "a.yaml",
      line: 9,
      column: 27,
      pointer: "/workflow/states/plan/on_event/Stop",
      traces: {
        old: { steps: [{ from: "plan", event: "Stop", to: "end" }] },
        new: { root: "plan", steps: [] },
      },
    });
  });
});

describe("the table in Markdown", () => {
  it("has the packs that were added and removed, and cannot be broken by a name", async () => {
    const hostile = { ...compared, file: "a|b`<i>.yaml" };
    const gone: ComparedPack = { file: "gone.yaml", status: "removed", old: compared.old, new: undefined };
    const fresh: ComparedPack = { file: "new.yaml", status: "added", old: undefined, new: compared.new };
    const same: ComparedPack = { ...fresh, status: "same", old: compared.old };
    expect(await render("markdown", [hostile, gone, fresh, same]))
      .toBe(`## ⚠️ 1 pack changed, 1 pack added and 1 pack removed

### a&#124;b&#96;&lt;i&gt;.yaml

2 changes: 1 breaking, 1 behaviour. Version 1.0.0 → 2.0.0.

| Level | Change | Place |
| --- | --- | --- |
| **breaking** | "plan" no longer takes "Stop". \`event-refused\`<br>before: plan ─Stop→ end<br>now:    plan | a.yaml (main), line 9 |
| **behaviour** | "Go" leads to another state. \`leads-elsewhere\`<br>before: –<br>now:    s0 ─Go→ s1 ─Go→ s2 ─Go→ s3 ─Go→ s4 ─Go→ s5 ─Go→ s6 ─Go→ s7 | line 9 |

### gone.yaml

Removed.

### new.yaml

Added.
`);
    expect(await render("markdown", [same, same])).toBe("## ✅ No changes in 2 packs\n");
  });

  it("counts what there was no room for", async () => {
    const many = Array.from({ length: 9_000 }, (_, index) => ({
      rule: "state-removed",
      level: "breaking" as const,
      side: "new" as const,
      at: eventIn(now),
      message: `${"x".repeat(200)} ${index}`,
    }));
    const page = await render("markdown", [{ ...compared, difference: { ...difference, changes: many } }]);
    expect(Buffer.byteLength(page)).toBeLessThan(2 ** 20);
    expect(page).toMatch(/\n\nNot shown here: \d+ more changes\.\n$/);
  });
});

it("says when nothing changed that has an id", async () => {
  const quiet = { ...difference, changes: [], requiredBump: "patch", newVersion: "1.0.0" } as const;
  expect(await render("pretty", [{ ...compared, difference: quiet }])).toBe(
    "✔ a.yaml: No change was found that others rely on.\n",
  );
});
