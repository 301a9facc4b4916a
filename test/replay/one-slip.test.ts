import { expect, it } from "vitest";
import { heldAgainst } from "./held-against.js";

const pack = `
id: notes
version: 1.0.0
workflow:
  version: 2
  entry: draft
  states:
    draft:
      prompt_task: write
      max_visits: 3
      artifacts: { notes: { type: text/markdown } }
      on_event: { Again: draft, Drafted: polish }
    polish: { prompt_task: write, max_visits: 1, on_event: { Again: draft, Drafted: publish } }
    publish: { prompt_task: publish, terminal: true }
  engine: { budget: { max_total_visits: 5 } }
`;

const line = (record: string, rest: object): string => JSON.stringify({ record, ...rest });
const start = (state: string): string =>
  line("start", { schemaVersion: 1, pack: { id: "notes", version: "1.0.0" }, state });
const move = (step: number, from: string, event: string, to: string, visit: number, notes: string): string =>
  line("transition", { step, from, event, to, visit, total: step + 1, artifacts: { notes } });
const end = (status: string, state: string, steps: number, artifacts: object, more: object = {}): string =>
  line("end", { status, state, steps, total: steps + 1, artifacts, ...more });

const drafts = [
  start("draft"),
  move(1, "draft", "Again", "draft", 2, "v1"),
  move(2, "draft", "Again", "draft", 3, "v2"),
];
const running = [...drafts, end("running", "draft", 2, { notes: "v2" })];
const complete = [
  ...drafts,
  move(3, "draft", "Drafted", "polish", 1, "v3"),
  move(4, "polish", "Drafted", "publish", 1, "v3"),
  end("complete", "publish", 4, { notes: "v3" }),
];
const [, again = ""] = drafts;
const unmoved = end("running", "draft", 0, {});

/** `line rule` for each error. */
const said = (lines: readonly string[]): readonly string[] =>
  heldAgainst(pack, lines.join("\n"))
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ range, rule }) => `${range.start.line} ${rule}`);

it.each([
  ["none, of a run that goes on", running, []],
  ["none, of one that is complete", complete, []],
  ["a wrong start", complete.with(0, start("polish")), ["1 run-start"]],
  ["a start in no state", complete.with(0, start("drft")), ["1 run-unknown-state"]],
  ["a wrong start, and nothing since", [start("polish"), unmoved], ["1 run-start"]],
  ["no start, and nothing since", [unmoved], ["1 run-start"]],
  ["a transition twice, in a run that uses up its budget", complete.toSpliced(1, 0, again), ["3 run-counts"]],
  ["the last transition missing, and what it wrote", running.toSpliced(2, 1), ["3 run-counts"]],
  [
    "an event that ended a run which goes on",
    [...drafts, end("running", "draft", 2, { notes: "v2" }, { event: "Drafted" })],
    ["4 run-end"],
  ],
])("tells each slip once: %s", (_, lines, expected) => {
  expect(said(lines)).toEqual(expected);
});
