import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Machine } from "../../src/machine/machine.js";
import { promptpack } from "../cli/harness.js";
import { randomMachine } from "../machine/random-machine.js";
import { isFull, runs } from "../runs.js";
import { artifactPack } from "./artifact-pack.js";
import { type Context, contextOf } from "./context-of.js";
import { heldAgainst, linesOf } from "./held-against.js";

/** Changes a context; returns where that ought to be found, and by which rule. Nothing where it cannot be changed so. */
type Change = (context: Context, at: number, machine: Machine) => readonly [string, string] | undefined;

const other = (name: string, { states }: Machine): string | undefined =>
  states.map((state) => state.name).find((each) => each !== name);

const changes: Readonly<Record<string, Change>> = {
  event(context, at) {
    Object.assign(context, { artifacts: {}, artifact_history: [] });
    Object.assign(context.history[at] ?? {}, { event: "Nope" });
    return [`/history/${at}/event`, "run-unknown-event"];
  },
  "event that was not captured so"({ history, artifact_history: captures }, at) {
    const capture = captures.length - history.length + at;
    if (capture < 0) return undefined;
    Object.assign(captures[capture] ?? {}, { event: "Nope" });
    return [`/artifact_history/${capture}/event`, "run-artifact-history"];
  },
  "current state"(context, _at, machine) {
    const name = other(context.current_state, machine);
    if (name === undefined) return undefined;
    context.current_state = name;
    return ["/current_state", "run-end"];
  },
  "visit count"({ visit_counts: counts, history }, at) {
    const name = history[at]?.to ?? "";
    counts[name] = (counts[name] ?? 0) + 1;
    return [`/visit_counts/${name}`, "run-counts"];
  },
  "visit count left out"({ visit_counts: counts, history }, at) {
    Reflect.deleteProperty(counts, history[at]?.to ?? "");
    return ["/visit_counts", "run-counts"];
  },
  "a transition that was lost"(context, pick) {
    const { history } = context;
    const inner = [...history.keys()].slice(1, -1).filter((at) => history[at]?.from !== history[at]?.to);
    const at = inner[pick % inner.length];
    if (at === undefined) return undefined;
    Object.assign(context, { artifacts: {}, artifact_history: [], history: history.toSpliced(at, 1) });
    return [`/history/${at}/from`, "run-gap"];
  },
  "a transition that is none"({ history }, at) {
    Object.assign(history, { [at]: null });
    return [`/history/${at}`, "run-record"];
  },
  ...Object.fromEntries(
    ["from", "event", "to"].map((name): [string, Change] => [
      `a transition without ${name}`,
      ({ history }, at) => {
        Reflect.deleteProperty(history[at] ?? {}, name);
        return [`/history/${at}`, "run-record"];
      },
    ]),
  ),
  "values that are none"({ artifact_history: captures }, at) {
    const capture = captures[at];
    if (capture === undefined) return undefined;
    Object.assign(capture, { values: 7 });
    return [`/artifact_history/${at}/values`, "run-record"];
  },
  "time of the update"(context) {
    context.updated_at = context.started_at;
    return ["/updated_at", "run-time-order"];
  },
  "artifact filled after the end"(context, _at, { states }) {
    const name = Number(context.current_state.slice(1)) % 2 === 0 ? "note" : "log";
    if (states.length === 1 || context.artifact_history.length === 0) return undefined;
    context.artifacts = { ...context.artifacts, [name]: `${context.artifacts[name] ?? ""}!` };
    return [`/artifacts/${name}`, "run-artifact-change"];
  },
};

async function simulated(machine: Machine, seed: number, length: number): Promise<string> {
  const names = machine.states.length > 1 ? ["log", "note"] : ["log"];
  const sets = ["a", "b"].flatMap((value) => names.flatMap((name) => ["--set", `${name}=${value}`]));
  const args = ["simulate", "-", "--no-budget", "-f", "jsonl", "--random", String(length)];
  const run = [...args, "--seed", String(seed), ...sets];
  return (await promptpack(run, { stdin: artifactPack(machine), cwd: "/" })).stdout;
}

