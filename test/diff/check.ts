import { expect } from "vitest";
import type { Trace } from "../../src/diagnostic.js";
import { readDocument } from "../../src/document/read.js";
import { compareBehaviour } from "../../src/diff/behaviour.js";
import { Analysis, hasPack, type PackAnalysis } from "../../src/analysis.js";
import { type Flow, packTextOf, type Position, Walker } from "../machine/flow.js";
import { expectedBehaviour, type ExpectedBehaviour, keyOf, rules, showsDifference } from "./brute-force.js";

type Sides<T> = { readonly old: T; readonly new: T };
type BehaviourDifference = ReturnType<typeof compareBehaviour>;

export function analysisOf(flow: Flow): PackAnalysis {
  const analysis = new Analysis("", readDocument(packTextOf(flow), "json"));
  if (!hasPack(analysis)) throw new Error("the text is no pack");
  return analysis;
}

/** Holds what is said about a change against what trying all sequences shows. */
export function checkChange(flows: Sides<Flow>): ExpectedBehaviour {
  const expected = expectedBehaviour(flows.old, flows.new);
  const found = compareBehaviour(analysisOf(flows.old), analysisOf(flows.new));
  const { changes } = found;
  const summary = {
    differences: shownDifferences(found),
    renamed: changes.filter(({ rule }) => rule === "state-renamed").map(({ message }) => namesIn(message)),
    removed: changes.filter(({ rule }) => rule === "state-removed").map(({ message }) => namesIn(message)[0]),
    lost: changes.filter(({ rule }) => rule === "no-longer-completes").length,
    grew: changes.filter(({ rule }) => rule === "worst-case-grew").length,
  };
  const { renamed } = expected;
  expect(summary).toEqual({
    differences:
      renamed !== undefined
        ? []
        : expected.differences
            .map(({ rule, level, length, roots }) => `${rule} ${level} ${length} ${roots.old} ${roots.new}`)
            .sort(),
    renamed: renamed === undefined ? [] : [[renamed.old, renamed.new]],
    removed: expected.removed,
    lost: expected.lost,
    grew: expected.grew ? 1 : 0,
  });
  const known = [...rules, "state-renamed", "state-removed", "no-longer-completes", "worst-case-grew"];
  expect(changes.filter(({ rule }) => !known.includes(rule as (typeof rules)[number]))).toEqual([]);
  checkSummary(found, expected);
  for (const { rule, level, traces } of changes) {
    const difference = rules.find((each) => each === rule);
    if (difference === undefined) {
      expect(level).toBe(rule === "worst-case-grew" ? "behaviour" : "breaking");
      continue;
    }
    if (traces === undefined) expect.unreachable("a difference without runs");
    const roots = { old: traces.old.root ?? "", new: traces.new.root ?? "" };
    const events = eventsOf(rule === "event-added" ? traces.new : traces.old);
    expect(eventsOf(traces.old)).toEqual(rule === "event-added" ? events.slice(0, -1) : events);
    expect(eventsOf(traces.new)).toEqual(rule === "event-refused" ? events.slice(0, -1) : events);
    expect(showsDifference(flows, roots, difference, events)).toBe(true);
    checkTrace(flows.old, traces.old);
    checkTrace(flows.new, traces.new);
  }
  return expected;
}

const namesIn = (message: string): string[] =>
  [...message.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name);
const eventsOf = ({ steps }: Trace): string[] => steps.map(({ event }) => event);

function shownDifferences({ changes }: BehaviourDifference): readonly string[] {
  return changes
    .filter(({ rule }) => rules.some((each) => each === rule))
    .map((change) => {
      const { old, new: now } = change.traces ?? expect.unreachable("a difference without runs");
      return `${keyOf(change)} ${Math.max(old.steps.length, now.steps.length)} ${old.root} ${now.root}`;
    })
    .sort();
}

/** What is said of the entry. */
function checkSummary({ behaviour }: BehaviourDifference, expected: ExpectedBehaviour): void {
  if (behaviour === null) expect.unreachable("workflows that are not compared");
  const { differences, renamed, worst, shortest } = expected;
  const lengthOf = (rule: string): number | undefined => {
    const lengths = differences
      .filter((each) => each.rule === rule && each.isEntry)
      .map(({ length }) => length);
    return renamed !== undefined || lengths.length === 0 ? undefined : Math.min(...lengths);
  };
  const finite = (entries: number): number | null => (entries === Infinity ? null : entries);
  expect({
    compared: behaviour.compared,
    refused: behaviour.refused?.length,
    added: behaviour.added?.length,
    leadsElsewhere: behaviour.leadsElsewhere?.length,
    endsDifferently: behaviour.endsDifferently?.length,
    worstCase: behaviour.worstCase,
    shortest: behaviour.shortest,
  }).toEqual({
    compared: true,
    refused: lengthOf("event-refused"),
    added: lengthOf("event-added"),
    leadsElsewhere: lengthOf("leads-elsewhere"),
    endsDifferently: lengthOf("ends-differently"),
    worstCase: {
      old: finite(worst.old),
      new: finite(worst.new),
      unbounded: { old: worst.old === Infinity, new: worst.new === Infinity },
    },
    shortest: { old: finite(shortest.old), new: finite(shortest.new) },
  });
}

function checkTrace(flow: Flow, { root = "", steps }: Trace): void {
  const walker = new Walker(flow);
  let at: Position = walker.start(root);
  for (const { from, event, to, end, forced = [] } of steps) {
    const sent = walker.next(at).find((each) => each.event === event);
    if (sent === undefined) expect.unreachable("not a run");
    const hasEnded = ["stopped", "stuck"].includes(sent.to);
    expect({ from, to, end, forced }).toEqual({
      from: walker.stateAt(at),
      to: hasEnded ? null : walker.stateAt(sent.to),
      end: hasEnded ? sent.to : undefined,
      forced: sent.forced,
    });
    at = sent.to;
  }
}
