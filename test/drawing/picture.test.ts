import { describe, expect, test } from "vitest";
import { isStateNode, type Picture } from "../../src/drawing/picture.js";
import { packOf, pictureOf, subjectOf } from "./drawn.js";
import { buildPicture } from "../../src/drawing/build-picture.js";

/** `name: paint` of every painted state and ghost, `from event→ to: paint` of every painted edge. */
function painted(picture: Picture): readonly string[] {
  const nameOf = new Map(picture.nodes.map(({ id, name }) => [id, name]));
  return [
    ...picture.nodes.flatMap(({ name, mark }) => (mark === undefined ? [] : `${name}: ${mark}`)),
    ...picture.edges.flatMap(({ kind, from, to, mark }) =>
      mark === undefined ? [] : `${nameOf.get(from)} ${kind} ${nameOf.get(to)}: ${mark}`,
    ),
  ];
}

const review = {
  implement: { max_visits: 2, on_max_visits: "review", on_event: { Done: "review" } },
  review: { on_event: { Approved: "done", ChangesNeeded: "implement" } },
  done: { terminal: true },
};

describe("findings are marked", () => {
  test("an unbounded loop along its witness, forced exits too", () => {
    expect(painted(pictureOf(packOf(review)))).toEqual([
      "implement: loop",
      "review: loop",
      "implement forced review: loop",
      "review event implement: loop",
    ]);
  });

  test("a loop that only the budget ends", () => {
    const workflow = { version: 2, entry: "a", engine: { budget: { max_total_visits: 9 } } };
    const states = {
      a: { prompt_task: "p", on_event: { Again: "a", Done: "b" } },
      b: { prompt_task: "p", terminal: true },
    };
    const pack = packOf({ a: {} }, { workflow: { ...workflow, states } });
    expect(painted(pictureOf(pack))).toEqual(["a: held", "a event a: held"]);
  });

  test("trapped states with the edges between them, and states that no run enters", () => {
    const states = {
      a: { on_event: { Go: "b", Done: "end" } },
      b: { on_event: { Go: "c" } },
      c: { on_event: { Go: "b" } },
      end: { terminal: true },
      alone: { on_event: { Done: "end" } },
    };
    expect(painted(pictureOf(packOf(states)))).toEqual([
      "b: trapped",
      "c: trapped",
      "alone: unreachable",
      "b event c: trapped",
      "c event b: trapped",
    ]);
  });

  test("a ring of forced exits", () => {
    const states = {
      a: { max_visits: 1, on_max_visits: "b", on_event: { Go: "b", Done: "end" } },
      b: { max_visits: 1, on_max_visits: "a", on_event: { Go: "a" } },
      end: { terminal: true },
    };
    expect(painted(pictureOf(packOf(states)))).toEqual([
      "a: loop",
      "b: loop",
      "a forced b: loop",
      "b forced a: loop",
    ]);
  });

  test("a state from which no run completes", () => {
    const states = {
      a: { on_event: { Go: "b", Done: "end" } },
      b: { max_visits: 2, on_event: { Go: "b" } },
      end: { terminal: true },
    };
    expect(painted(pictureOf(packOf(states)))).toEqual(["b: incomplete"]);
  });

  test("undefined names: an entry, an agent's state, an event's target and a forced exit", () => {
    const rest = { agents: { entry: "p", members: { p: { state: "lost" } } } };
    const states = { a: { max_visits: 1, on_max_visits: "gone", on_event: { Go: "lost" } } };
    const picture = pictureOf(packOf(states, rest).replace('"entry":"a"', '"entry":"nowhere"'));
    expect(painted(picture)).toEqual([
      "nowhere: missing",
      "lost: missing",
      "gone: missing",
      " start nowhere: missing",
      "p start lost: missing",
      "a event lost: missing",
      "a forced gone: missing",
    ]);
  });

  test("none without findings", () => {
    expect(painted(buildPicture({ ...subjectOf(packOf(review)), diagnostics: [] }))).toEqual([]);
  });
});

test("transitions of a terminal state are no edges, and on_max_visits without a guard is none", () => {
  const states = {
    a: { on_max_visits: "b", on_event: { Go: "b" } },
    b: { terminal: true, on_event: { Back: "a" } },
  };
  const { edges } = pictureOf(packOf(states));
  expect(edges.map(({ kind, from, to }) => [kind, from, to])).toEqual([
    ["start", "a0", "s0"],
    ["event", "s0", "s1"],
  ]);
});

test("runs know the edges they take", () => {
  const { runs, findings } = pictureOf(packOf(review));
  const loop = findings.find(({ rule }) => rule === "unbounded-loop");
  const run = runs[loop?.run ?? -1];
  expect(run?.start).toBe("s0");
  expect(run?.loopFrom).toBe(3);
  expect(run?.steps.at(-1)).toEqual({
    event: "ChangesNeeded",
    forced: ["s0"],
    to: "s1",
    edges: ["e4", "e2"],
  });
  expect(runs.map(({ title }) => title)).toEqual(["unbounded-loop, line 1", "shortest complete run"]);
});

test("no run is called the shortest while a name leads nowhere", () => {
  const states = { a: { on_event: { Go: "b", Lost: "nowhere" } }, b: { terminal: true } };
  expect(pictureOf(packOf(states)).runs.map(({ title }) => title)).toEqual(["a complete run"]);
});

test("findings are attached to the states they are about", () => {
  const { nodes, findings } = pictureOf(packOf(review));
  const at = nodes
    .filter(isStateNode)
    .map(({ name, findings: own }) => [name, own.map((index) => findings[index]?.rule)]);
  expect(at).toEqual([
    ["implement", ["event-not-in-prompt", "unbounded-loop"]],
    ["review", ["unbounded-loop", "event-not-in-prompt"]],
    ["done", []],
  ]);
});
