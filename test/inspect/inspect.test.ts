import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inspect, type WorkflowInspection } from "../../src/inspect/inspect.js";
import { isFull } from "../runs.js";
import { workflowOf } from "../simulate/open-text.js";
import { support } from "./packs.js";

function inspected(text: string): WorkflowInspection {
  const { pack, workflow, facts } = workflowOf(text);
  const found = inspect("a.yaml", pack, { workflow, facts }).workflow;
  if (found === null) throw new Error("no workflow");
  return found;
}

const loop = (budget: string, guard = ""): string => `
workflow:
  version: 1
  entry: a
  ${budget === "" ? "" : `engine: { budget: { ${budget} } }`}
  states:
    a: { ${guard === "" ? "" : `${guard}, `}on_event: { Again: a, End: b } }
    b: { terminal: true }
`;

it("lists skills by their name, or by their path", () => {
  const { pack } = workflowOf(`
skills:
  - ./skills/refunds
  - { path: "@acme/tone" }
  - { name: manners, description: How to speak, instructions: Be polite. }
  - { path: 3 }
workflow: { entry: a, states: { a: { terminal: true } } }
`);
  expect(inspect("a.yaml", pack, undefined).skills).toEqual(["./skills/refunds", "@acme/tone", "manners"]);
});

describe("the most visits of a state", () => {
  it("are bounded by its guard, its end or the lack of a way back where there are too many runs", () => {
    const guards = Array.from({ length: 12 }, (_, i) => {
      const next = `s${(i + 1) % 12}`;
      return `    s${i}: { max_visits: 50, on_max_visits: out, on_event: { Next: ${next}, Skip: free, End: out } }`;
    });
    const { exact, states } = inspected(`
workflow:
  version: 2
  entry: first
  states:
    first: { on_event: { Go: s0 } }
${guards.join("\n")}
    free: { on_event: { Back: s0, Over: s5 } }
    out: { on_event: { Out: done } }
    done: { terminal: true, max_visits: 3 }
    attic: { on_event: { Up: done } }
`);
    expect(exact).toBe(false);
    const most = new Map(states.map(({ name, worstCaseVisits }) => [name, worstCaseVisits]));
    const asked = ["first", "s0", "s11", "free", "out", "done", "attic"];
    expect(asked.map((name) => most.get(name))).toEqual([1, 50, 50, null, 1, 1, 0]);
  });
});

describe("loops", () => {
  it.each([
    ["", "", "nothing", "unbounded"],
    ["max_tool_calls: 5", "", "nothing", "unbounded"],
    ["max_total_visits: 5", "", "budget", "unbounded"],
    ["max_wall_time_sec: 5", "", "budget", "unbounded"],
    ["max_total_visits: 5", "max_visits: 3", "guards", 4],
    ["", "max_visits: 3, on_max_visits: b", "guards", 4],
  ])("with a budget of %j and a guard of %j", (budget, guard, boundBy, worst) => {
    const { loops, worstCaseVisits } = inspected(loop(budget, guard));
    expect(loops.map((each) => [each.states, each.boundBy])).toEqual([[["a"], boundBy]]);
    expect(worstCaseVisits).toBe(worst);
  });

  it("are not reported as unbounded if that is only inferred", () => {
    const many = inspected(readFileSync("fixtures/rules/unbounded-loop/bad-too-many-runs.yaml", "utf8"));
    expect(
      many.loops.map(({ boundBy, unbounded }) => [boundBy, unbounded.map(({ certain }) => certain)]),
    ).toEqual([[null, [false]]]);
  });

  it("count forced exits that a run can take, and no others", () => {
    const taken = `
workflow:
  entry: a
  states:
    a: { on_event: { Go: b, End: c } }
    b: { max_visits: 1, on_max_visits: d, on_event: { Back: a } }
    c: { terminal: true }
    d: { on_event: { Up: a } }
`;
    expect(inspected(taken).loops.map(({ states }) => states)).toEqual([["a", "b", "d"]]);
    const neverTaken = `
workflow:
  entry: a
  states:
    a: { on_event: { Go: b } }
    b: { max_visits: 1, on_max_visits: a, on_event: { End: c } }
    c: { terminal: true }
`;
    expect(inspected(neverTaken).loops).toEqual([]);
  });

  it("list their guards, and show the loop that none of them ends", () => {
    const closed = inspected(`
workflow:
  entry: a
  states:
    a: { on_event: { Go: b } }
    b: { max_visits: 1, on_max_visits: a, on_event: { Back: a, Stop: c } }
    c: { terminal: true }
`);
    expect(closed.loops).toEqual([
      {
        states: ["a", "b"],
        boundBy: "nothing",
        guards: [{ state: "b", maxVisits: 1, onMaxVisits: "a", guardClear: true }],
        unbounded: [
          {
            states: ["a"],
            certain: true,
            run: {
              steps: [
                { from: "a", event: "Go", to: "b" },
                { from: "b", event: "Back", to: "a" },
                { from: "a", event: "Go", to: "a", forced: ["b"] },
              ],
              loopFrom: 2,
            },
          },
        ],
      },
    ]);
  });

  it("that no run enters are not listed", () => {
    expect(inspected("workflow: { entry: a, states: { a: {}, b: { on_event: { E: b } } } }").loops).toEqual(
      [],
    );
  });
});

