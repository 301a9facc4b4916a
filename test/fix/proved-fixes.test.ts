import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { Analysis, type LintSettings } from "../../src/analysis.js";
import { detectFormat, type Format } from "../../src/document/file-format.js";
import { readDocument } from "../../src/document/read.js";
import { applyEdits } from "../../src/fix/apply-edits.js";
import { applyProvedFixes, proveFixes, type Prover } from "../../src/fix/proved-fixes.js";
import { ungroupDiagnostics } from "../../src/lint/collect-diagnostics.js";
import { rules } from "../../src/rules/index.js";
import { packOf } from "../drawing/drawn.js";
import { randomMachine } from "../machine/random-machine.js";
import { isFull, runs } from "../runs.js";

class Proving implements Prover {
  tries = 0;

  constructor(
    private readonly format: Format,
    private readonly settings: LintSettings = { kind: "pack" },
  ) {}

  readonly analyze: Prover["analyze"] = (text, work) => {
    if (work !== undefined) this.tries++;
    return new Analysis("<pack>", readDocument(text, this.format), { work });
  };
  readonly lint: Prover["lint"] = (analysis) => analysis.lint(this.settings);
}

/** The fixes for all findings of a rule, each with its title and the text after it. */
function offers(text: string, rule: string, prover = new Proving(detectFormat(undefined, text))) {
  const analysis = prover.analyze(text);
  const checked = prover.lint(analysis);
  const findings = checked.kept.filter((finding) => finding.rule === rule);
  expect(findings.map((finding) => finding.fix)).toEqual(findings.map(() => undefined));
  const proved = proveFixes(analysis, checked, findings, prover).flat();
  return proved.map(({ fix }) => [fix.description, applyEdits(text, fix.edits)] as const);
}

const titles = (...args: Parameters<typeof offers>) => offers(...args).map(([title]) => title);

const flow = (states: string, more = "") => `workflow:\n  entry: a\n  states:\n${states}${more}`;

describe("a forced exit that keeps a loop going", () => {
  const block = `workflow:
  entry: implement
  states:
    implement:
      max_visits: 3
      on_max_visits: "review" # again
      on_event: { CodeReady: review }
    review:
      on_event: { Approved: done, ChangesNeeded: implement }
    done:
      terminal: true
`;
  const title = 'Change the on_max_visits of "implement" to "done": longest run 7 visits, was endless.';

  it("is led to an end, in YAML", () => {
    expect(offers(block, "unbounded-loop")).toEqual([
      [title, block.replace('"review" # again', '"done" # again')],
    ]);
  });

  it("is led to an end, in JSON", () => {
    const states = {
      implement: { max_visits: 3, on_max_visits: "review", on_event: { CodeReady: "review" } },
      review: { on_event: { Approved: "done", ChangesNeeded: "implement" } },
      done: { terminal: true },
    };
    const text = JSON.stringify({ workflow: { entry: "implement", states } }, null, 2);
    expect(offers(text, "unbounded-loop")).toEqual([
      [title, text.replace('"on_max_visits": "review"', '"on_max_visits": "done"')],
    ]);
  });
});

