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
      artifacts: { notes: { type: text/markdown } }
      on_event: { Drafted: review, Again: draft }
    review:
      prompt_task: write
      artifacts: { remarks: { type: text/plain, mode: append } }
      on_event: { ChangesWanted: draft, Approved: publish }
    publish: { prompt_task: write, terminal: true }
`;

const said = (record: string): readonly string[] =>
  heldAgainst(pack, record).diagnostics.flatMap(({ rule, range, message, severity }) =>
    severity === "error" ? `${range.start.line} ${rule}: ${message}` : [],
  );

const second = (number: number): string => `2026-01-01T00:00:0${number}Z`;
const again = ["draft", "draft", "Again"] as const;
const drafted = ["draft", "review", "Drafted"] as const;
const wanted = ["review", "draft", "ChangesWanted"] as const;
type Dated = readonly [typeof again | typeof drafted | typeof wanted, number];

/** A context with one entry of its histories per line, from the second line on. */
function context(
  moves: readonly Dated[],
  captures: readonly Dated[],
  visits: Readonly<Record<string, number>>,
): string {
  const history = moves.map(([[from, to, event], at]) =>
    JSON.stringify({ from, to, event, timestamp: second(at) }),
  );
  const captured = captures.map(([[from, to, event], at]) =>
    JSON.stringify({
      from_state: from,
      to_state: to,
      event,
      values: { notes: "a" },
      timestamp: second(at),
    }),
  );
  const rest = {
    current_state: moves.at(-1)?.[0][1],
    visit_counts: visits,
    total_tool_calls: 0,
    artifacts: captures.length > 0 ? { notes: "a" } : {},
    started_at: second(0),
    updated_at: second(9),
  };
  return `{"history":[\n${history.join(",\n")}],\n"artifact_history":[\n${captured.join(",\n")}],\n${JSON.stringify(rest).slice(1)}`;
}

it("tells a capture that steps back by itself, though others did with their transitions", () => {
  const moves: readonly Dated[] = [
    [again, 5],
    [again, 3],
    [again, 5],
    [drafted, 6],
  ];
  const record = context(moves, moves.with(3, [drafted, 3]), { draft: 4, review: 1 });
  const back = `run-time-order: ${second(3)} is before ${second(5)}, which comes earlier in the run.`;
  expect(said(record)).toEqual([`3 ${back}`, `10 ${back}`]);
});

it("knows that nothing was set before the first capture, also of a history that lost its beginning", () => {
  const moves = [
    [wanted, 3],
    [drafted, 4],
    [wanted, 5],
  ] as const;
  expect(said(context(moves, moves.slice(2), { draft: 3, review: 2 }))).toEqual([
    '2 run-start: The run starts in "review", but runs of this workflow start in "draft".',
    '6 run-artifact-change: The artifact "notes" is set on leaving "review", although "review" does not declare it.',
  ]);
});

it("tells an artifact that is lost for a while where it is lost, and not where it comes back", () => {
  const events = [drafted, wanted, drafted, wanted, drafted, wanted];
  const lines = events.map(([from, to, event], index) =>
    JSON.stringify({
      record: "transition",
      step: index + 1,
      from,
      event,
      to,
      visit: Math.ceil((index + 2) / 2),
      total: index + 2,
      artifacts: index >= 2 && index <= 4 ? {} : { notes: "v1" },
    }),
  );
  const start = {
    record: "start",
    schemaVersion: 1,
    pack: { id: "notes", version: "1.0.0" },
    state: "draft",
  };
  expect(said([JSON.stringify(start), ...lines].join("\n"))).toEqual([
    '4 run-artifact-change: The artifact "notes" disappears on leaving "draft": a state can overwrite an artifact, not remove it.',
  ]);
});
