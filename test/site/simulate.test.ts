import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { analyze, runsOf } from "../../site/client/worker/analyze.js";
import type { RunView, SimulationInput } from "../../site/client/worker/protocol.js";
import { simulate } from "../../site/client/worker/simulate.js";
import { packOf } from "../drawing/drawn.js";

const codegen = readFileSync("examples/codegen.pack.yaml", "utf8");
const composition = readFileSync("site/examples/composition.pack.yaml", "utf8");

function run(text: string, events: readonly string[], more: Partial<SimulationInput> = {}): RunView {
  const pack = runsOf(analyze(text));
  if ("missing" in pack) throw new Error(pack.missing);
  const moves = events.map((event) => ({ event, answers: {} }));
  const view = simulate(pack, { text, agent: undefined, moves, answers: {}, ...more });
  if ("missing" in view) throw new Error(view.missing);
  return view;
}

it("starts in the entry, with every event and where it leads", () => {
  expect(run(codegen, [])).toEqual({
    agents: [],
    taken: 0,
    state: "plan",
    about: ["visit 1 · 1 visit in all"],
    ending: undefined,
    events: [{ name: "PlanReady", label: "PlanReady", leadsTo: "→ implement" }],
    history: [],
    composition: undefined,
    prompt: {
      name: "planner",
      text: "You are a software architect. Turn these requirements into a plan of small steps:\n{{requirements}}\nWhen the plan stands, emit PlanReady.",
    },
  });
});

it("shows forced exits, and the run so far", () => {
  const loop = Array.from({ length: 9 }, () => ["CodeReady", "TestsFailed"]).flat();
  const view = run(codegen, ["PlanReady", ...loop, "NeedsRethink"]);
  expect(view.state).toBe("plan");
  expect(view.events.map(({ leadsTo }) => leadsTo)).toEqual(["→ implement (spent) ⇒ review"]);
  expect(view.history.slice(-2)).toEqual(["test ─TestsFailed→ implement", "implement ─NeedsRethink→ plan"]);
});

it("says how a run ended", () => {
  const done = run(codegen, ["PlanReady", "CodeReady", "TestsPassed", "Approved"]);
  expect(done.ending).toEqual({ isComplete: true, text: 'Complete in "done" after 5 visits.' });
  expect(done.events).toEqual([]);
  const lost = run(packOf({ a: { on_event: { Go: "nowhere" } } }), ["Go"]);
  expect(lost.ending).toEqual({
    isComplete: false,
    text: 'Broken off in "a" after 1 visit: "Go" leads to "nowhere", which is not a state.',
  });
  expect(lost.history).toEqual(["a ─Go→ nowhere"]);
});

it("goes as far as the pack still allows", () => {
  const view = run(codegen, ["PlanReady", "Gone", "CodeReady"]);
  expect([view.taken, view.state]).toEqual([1, "implement"]);
});

it("walks through a composition with the answers that were given", () => {
  const question = { branch: "route", text: 'route: kind.output.intent equals "refund"?' };
  expect(run(composition, []).composition).toEqual({
    questions: [{ ...question, isYes: true }],
    rows: [
      { label: "ran", text: "kind, route, facts, reply" },
      { label: "skipped", text: "ask" },
      { label: "result", text: "reply" },
    ],
  });
  expect(run(composition, [], { answers: { route: false } }).composition).toEqual({
    questions: [{ ...question, isYes: false }],
    rows: [
      { label: "ran", text: "kind, route, ask" },
      { label: "skipped", text: "facts" },
      { label: "fails", text: '"reply" reads ${facts.output}, and "facts" was skipped' },
    ],
  });
});

it("starts at the state of an agent, and at the entry if there is no such agent any more", () => {
  const members = { p: { state: "b" } };
  const text = packOf(
    { a: { on_event: { Go: "b" } }, b: { on_event: { Go: "end" } }, end: { terminal: true } },
    { agents: { entry: "p", members } },
  );
  expect(run(text, [], { agent: "p" })).toMatchObject({ agents: ["p"], state: "b" });
  expect(run(text, ["Go"], { agent: "q" })).toMatchObject({ taken: 0, state: "a" });
});

it("says what is missing", () => {
  expect(runsOf(analyze("id: ["))).toEqual({ missing: "The pack cannot be read; the findings say why." });
  expect(runsOf(analyze("id: x"))).toEqual({ missing: "The pack has no workflow with states." });
  const opened = runsOf(analyze(packOf({ a: {} }).replace('"entry":"a"', '"entry":"b"')));
  if ("missing" in opened) throw new Error(opened.missing);
  expect(simulate(opened, { text: "", agent: undefined, moves: [], answers: {} })).toEqual({
    missing: 'The workflow\'s entry "b" is not a state.',
  });
});

it("shows nothing that is invisible", () => {
  const view = run(packOf({ "a\u202eb": { on_event: { "Go\u200b": "end" } }, end: { terminal: true } }), []);
  expect([view.state, view.events[0]?.label, view.events[0]?.name]).toEqual([
    "a\\u202eb",
    "Go\\u200b",
    "Go\u200b",
  ]);
});