describe("the budget", () => {
  it.each([
    ["max_total_visits: 1", "too-small"],
    ["max_total_visits: 3", "may-cut"],
    ["max_total_visits: 4", "never-reached"],
    ["max_wall_time_sec: 4", null],
  ])("of %s against a worst case of 4", (budget, verdict) => {
    expect(inspected(loop(budget, "max_visits: 3")).budget?.verdict).toBe(verdict);
  });

  it("holds a loop that nothing else ends", () => {
    expect(inspected(loop("max_total_visits: 9")).budget?.verdict).toBe("holds");
  });

  it("is known to be too small even if there are too many runs to explore", () => {
    const many = inspected(readFileSync("fixtures/rules/budget-too-small/bad-too-many-runs.yaml", "utf8"));
    expect(many).toMatchObject({ exact: false, shortestComplete: { visits: 7 } });
    expect(many.budget?.verdict).toBe("too-small");
  });

  it.each([
    [50, null],
    [61, null],
    [62, "never-reached"],
  ])("of %i is compared with guards that add up to 62 where there are too many runs", (total, verdict) => {
    const workers = Array.from({ length: 10 }, (_, i) => `w${i}`);
    const states = workers.map((name) => `    ${name}: { max_visits: 3, on_event: { Back: hub, End: z } }\n`);
    const found = inspected(`
workflow:
  entry: hub
  engine: { budget: { max_total_visits: ${total} } }
  states:
    hub: { max_visits: 31, on_event: { ${workers.map((name) => `${name.toUpperCase()}: ${name}`).join(", ")} } }
${states.join("")}    z: { terminal: true }
`);
    expect(found).toMatchObject({ exact: false, clear: true, worstCaseVisits: 62, budget: { verdict } });
  });
});