const found = (pack: string, context: Context): readonly (readonly [string, string])[] =>
  heldAgainst(pack, JSON.stringify(context), { budget: false }).diagnostics.map(({ pointer, rule }) => [
    pointer,
    rule,
  ]);

it("a simulated run is clean as a context", async () => {
  await fc.assert(
    fc.asyncProperty(randomMachine(6), fc.nat({ max: 1000 }), async (machine, seed) => {
      expect(found(artifactPack(machine), contextOf(await simulated(machine, seed, 15)))).toEqual([]);
    }),
    { numRuns: runs(150), seed: 10 },
  );
});

it("a context shows the forced exits of a simulated run", async () => {
  const waysOf = (pack: string, text: string): readonly unknown[] => {
    const table = heldAgainst(pack, text, { budget: false }).text ?? "";
    return [...table.matchAll(/^→ [^│]*/gmu)].map(([way]) => way.trimEnd());
  };
  let forced = 0;
  await fc.assert(
    fc.asyncProperty(randomMachine(6), fc.nat({ max: 1000 }), async (machine, seed) => {
      const [pack, record] = [artifactPack(machine), await simulated(machine, seed, 15)];
      const ways = waysOf(pack, record);
      forced += ways.filter((way) => String(way).includes(" ⇒ ")).length;
      expect(waysOf(pack, JSON.stringify(contextOf(record)))).toEqual(ways);
    }),
    { numRuns: runs(50), seed: 12 },
  );
  if (isFull) expect(forced).toBeGreaterThan(10);
});

it("a context shows no forced exits where it does not arrive, or visits are not known", async () => {
  const pack = `
workflow:
  version: 2
  entry: a
  states:
    a: { on_event: { Go: b } }
    b: { max_visits: 1, on_max_visits: c, on_event: { Go: a } }
    c: { max_visits: 1, on_max_visits: d, on_event: { Go: a } }
    d: { on_event: { Go: a } }
`;
  const events = ["simulate", "-", "-f", "jsonl", "--events", "Go,Go,Go,Go,Go"];
  const record = (await promptpack(events, { stdin: pack, cwd: "/" })).stdout;
  const rows = (change: (context: Context) => unknown): readonly string[] => {
    const context = contextOf(record);
    change(context);
    const { text = "" } = heldAgainst(pack, JSON.stringify(context));
    return [...text.matchAll(/^[→✗] [^│]*/gmu)].map(([way]) => way.trimEnd());
  };
  const entered = ["→ a (1)", "→ b", "→ a (2)"];
  expect(rows(() => undefined)).toEqual([...entered, "→ b ⇒ c", "→ a (3)", "→ b ⇒ c ⇒ d"]);
  const elsewhere = rows(({ history }) => Object.assign(history[4] ?? {}, { to: "a" }));
  expect(elsewhere).toEqual(["→ a (1)", "→ b", "→ a (2)", "→ b ⇒ c", "→ a (3)", "✗ a (4)"]);
  const uncounted = rows((context) => Object.assign(context, { history: context.history.toSpliced(1, 1) }));
  expect(uncounted).toEqual(["→ a (1)", "→ b", "✗ c", "→ a (2)", "→ d"]);
});

it("a context shows the ends of a long chain of forced exits", async () => {
  const spent = Array.from({ length: 30 }, (_, index) => `s${index}`);
  const pack = `
workflow:
  version: 2
  entry: hub
  states:
    hub: { on_event: { Go: s0 } }
${spent.map((name, index) => `    ${name}: { max_visits: 1, on_max_visits: ${spent[index + 1] ?? "hub"}, on_event: { Go: hub } }`).join("\n")}
`;
  const turns = Array.from({ length: 61 }, () => "Go").join(",");
  const record = await promptpack(["simulate", "-", "-f", "jsonl", "--events", turns], {
    stdin: pack,
    cwd: "/",
  });
  const { text = "" } = heldAgainst(pack, JSON.stringify(contextOf(record.stdout)));
  const rows = [...text.matchAll(/^→ [^│]*/gmu)].map(([row]) => row.trimEnd());
  expect(rows.at(-1)).toBe(`→ ${[...spent.slice(0, 10), "…", ...spent.slice(-10), "hub (32)"].join(" ⇒ ")}`);
});

