import { expect, it } from "vitest";
import { heldAgainst, linesOf } from "./held-against.js";

const pack = `
prompts: { p: {} }
workflow:
  entry: a
  states:
    a: { prompt_task: p, on_event: { Ring: one, Chain: first, Gone: x, Void: nowhere, Wall: via } }
    b: { prompt_task: p, on_event: { Back: a } }
    one: { prompt_task: p, max_visits: 1, on_max_visits: two, on_event: { Back: a } }
    two: { prompt_task: p, max_visits: 1, on_max_visits: one, on_event: { Back: a } }
    first: { prompt_task: p, max_visits: 1, on_max_visits: second, on_event: { Back: a } }
    second: { prompt_task: p, max_visits: 1, on_max_visits: b, on_event: { Back: a } }
    x: { prompt_task: p, max_visits: 1, on_max_visits: nowhere, on_event: { Back: a } }
    via: { prompt_task: p, max_visits: 1, on_max_visits: wall, on_event: { Back: a } }
    wall: { prompt_task: p, max_visits: 1, on_event: { Back: a } }
`;

/** A record of the moves, each written as `event state` with the spent states that were passed. */
function record(moves: readonly string[]): string {
  let from = "a";
  const lines = moves.map((move) => {
    const [event = "", to = "", ...forced] = move.split(" ");
    const line = { record: "transition", from, event, to, forced, artifacts: {} };
    from = to;
    return line;
  });
  return [{ record: "start", state: "a" }, ...lines].map((line) => JSON.stringify(line)).join("\n");
}
const levels = new Map([
  ["run-record", "off"],
  ["run-incomplete", "off"],
] as const);
const found = (text: string) => linesOf(heldAgainst(pack, text, { levels }).diagnostics);

const ring = ["Ring one", "Back a", "Ring two one", "Back a"];
const chain = ["Chain first", "Back a", "Chain second first", "Back a"];

it.each<[string, readonly string[], string]>([
  [
    "a ring of spent states that is left",
    [...ring, "Ring b"],
    '6 run-wrong-state: "Ring" leads from "a" to "one" and "two", where forced exits go round in a circle and the run is stuck (line 6 of the pack), but the record enters "b".',
  ],
  [
    "a ring of spent states that is entered",
    [...ring, "Ring one"],
    '6 run-guard: "one" is entered although it is spent: this is visit 2, but max_visits allows 1 (line 8 of the pack). The run should have ended.',
  ],
  [
    "a chain of spent states",
    [...chain, "Chain one"],
    '6 run-wrong-state: "Chain" leads from "a" through "first" and "second", which are spent, to "b" (line 6 of the pack), but the record enters "one".',
  ],
  [
    "a chain of spent states that is entered",
    [...chain, "Chain second"],
    '6 run-guard: The forced exit of "first" enters "second" without checking its guard: this is visit 2, but max_visits allows 1 (line 11 of the pack). The run should have gone on to "b". PromptKit runs so: check its records with --runtime promptkit.',
  ],
  [
    "a forced exit to no state",
    ["Gone x", "Back a", "Gone b"],
    '4 run-wrong-state: "Gone" leads from "a" to "x", whose on_max_visits is not a state (line 6 of the pack), but the record enters "b".',
  ],
  [
    "a forced exit to no state, into the spent one",
    ["Gone x", "Back a", "Gone x"],
    '4 run-guard: "x" is entered although it is spent: this is visit 2, but max_visits allows 1 (line 12 of the pack). The run should have ended.',
  ],
  [
    "an event to no state",
    ["Void b"],
    '2 run-wrong-state: "Void" leads from "a" to "nowhere", which is not a state (line 6 of the pack), but the record enters "b".',
  ],
])("tells what should have become of %s", (_, moves, expected) => {
  expect(found(record(moves))).toEqual([expected]);
});

it.each<[string, readonly string[] | undefined, readonly string[]]>([
  ["all of them", ["one", "two"], []],
  [
    "one of them",
    ["one"],
    ['6 run-wrong-state: The record says that "one" was spent on the way, but "one" and "two" were.'],
  ],
  [
    "others",
    ["one", "first"],
    [
      '6 run-wrong-state: The record says that "one" and "first" were spent on the way, but "one" and "two" were.',
    ],
  ],
  [
    "none",
    undefined,
    ['6 run-wrong-state: The record says that no state was spent on the way, but "one" and "two" were.'],
  ],
])("holds the spent states before an end against the way there: %s", (_, forced, expected) => {
  const end = { record: "end", state: "a", status: "stuck", event: "Ring", forced, artifacts: {} };
  expect(found(`${record(ring)}\n${JSON.stringify(end)}`)).toEqual(expected);
});

it.each<[string, readonly string[], readonly string[]]>([
  ["with the state that stops it", ["via", "wall"], []],
  ["without it, which hands nothing on", ["via"], []],
  [
    "with that state alone",
    ["wall"],
    ['6 run-wrong-state: The record says that "wall" was spent on the way, but "via" and "wall" were.'],
  ],
])("takes the way to a guard that stops the run %s", (_, forced, expected) => {
  const moves = record(["Wall via", "Back a", "Wall wall via", "Back a"]);
  const end = { record: "end", state: "a", status: "stopped", event: "Wall", forced, artifacts: {} };
  expect(found(`${moves}\n${JSON.stringify(end)}`)).toEqual(expected);
});