describe("tool rounds", () => {
  it("are those of a visit times the most visits", () => {
    expect(inspected(support).toolUse).toEqual({
      states: [
        {
          state: "intake",
          prompt: "triage",
          composition: null,
          maxRounds: 3,
          maxCallsPerTurn: 2,
          worstCaseRounds: 9,
        },
        {
          state: "solve",
          prompt: "solver",
          composition: null,
          maxRounds: 4,
          maxCallsPerTurn: null,
          worstCaseRounds: 8,
        },
      ],
      worstCaseRounds: 17,
    });
  });

  it("are unknown if a prompt is unknown", () => {
    const toolUse = (engine: string): unknown =>
      inspected(`workflow: { entry: a, ${engine}states: { a: { prompt_task: missing }, b: {} } }`).toolUse;
    const a = { state: "a", prompt: null, composition: null, maxRounds: null, maxCallsPerTurn: null };
    expect(toolUse("")).toEqual({ states: [{ ...a, worstCaseRounds: null }], worstCaseRounds: null });
    const limited = { states: [{ ...a, worstCaseRounds: 4 }], worstCaseRounds: 4 };
    expect(toolUse("engine: { budget: { max_tool_calls: 4 } }, ")).toEqual(limited);
  });

  it("are no more than the calls that the budget allows", () => {
    const pack = (policy: string): string => `
prompts: { p: { tools: [t]${policy} }, q: { tools: [t], tool_policy: { max_rounds: 2 } }, r: {} }
workflow:
  entry: a
  engine: { budget: { max_tool_calls: 4 } }
  states:
    a: { prompt_task: p, on_event: { Go: b } }
    b: { prompt_task: q, on_event: { Go: c } }
    c: { prompt_task: r }
`;
    const rounds = (policy: string): readonly unknown[] => {
      const { states, worstCaseRounds } = inspected(pack(policy)).toolUse;
      return [...states.map((state) => state.worstCaseRounds), worstCaseRounds];
    };
    expect(rounds("")).toEqual([4, 2, 4]);
    expect(rounds(", tool_policy: { max_rounds: 3 }")).toEqual([3, 2, 4]);
    expect(rounds(", tool_policy: { max_rounds: 1 }")).toEqual([1, 2, 3]);
    expect(rounds(", tool_policy: { max_rounds: many }")).toEqual([4, 2, 4]);
  });

  it.each([
    [
      "one way or the other",
      "a: { prompt_task: q, on_event: { L: l, R: r } }, l: { prompt_task: p }, r: { prompt_task: p }",
      5,
    ],
    ["one after the other", "a: { prompt_task: p, on_event: { L: l } }, l: { prompt_task: p }", 10],
    [
      "as many as the budget",
      "a: { prompt_task: p, on_event: { L: l } }, l: { prompt_task: p, on_event: { A: a } }",
      30,
    ],
  ])("are those of one run: %s", (_, states, most) => {
    const text = `
prompts: { p: { tools: [t], tool_policy: { max_rounds: 5 } }, q: {} }
workflow: { entry: a, engine: { budget: { max_total_visits: 6 } }, states: { ${states} } }
`;
    expect(inspected(text).toolUse.worstCaseRounds).toBe(most);
  });

  it.each([
    [30, 50],
    [2, 5],
    [1, 0],
  ])("are those of a run within the budget of %i visits", (total, most) => {
    const pack = (policy: string): string => `
prompts: { p: { tools: [t]${policy} }, q: {} }
workflow:
  entry: plan
  engine: { budget: { max_total_visits: ${total} } }
  states:
    plan: { prompt_task: q, on_event: { Planned: code } }
    code: { prompt_task: p, on_event: { Coded: review } }
    review: { prompt_task: q, on_event: { Again: plan, Good: done } }
    done: { prompt_task: q, terminal: true }
`;
    const { toolUse } = inspected(pack(", tool_policy: { max_rounds: 5 }"));
    expect(toolUse).toMatchObject({ states: [{ worstCaseRounds: most }], worstCaseRounds: most });
    const unlimited = most === 0 ? 0 : "unbounded";
    const open = inspected(pack("")).toolUse;
    expect(open).toMatchObject({ states: [{ worstCaseRounds: unlimited }], worstCaseRounds: unlimited });
  });

  it.runIf(isFull)("are bounded by the budget if there are too many runs within it", () => {
    const { toolUse } = inspected(`
prompts: { p: { tools: [t], tool_policy: { max_rounds: 5 } }, q: {} }
workflow:
  entry: a
  engine: { budget: { max_total_visits: 1000000000 } }
  states:
    a: { prompt_task: p, on_event: { Go: b } }
    b: { prompt_task: q, on_event: { Back: a } }
`);
    expect(toolUse).toMatchObject({
      states: [{ worstCaseRounds: 5_000_000_000 }],
      worstCaseRounds: 5_000_000_000,
    });
  });

  it("of an unbounded loop are bounded by the budget", () => {
    const pack = (budget: string): string => `
prompts: { p: { tools: [t], tool_policy: { max_rounds: 2 } } }
workflow:
  entry: a
  ${budget}
  states: { a: { prompt_task: p, on_event: { Again: a } } }
`;
    expect(inspected(pack("engine: { budget: { max_total_visits: 7 } }")).toolUse.worstCaseRounds).toBe(14);
    expect(inspected(pack("")).toolUse.worstCaseRounds).toBe("unbounded");
  });
});