describe("a loop without a guard", () => {
  it("gets one, in YAML between braces", () => {
    const text = flow("    a: { on_event: { Again: a, Done: b } }\n    b: { terminal: true }\n");
    const withMore = (more: string) => text.replace("Done: b } }", `Done: b }${more} }`);
    expect(offers(text, "unbounded-loop")).toEqual([
      ['Add max_visits 5 to "a": longest run 6 visits, was endless.', withMore(", max_visits: 5")],
      [
        'Add max_visits 5 and on_max_visits "b" to "a": longest run 6 visits, was endless.',
        withMore(", max_visits: 5, on_max_visits: b"),
      ],
    ]);
  });

  it("gets one, in YAML lines", () => {
    const text = flow("    a:\n      on_event:\n        Again: a # once more\n        Done: b\n    b: {}\n");
    const [first] = offers(text, "unbounded-loop");
    expect(first).toEqual([
      'Add max_visits 5 to "a": longest run 6 visits, was endless.',
      text.replace("Done: b\n", "Done: b\n      max_visits: 5\n"),
    ]);
  });

  it("gets one, in JSON", () => {
    const states = { a: { on_event: { Again: "a", Done: "b" } }, b: { terminal: true } };
    const text = JSON.stringify({ workflow: { entry: "a", states } }, null, 2);
    const [first] = offers(text, "unbounded-loop");
    expect(first?.[1]).toBe(
      text.replace('"Done": "b"\n        }', '"Done": "b"\n        },\n        "max_visits": 5'),
    );
  });

  it("gets one for each state that every lap enters, the fewest edits and other findings first", () => {
    const text = flow(`    a: { on_event: { Ask: b, Skip: c } }
    b: { on_event: { Next: c } }
    c: { on_event: { Again: a, Done: d } }
    d: { terminal: true }
`);
    expect(titles(text, "unbounded-loop")).toEqual([
      'Add max_visits 5 to "a": longest run 16 visits, was endless.',
      'Add max_visits 5 to "c": longest run 17 visits, was endless.',
      'Add max_visits 5 and on_max_visits "d" to "a": longest run 16 visits, was endless.',
      'Add max_visits 5 and on_max_visits "d" to "c": longest run 18 visits, was endless.',
    ]);
  });

  it("gets one where only the budget held it", () => {
    const text = flow(
      "    a: { on_event: { Again: a, Done: b } }\n    b: { terminal: true }\n",
      "  engine: { budget: { max_total_visits: 9 } }\n",
    );
    expect(titles(text, "loop-held-by-budget-only")[0]).toBe(
      'Add max_visits 5 to "a": longest run 6 visits, was ended only by the budget.',
    );
  });

  it("keeps the others endless", () => {
    const text = flow(`    a: { on_event: { Again: a, Next: b } }
    b: { on_event: { Again: b, Done: c } }
    c: { terminal: true }
`);
    expect(titles(text, "unbounded-loop")).toContain(
      'Add max_visits 5 to "b": the longest run is still endless.',
    );
  });
});

describe("an end", () => {
  it("takes the place of the events of the last state", () => {
    const text = flow(
      "    a: { on_event: { Ask: b } }\n    b: { on_event: { Back: a }, persistence: transient }\n",
    );
    expect(offers(text, "no-terminal-state")).toEqual([
      [
        'Make "b" terminal, in place of its events: longest run 2 visits, was endless.',
        text.replace("on_event: { Back: a }", "terminal: true"),
      ],
    ]);
  });

  it("takes the place of events on lines of their own", () => {
    const text = flow(
      "    a:\n      on_event:\n        Ask: b\n    b:\n      on_event:\n        Back: a\n      persistence: transient\n",
    );
    expect(offers(text, "no-terminal-state")[0]?.[1]).toBe(
      text.replace("on_event:\n        Back: a\n", "terminal: true\n"),
    );
    const states = { a: { on_event: { Ask: "b" } }, b: { on_event: { Back: "a" } } };
    const json = JSON.stringify({ workflow: { entry: "a", states } }, null, 2);
    expect(offers(json, "no-terminal-state")[0]?.[1]).toBe(
      json.replace(/"on_event": \{\s+"Back": "a"\s+\}/, '"terminal": true'),
    );
  });

  it("does not take the place of comments", () => {
    const text = flow("    a:\n      on_event:\n        # on and on\n        Ask: a\n");
    expect(offers(text, "no-terminal-state")).toEqual([]);
  });

  it("lets trapped runs out", () => {
    const text = flow(`    a: { on_event: { Wait: ping, Go: c } }
    ping: { on_event: { Next: ping } }
    c: { terminal: true }
`);
    expect(offers(text, "trapped-states")).toEqual([
      [
        'Make "ping" terminal, in place of its events: longest run 2 visits, was endless.',
        text.replace("on_event: { Next: ping }", "terminal: true"),
      ],
      [
        'Add max_visits 5 and on_max_visits "c" to "ping": longest run 7 visits, was endless.',
        text.replace("{ Next: ping }", "{ Next: ping }, max_visits: 5, on_max_visits: c"),
      ],
    ]);
  });
});