it.each(Object.entries(changes))("finds a change in a context: %s", async (_name, change) => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(randomMachine(6), fc.nat({ max: 1000 }), fc.nat(), async (machine, seed, pick) => {
      const context = contextOf(await simulated(machine, seed, 12));
      if (context.history.length === 0) return;
      const expected = change(context, pick % context.history.length, machine);
      if (expected === undefined) return;
      changed++;
      expect(found(artifactPack(machine), context), JSON.stringify(context)).toEqual([expected]);
    }),
    { numRuns: runs(150), seed: 11 },
  );
  if (isFull) expect(changed).toBeGreaterThan(10);
});

/** `a` and `b` call each other; `b` may be entered 1,500 times, and then hands the run on to `done`. */
const pack = `
id: long
workflow:
  version: 2
  entry: start
  states:
    start: { on_event: { Go: a } }
    a: { on_event: { Go: b }, artifacts: { log: { mode: append } } }
    b: { max_visits: 1500, on_max_visits: done, on_event: { Go: a } }
    done: { terminal: true }
  engine: { budget: { max_total_visits: 5000 } }
`;

async function longRun(events: number): Promise<Context> {
  const args = [
    "simulate",
    "-",
    "-f",
    "jsonl",
    "--events",
    Array(events).fill("Go").join(","),
    "--set",
    "log=x",
  ];
  return contextOf((await promptpack(args, { stdin: pack, cwd: "/" })).stdout);
}

describe("a history that was cut", () => {
  const cut = {
    pointer: "/history",
    rule: "run-incomplete",
    message:
      "The history shows only the last 1000 transitions: the start and what came before are not checked.",
  };
  const diagnosed = (context: Partial<Context>) =>
    heldAgainst(pack, JSON.stringify(context)).diagnostics.map(({ pointer, rule, message }) => ({
      pointer,
      rule,
      message,
    }));

  it("is whole with 1,000 transitions and as many visits", async () => {
    expect(diagnosed(await longRun(1000))).toEqual([]);
  });

  it("is recognised, and its guards are checked with the visits before it", async () => {
    const context = await longRun(3001);
    expect([context.history.length, context.current_state]).toEqual([1000, "done"].with(1, "a"));
    expect(diagnosed(context)).toEqual([cut]);
    const at = context.history.length;
    context.history = [
      ...context.history.slice(1),
      { from: "a", to: "b", event: "Go", timestamp: context.updated_at },
    ];
    context.artifact_history.push({ ...lastOf(context), from_state: "a", to_state: "b" });
    context.visit_counts["b"] = 1501;
    context.current_state = "b";
    expect(diagnosed(context)).toEqual([
      cut,
      {
        pointer: `/history/${at - 1}/to`,
        rule: "run-guard",
        message:
          '"b" is entered although it is spent: this is visit 1501, but max_visits allows 1500 (line 9 of the pack). The run should have gone on to "done".',
      },
    ]);
  });

  it("claims nothing of guards without visit counts", async () => {
    const { visit_counts: _, ...context } = await longRun(3002);
    const without = " Without matching visit counts, guards are not checked either.";
    expect(diagnosed(context)).toEqual([{ ...cut, message: cut.message + without }]);
  });

  it("cannot show more visits than it counts", async () => {
    const context = await longRun(3000);
    context.visit_counts["b"] = 499;
    const [first, second] = diagnosed(context);
    expect(first?.rule).toBe("run-incomplete");
    expect(second).toEqual({
      pointer: "/visit_counts/b",
      rule: "run-counts",
      message: 'The visit counts say 499 for "b", but the history enters it 501 times.',
    });
  });

  it.each([
    ["a", 500, "run-counts", 'The visit counts say 500 for "a", but the history enters it 501 times.'],
    [
      "b",
      2001,
      "run-guard",
      '"b" was entered 1501 times in addition to what the history shows, but max_visits allows 1500 (line 9 of the pack).',
    ],
  ])("is not all that visit counts show: %s %s", async (name, entries, rule, message) => {
    const context = await longRun(2001);
    expect([context.history[0]?.from, context.current_state]).toEqual(["a", "a"]);
    context.visit_counts[name] = entries;
    expect(diagnosed(context)).toContainEqual({ pointer: `/visit_counts/${name}`, rule, message });
  });

  it("is held against no guard that could not be read", async () => {
    const context = await longRun(2001);
    context.visit_counts["b"] = 2001;
    const unreadable = pack.replace("max_visits: 1500", "max_visits: many");
    const { diagnostics } = heldAgainst(unreadable, JSON.stringify(context));
    expect(diagnostics.filter(({ rule }) => rule === "run-guard")).toEqual([]);
  });
});

