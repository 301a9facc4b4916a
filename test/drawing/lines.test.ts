import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { json } from "../../src/drawing/json.js";
import { svg } from "../../src/drawing/svg.js";
import { packOf, pictureOf } from "./drawn.js";
import { badgeRadius, distance, headOf, isInside, type Measured, measure } from "./drawn-lines.js";

const stateNames = [
  "a",
  "b",
  "review",
  "draft_an_answer",
  "d",
  "triage",
  "f",
  "ask_the_customer",
  "h",
  "end",
];
const eventNames = ["Ok", "Done", "ChangesNeeded", "Retry", "NeedsMoreInformation"];

/** Small workflows of every shape: loops, guards, agents, names of no state, parts that nothing leads to. */
const workflows = fc.integer({ min: 3, max: stateNames.length }).chain((size) => {
  const names = stateNames.slice(-size);
  const target = fc.constantFrom(...names, ...names, "nowhere");
  const state = fc.record(
    {
      on_event: fc.dictionary(fc.constantFrom(...eventNames), target, { maxKeys: 4 }),
      max_visits: fc.integer({ min: 1, max: 3 }),
      on_max_visits: target,
      orchestration: fc.constantFrom("external", "hybrid"),
    },
    { requiredKeys: ["on_event"] },
  );
  const states = fc.tuple(...names.map(() => state));
  return fc.tuple(states, fc.option(target)).map(([all, agent]) => {
    const own = Object.fromEntries(names.map((name, index) => [name, all[index] ?? {}]));
    const agents = agent === null ? {} : { agents: { entry: "p", members: { p: { state: agent } } } };
    return packOf({ ...own, end: { terminal: true } }, agents);
  });
});

function drawn(
  text: string,
  direction: "tb" | "lr",
): { readonly measured: Measured; readonly ends: ReadonlyMap<string, Ends> } {
  const picture = { ...pictureOf(text), direction };
  const { edges } = JSON.parse(json(picture)) as { edges: Ends[] };
  return { measured: measure(svg(picture)), ends: new Map(edges.map((edge) => [edge.id, edge])) };
}

interface Ends {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** `edge behind box`, wherever one passes a box that it neither leaves nor enters. */
function hidden(text: string, direction: "tb" | "lr" = "tb"): readonly string[] {
  const { measured, ends } = drawn(text, direction);
  return measured.lines.flatMap(({ id, spots }) => {
    const { from, to } = ends.get(id) ?? { from: "", to: "" };
    const strange = measured.boxes.filter((box) => box.id !== from && box.id !== to);
    return strange.flatMap((box) =>
      spots.some((spot) => isInside(spot, box)) ? `${id} behind ${box.id}` : [],
    );
  });
}

/** `edge through label`, wherever one passes the label of another. */
function crossed(text: string, direction: "tb" | "lr" = "tb"): readonly string[] {
  const { lines, labels } = drawn(text, direction).measured;
  return lines.flatMap(({ id, spots }) =>
    labels.flatMap((label) =>
      label.id !== id && spots.some((spot) => isInside(spot, label)) ? `${id} through ${label.id}` : [],
    ),
  );
}

/** The edges whose heads a badge covers. */
function covered(text: string, direction: "tb" | "lr" = "tb"): readonly string[] {
  const { lines, badges } = drawn(text, direction).measured;
  return lines.flatMap((line) => {
    const head = headOf(line);
    return badges.some((badge) => head.some((spot) => distance(spot, badge) < badgeRadius)) ? line.id : [];
  });
}

describe("an edge", () => {
  test.each(["tb", "lr"] as const)("passes behind no box but those of its ends, %s", (direction) => {
    fc.assert(
      fc.property(workflows, (text) => {
        expect(hidden(text, direction)).toEqual([]);
      }),
    );
  });

  test.each(["tb", "lr"] as const)("passes behind no label but its own, %s", (direction) => {
    fc.assert(
      fc.property(workflows, (text) => {
        expect(crossed(text, direction)).toEqual([]);
      }),
    );
  });

  test("goes around a state between its ends", () => {
    const states = {
      a: { on_event: { Approved: "d", Failed: "d" } },
      b: { on_event: { Failed: "end", Approved: "a" } },
      c: { on_event: { Done: "end" } },
      d: { on_event: { Approved: "b", Ok: "d", Next: "end" } },
      end: { terminal: true },
    };
    expect(hidden(packOf(states))).toEqual([]);
  });

  test("between neighbours swings out no farther than the label beside it makes it", () => {
    const states = {
      a: { on_event: { Go: "b" } },
      b: { terminal: true },
      c: { on_event: { Go: "d" } },
      d: { terminal: true },
      e: { on_event: { X: "f" } },
      f: { on_event: { Y: "e" } },
      g: { terminal: true },
      h: { terminal: true },
      i: { terminal: true },
      j: { on_event: { Z: "a" } },
    };
    const { measured, ends } = drawn(packOf(states), "tb");
    const [back] = [...ends.values()].filter(({ from }) => from === "s5");
    const xs = measured.lines.flatMap(({ id, spots }) => (id === back?.id ? spots.map(({ x }) => x) : []));
    expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(40);
  });

  test.each(["tb", "lr"] as const)("has a head that no badge covers, %s", (direction) => {
    fc.assert(
      fc.property(workflows, (text) => {
        expect(covered(text, direction)).toEqual([]);
      }),
    );
  });
});