describe("a guard that stops runs", () => {
  const polls = (more: string) =>
    flow(`    a: { on_event: { Wait: wait, Poll: poll, Go: done } }
    wait: { max_visits: 2${more}, on_event: { Again: wait } }
    poll: { max_visits: 3, on_event: { Again: poll } }
    done: { terminal: true }
`);

  it("gets an exit", () => {
    const text = polls(", on_max_visits: done");
    expect(offers(text, "never-completes")).toEqual([
      [
        'Add on_max_visits "done" to "poll": longest run 5 visits, was 4.',
        text.replace("{ Again: poll }", "{ Again: poll }, on_max_visits: done"),
      ],
    ]);
  });

  it("gets one together with others", () => {
    const text = polls("");
    expect(offers(text, "never-completes")).toEqual([
      [
        'Set the on_max_visits of "wait" and "poll" to "done": longest run 5 visits, was 4.',
        text
          .replace("{ Again: wait }", "{ Again: wait }, on_max_visits: done")
          .replace("{ Again: poll }", "{ Again: poll }, on_max_visits: done"),
      ],
    ]);
  });

  it("leaves a circle of forced exits", () => {
    const text = flow(`    a: { max_visits: 2, on_max_visits: a, on_event: { Again: a, Next: b } }
    b: { on_event: { Back: a, Done: c } }
    c: { terminal: true }
`);
    expect(titles(text, "forced-exit-cycle")).toEqual([
      'Change the on_max_visits of "a" to "c": longest run 5 visits.',
    ]);
  });
});

it("a state between two guards gets one of its own", () => {
  const text = readFileSync("fixtures/rules/unguarded-reentry/bad-between-two-guards.yaml", "utf8");
  expect(titles(text, "unguarded-reentry")).toEqual([
    'Add max_visits 5 to "hub": longest run 10 visits, was 14.',
    'Add max_visits 5 and on_max_visits "done" to "hub": longest run 11 visits, was 14.',
  ]);
});

describe("a budget", () => {
  const guarded = "    a: { max_visits: 3, on_event: { Again: a, Done: b } }\n    b: { terminal: true }\n";
  const missing = "Set engine.budget.max_total_visits to 4: longest run 4 visits.";

  it.each([
    ["", "  engine:\n    budget:\n      max_total_visits: 4\n"],
    ["  engine: { retries: 2 }\n", "  engine: { retries: 2, budget: { max_total_visits: 4 } }\n"],
    ["  engine: { budget: {} }\n", "  engine: { budget: { max_total_visits: 4 } }\n"],
    ["  engine:\n    budget: {} # soon\n", "  engine:\n    budget: { max_total_visits: 4 } # soon\n"],
  ])("is set to the longest run where there is %j", (engine, expected) => {
    expect(offers(flow(guarded, engine), "loop-without-budget")).toEqual([
      [missing, flow(guarded, expected)],
    ]);
  });

  it("is raised to the longest run", () => {
    const text = flow(guarded, "  engine: { budget: { 'max_total_visits': 1 } } # low\n");
    const raised = [
      "Raise max_total_visits from 1 to 4: longest run 4 visits.",
      text.replace(": 1 }", ": 4 }"),
    ];
    expect(offers(text, "budget-too-small")).toEqual([raised]);
    expect(offers(text, "budget-coherence")).toEqual([raised]);
    const json = JSON.stringify({
      workflow: {
        entry: "a",
        states: { a: { on_event: { Done: "b" } }, b: { terminal: true } },
        engine: { budget: { max_total_visits: 1 } },
      },
    });
    expect(offers(json, "budget-too-small")).toEqual([
      ["Raise max_total_visits from 1 to 2: longest run 2 visits.", json.replace(":1}", ":2}")],
    ]);
  });

  it("is raised where nothing else ends the longest run", () => {
    const text = flow(
      "    a: { on_event: { Again: a, Next: b } }\n    b: { on_event: { Done: c } }\n    c: { terminal: true }\n",
      "  engine: { budget: { max_total_visits: 2 } }\n",
    );
    expect(titles(text, "budget-too-small")).toEqual([
      "Raise max_total_visits from 2 to 3: the longest run is still ended only by the budget.",
    ]);
  });

  it("leaves room for every max_visits, even if no run uses them all up", () => {
    const text = flow(
      `    a: { on_event: { Left: b, Right: c } }
    b: { max_visits: 4, on_event: { Again: b, Done: d } }
    c: { max_visits: 4, on_event: { Again: c, Done: d } }
    d: { terminal: true }
`,
      "  engine: { budget: { max_total_visits: 5 } }\n",
    );
    expect(titles(text, "budget-coherence")).toEqual([
      "Raise max_total_visits from 5 to 8: longest run 6 visits.",
    ]);
  });
});