function lastOf({ artifact_history: captures }: Context): Context["artifact_history"][number] {
  const last = captures.at(-1);
  if (last === undefined) throw new Error("nothing was captured");
  return last;
}

describe("a history without its beginning", () => {
  const pack = `
id: notes
workflow:
  version: 2
  entry: plan
  states:
    plan:
      prompt_task: plan
      max_visits: 1
      on_max_visits: write
      artifacts: { goal: { type: text/plain } }
      on_event: { Planned: write }
    write: { prompt_task: write, on_event: { Again: plan } }
`;
  const again = { from: "write", to: "write", event: "Again" };
  const artifacts = { goal: "notes" };
  const capture = { from_state: "write", to_state: "write", event: "Again", values: artifacts };
  const context = {
    current_state: "write",
    history: [again, again],
    visit_counts: { plan: 1, write: 3 },
    artifacts,
    artifact_history: [capture, capture],
  };
  const said = (part: object) =>
    linesOf(
      heldAgainst(pack, JSON.stringify({ ...context, ...part }, null, 1)).diagnostics.filter(
        ({ severity }) => severity === "error",
      ),
    );

  it("is told what it lacks, and no more", () => {
    expect(said({})).toEqual([
      '5 run-start: The run starts in "write", but runs of this workflow start in "plan".',
    ]);
    expect(said({ history: [], artifact_history: [] })).toEqual([
      '2 run-start: The run starts in "write", but runs of this workflow start in "plan".',
    ]);
  });

  it("is told where it starts, where nobody counted", () => {
    expect(said({ visit_counts: undefined })).toEqual([
      '5 run-start: The run starts in "write", but runs of this workflow start in "plan".',
    ]);
  });
});

it("a guard is not called unspent behind a gap, even where the transition after it would fit", () => {
  const pack = `
id: notes
workflow:
  version: 2
  entry: plan
  states:
    plan: { prompt_task: plan, on_event: { Go: write } }
    write: { prompt_task: write, on_event: { Go: write, Fix: mend } }
    mend: { prompt_task: write, max_visits: 1, on_max_visits: write, on_event: { Go: write } }
`;
  const history = [
    { from: "plan", to: "write", event: "Go" },
    { from: "mend", to: "write", event: "Go" },
    { from: "write", to: "write", event: "Fix" },
  ];
  const context = { current_state: "write", history, visit_counts: { plan: 1, write: 3, mend: 1 } };
  const { diagnostics } = heldAgainst(pack, JSON.stringify(context, null, 1));
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ rule }) => rule)).toEqual([
    "run-gap",
  ]);
});

describe("a history that names a state which does not exist", () => {
  const pack = `
id: notes
workflow:
  version: 2
  entry: ask
  states:
    ask: { prompt_task: ask, max_visits: 3, on_max_visits: end, on_event: { Again: ask, Next: check } }
    check: { prompt_task: ask, on_event: { Back: ask, Done: end } }
    end: { prompt_task: ask, terminal: true }
`;
  const move = (from: string, event: string, to: string) => ({ from, to, event });
  const next = move("ask", "Next", "check");
  const said = (history: readonly object[], current: string, counts: object) => {
    const context = { current_state: current, history, visit_counts: counts };
    const { diagnostics } = heldAgainst(pack, JSON.stringify(context));
    return diagnostics.filter(({ severity }) => severity === "error").map(({ rule }) => rule);
  };
  const start = [move("aks", "Again", "ask"), move("ask", "Again", "ask")];
  const middle = [move("ask", "Again", "aks"), move("aks", "Again", "ask")];

  it.each([
    ["first", [...start, next], "check", { ask: 3, check: 1 }],
    ["in the middle", [...middle, next], "check", { ask: 3, check: 1 }],
    [
      "first, before a guard that is spent",
      [...start, move("ask", "Again", "end")],
      "end",
      { ask: 3, end: 1 },
    ],
  ])("is told of that alone: %s", (_, history, current, counts) => {
    expect(said(history, current, counts)).toEqual(["run-unknown-state"]);
  });

  it("is compared with no counts after it", () => {
    const laps = [...start, move("ask", "Again", "ask"), move("ask", "Again", "ask"), next];
    expect(said(laps, "check", { ask: 7, check: 1 })).toEqual(["run-unknown-state"]);
  });
});