describe("what could not be read", () => {
  it.each([
    ["max_visits: 0, on_event: { Go: b }", false],
    ["max_visits: 2, on_max_visits: 7, on_event: { Go: b }", false],
    ["terminal: perhaps, on_event: { Go: b }", true],
    ["on_event: Go", true],
  ])("knows nothing of a state with %s", (parts, guardClear) => {
    const found = inspected(
      `workflow: { entry: a, engine: { budget: { max_total_visits: 2 } }, states: { a: { ${parts} }, b: { on_event: { Up: a, Out: c } }, c: {} } }`,
    );
    expect(found).toMatchObject({ clear: false, worstCaseVisits: null, shortestComplete: null });
    expect(found.states.map((state) => [state.worstCaseVisits, state.guardClear])).toEqual([
      [null, guardClear],
      [null, true],
      [1, true],
    ]);
    expect(found.states.some(({ entered }) => entered === false)).toBe(false);
    expect(found.loops.map(({ boundBy }) => boundBy).filter((boundBy) => boundBy !== null)).toEqual([]);
    expect(found.budget?.verdict).toBe(null);
  });

  it("matters only if a run can reach it", () => {
    const found = inspected(
      "workflow: { entry: a, states: { a: {}, b: { max_visits: 0, on_event: { E: a } } } }",
    );
    expect(found).toMatchObject({ clear: true, worstCaseVisits: 1, shortestComplete: { visits: 1 } });
    expect(found.states.map(({ entered }) => entered)).toEqual([true, false]);
  });

  it("does not hide a loop that no guard ends", () => {
    const found = inspected(
      "workflow: { entry: a, states: { a: { on_event: { Again: a, Go: b } }, b: { max_visits: 0, on_event: { Up: a } } } }",
    );
    expect(found).toMatchObject({
      clear: false,
      worstCaseVisits: "unbounded",
      loops: [{ boundBy: "nothing" }],
    });
    expect(found.states.map(({ worstCaseVisits }) => worstCaseVisits)).toEqual(["unbounded", null]);
  });

  it("of a tool policy leaves the rounds unknown", () => {
    const found = inspected(`
prompts: { p: { tools: [t], tool_policy: { max_rounds: many } } }
workflow: { entry: a, states: { a: { prompt_task: p } } }
`);
    expect(found.toolUse.worstCaseRounds).toBe(null);
  });
});

describe("a name that leads nowhere", () => {
  it.each([
    ["an event's", "entry: a, states: { a: { on_event: { Go: bb } }, b: {} }"],
    [
      "a forced exit's",
      "entry: a, states: { a: { max_visits: 1, on_max_visits: bb, on_event: { E: a } }, b: {} }",
    ],
    ["the entry", "entry: aa, states: { a: { on_event: { Go: b } }, b: {} }"],
    ["no entry at all", "states: { a: { on_event: { Go: b } }, b: {} }"],
  ])("makes everything behind it unknown: %s", (_, workflow) => {
    const found = inspected(`workflow: { ${workflow} }`);
    expect(found).toMatchObject({ clear: false, worstCaseVisits: null, shortestComplete: null });
    expect(found.states.map(({ entered }) => entered)).not.toContain(false);
  });

  it("does not change the bound from a state's own guard or end", () => {
    const found = inspected(
      "workflow: { entry: a, states: { a: { max_visits: 3, on_event: { Go: a, Stop: z, Lost: nowhere, B: b } }, b: { on_event: { A: a } }, z: {} } }",
    );
    expect(found).toMatchObject({ clear: false, worstCaseVisits: null });
    expect(found.states.map(({ worstCaseVisits }) => worstCaseVisits)).toEqual([3, null, 1]);
  });

  it("matters only if a run can reach it", () => {
    const found = inspected("workflow: { entry: a, states: { a: {}, b: { on_event: { E: aa } } } }");
    expect(found).toMatchObject({ clear: true, worstCaseVisits: 1, shortestComplete: { visits: 1 } });
  });
});

describe("artifacts", () => {
  it("know who declares and who reads them, through fragments too", () => {
    const { artifacts } = inspected(`
fragments: { f: "{{artifacts.x}}" }
prompts:
  p: { system_template: "{{fragments.f}} {{artifacts.y}}" }
  q: { system_template: "{{artifacts.x}}" }
workflow:
  entry: a
  states:
    a: { prompt_task: p, artifacts: { x: { type: text/plain }, y: { type: text/plain } }, on_event: { E: b } }
    b: { prompt_task: p, artifacts: { x: { type: image/png, mode: append } } }
`);
    expect(artifacts).toEqual([
      {
        name: "x",
        types: ["text/plain", "image/png"],
        modes: ["replace", "append"],
        declaredBy: ["a", "b"],
        readBy: [
          { prompt: "p", states: ["a", "b"] },
          { prompt: "q", states: [] },
        ],
      },
      {
        name: "y",
        types: ["text/plain"],
        modes: ["replace"],
        declaredBy: ["a"],
        readBy: [{ prompt: "p", states: ["a", "b"] }],
      },
    ]);
  });
});

it.runIf(isFull)("a large chain is inspected in linear time", () => {
  const states = Array.from(
    { length: 20_000 },
    (_, i) => [`s${i}`, { on_event: { E: `s${i + 1}` } }] as const,
  );
  const chain = { ...Object.fromEntries(states), s20000: {} };
  const { worstCaseVisits, loops } = inspected(JSON.stringify({ workflow: { entry: "s0", states: chain } }));
  expect({ worstCaseVisits, loops }).toEqual({ worstCaseVisits: 20_001, loops: [] });
});