describe("no fix is offered", () => {
  const loop = "    a: { on_event: { Again: a, Done: b } }\n    b: { terminal: true }\n";

  it("where no small edit helps", () => {
    const text = flow(`    a: { on_event: { One: b, Two: c, Done: d } }
    b: { on_event: { Back: a, Again: b } }
    c: { on_event: { Again: c, Back: a } }
    d: { terminal: true }
`);
    expect(offers(text, "unbounded-loop")).toEqual([]);
  });

  it("where a name leads nowhere", () => {
    expect(offers(flow(loop).replace("Done: b", "Done: b, Go: c"), "unbounded-loop")).toEqual([]);
  });

  it("for a version that has no guards", () => {
    const text = `$schema: https://promptpack.org/schema/v1.3/promptpack.schema.json\n${flow(loop)}`;
    expect(offers(text, "unbounded-loop")).toEqual([]);
  });

  it("that adds another finding", () => {
    const text = flow(loop, "  engine: { budget: { max_total_visits: 4 } }\n");
    expect(offers(text, "loop-held-by-budget-only")).toEqual([]);
    const room = text.replace("visits: 4", "visits: 5");
    expect(offers(room, "loop-held-by-budget-only")).not.toEqual([]);
  });

  it("that changes another state as well", () => {
    const text = flow(`    a: &work { on_event: { Again: a, Done: b } }
    b: { terminal: true }
    c: *work
`);
    expect(offers(text, "unbounded-loop")).toEqual([]);
  });

  it("for a suppressed finding", () => {
    const text = flow(loop.replace("a:", "# promptpack-disable-next-line unbounded-loop\n    a:"));
    const prover = new Proving("yaml");
    expect(applyProvedFixes(prover.analyze(text), prover)).toEqual({ text, fixed: 0 });
    expect(prover.tries).toBe(0);
  });
});

describe("the tries are limited", () => {
  const ring = (size: number, of: (index: number) => object) =>
    packOf({
      ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`s${index}`, of(index)])),
      done: { terminal: true },
    });
  const next = (index: number, size: number) => `s${(index + 1) % size}`;

  it("to 20 for a finding", () => {
    const prover = new Proving("json");
    const text = ring(30, (index) => ({ on_event: { Next: next(index, 30), Done: "done" } }));
    expect(titles(text, "unbounded-loop", prover)).toHaveLength(20);
    expect(prover.tries).toBe(20);
  });

  it.runIf(isFull)("to few where each finding shows a long run", () => {
    const prover = new Proving("json");
    titles(
      ring(200, (index) => ({ on_event: { Next: next(index, 200), Done: "done" } })),
      "unbounded-loop",
      prover,
    );
    expect(prover.tries).toBeLessThan(10);
  });

  it("to none where there are too many runs", () => {
    const events = Object.fromEntries(Array.from({ length: 40 }, (_, to) => [`To${to}`, `s${to}`]));
    const prover = new Proving("json");
    const text = ring(40, () => ({ max_visits: 3, on_event: events }));
    expect(titles(text, "never-completes", prover)).toEqual([]);
    expect(prover.tries).toBe(0);
  });

  it("to as much exploration as one lint takes", () => {
    const prover = new Proving("json");
    const text = ring(12, (index) => ({
      ...(index > 8 && { max_visits: 10 }),
      on_event: { Next: next(index, 12), Skip: next(index + 1, 12), Back: next(index + 9, 12), Done: "done" },
    }));
    titles(text, "unbounded-loop", prover);
    expect(prover.tries).toBe(2);
  });

  it("to none in a large pack", () => {
    const prover = new Proving("json");
    const description = "x".repeat(50_000);
    const text = ring(30, (index) => ({ description, on_event: { Next: next(index, 30), Done: "done" } }));
    titles(text, "unbounded-loop", prover);
    expect(prover.tries).toBe(0);
  });
});