it("an artifact that disappears is marked at the transition whose capture lacks it", () => {
  const pack = `
id: notes
workflow:
  version: 2
  entry: a
  states:
    a: { prompt_task: a, on_event: { Go: a }, artifacts: { log: { type: text/plain, mode: append } } }
`;
  const move = { from: "a", to: "a", event: "Go" };
  const capture = (values: object) => ({ from_state: "a", to_state: "a", event: "Go", values });
  const context = {
    current_state: "a",
    history: [move, move, move],
    visit_counts: { a: 4 },
    artifacts: {},
    artifact_history: [capture({ log: "x" }), capture({})],
  };
  const { diagnostics, text } = heldAgainst(pack, JSON.stringify(context));
  expect(diagnostics.map(({ pointer }) => pointer)).toEqual(["/artifact_history/1/values"]);
  expect(text.split("\n").filter((line) => /^[→✗]/u.test(line))).toEqual([
    "→ a (1)    │ (entry) │ —   │",
    "→ a (2)    │ Go      │ —   │",
    "→ a (3)    │ Go      │ x   │",
    "✗ a (4)    │ Go      │ —   │",
  ]);
});

it.each([
  ["of a history", [{ from: "new_order", to: "a", event: "Go" }], ["✗ new_order", "→ a"]],
  ["without a history", [], ["✗ new_order"]],
])("a start %s that is not a state is marked where the run is entered", (_, history, expected) => {
  const pack = "workflow: { version: 1, entry: a, states: { a: { prompt_task: p, on_event: { Go: a } } } }";
  const current_state = history[0]?.to ?? "new_order";
  const { text } = heldAgainst(pack, JSON.stringify({ current_state, history, artifacts: {} }));
  const [, , ...rows] = text.split("\n").filter((line) => line !== "");
  expect(rows.flatMap((line) => /^[→✗] \S+/u.exec(line) ?? [])).toEqual(expected);
  expect(rows[1]).toBe('  └ "new_order" is not a state of the workflow.');
});

describe("a history that has lost a transition", () => {
  const pack = `
id: ring
workflow:
  version: 2
  entry: a
  states:
    a: { prompt_task: a, on_event: { Go: b }, artifacts: { log: { type: text/plain } } }
    b: { prompt_task: b, on_event: { On: c } }
    c: { prompt_task: c, on_event: { Back: a } }
`;
  const ring = [
    { from: "a", event: "Go", to: "b" },
    { from: "b", event: "On", to: "c" },
    { from: "c", event: "Back", to: "a" },
  ];
  const history = [...ring, ...ring];
  const captures = history.map(({ from, to, event }) => ({
    from_state: from,
    to_state: to,
    event,
    values: {},
  }));

  it.each([1, 2, 3, 4])("is marked behind the gap, whatever was captured before it: %i", (lost) => {
    const context = {
      current_state: "a",
      history: history.toSpliced(lost, 1),
      artifacts: {},
      artifact_history: captures,
    };
    const { diagnostics, text } = heldAgainst(pack, JSON.stringify(context));
    expect(diagnostics.map(({ rule }) => rule)).toEqual(["run-gap", "run-artifact-history"]);
    const rows = text.split("\n").filter((line) => /^[→✗]/u.test(line));
    expect(rows.findIndex((line) => line.startsWith("✗"))).toBe(lost + 1);
  });
});