it("the best fix of each finding is made, with all other fixes", () => {
  const text = flow(`    a: { on_event: { Again: a, Next: b } }
    b: { on_event: { Again: b, Done: c } }
    c: { on_event: { Wait: ping, Done: d } }
    ping: { on_event: { Next: ping } }
    d: { prompt_task: p }
`);
  const prover = new Proving("yaml");
  const result = applyProvedFixes(prover.analyze(text), prover);
  expect(result.text).toBe(
    flow(
      `    a: { on_event: { Again: a, Next: b }, max_visits: 5 }
    b: { on_event: { Again: b, Done: c }, max_visits: 5 }
    c: { on_event: { Wait: ping, Done: d } }
    ping: { terminal: true }
    d: { prompt_task: p, terminal: true }
`,
      "  engine:\n    budget:\n      max_total_visits: 12\n",
    ),
  );
  expect(applyProvedFixes(prover.analyze(result.text), prover)).toEqual({ text: result.text, fixed: 0 });
});

const proving = rules.filter(({ fix }) => fix === "proved").map(({ id }) => id);

it.each(proving)("%s has fixes for some of its fixtures", (id) => {
  const folder = join("fixtures/rules", id);
  const bad = readdirSync(folder).filter(
    (file) => /^bad-.*(?:json|yaml)$/.test(file) && !file.includes("too-many"),
  );
  const offered = bad.flatMap((file) => titles(readFileSync(join(folder, file), "utf8"), id));
  expect(offered).not.toEqual([]);
});

it("each fix removes its finding and adds none but infos that were left to it", () => {
  let offered = 0;
  const keyOf = ({ rule, pointer }: { rule: string; pointer: string }) => `${rule} ${pointer}`;
  fc.assert(
    fc.property(randomMachine(5), fc.option(fc.integer({ min: 1, max: 12 })), ({ states }, budget) => {
      const written = states.map(({ name, ends, edges, maxVisits, forcedExit }) => {
        const nameOf = (state: number) => states[state]?.name ?? "s0";
        const guard = {
          ...(maxVisits !== undefined && { max_visits: maxVisits }),
          ...(forcedExit !== undefined && { on_max_visits: nameOf(forcedExit) }),
        };
        const events = Object.fromEntries(edges.map(({ event, target }) => [event, nameOf(target)]));
        return [name, ends ? { terminal: true } : { on_event: events, ...guard }] as const;
      });
      const engine = budget === null ? {} : { engine: { budget: { max_total_visits: budget } } };
      const whole = JSON.parse(packOf(Object.fromEntries(written))) as { workflow: object };
      const text = JSON.stringify({ ...whole, workflow: { ...whole.workflow, ...engine } }, null, 2);
      const prover = new Proving("json");
      const analysis = prover.analyze(text);
      const checked = prover.lint(analysis);
      const before = ungroupDiagnostics(checked.kept).map(keyOf);
      for (const { fix, ...finding } of proveFixes(analysis, checked, checked.kept, prover).flat()) {
        offered++;
        const fixed = applyEdits(text, fix.edits);
        JSON.parse(fixed);
        const left = ungroupDiagnostics(prover.lint(prover.analyze(fixed)).kept);
        expect(left.map(keyOf)).not.toContain(keyOf(finding));
        const deferring = rules
          .filter(({ defersTo }) => defersTo?.includes(finding.rule))
          .map(({ id }) => id);
        const added = left.filter((found) => !before.includes(keyOf(found)));
        expect(
          added.filter(({ rule, severity }) => severity !== "info" || !deferring.includes(rule)),
        ).toEqual([]);
      }
    }),
    { numRuns: runs(400) },
  );
  expect(offered).toBeGreaterThan(0);
});
