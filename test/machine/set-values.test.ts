import fc from "fast-check";
import { expect, it } from "vitest";
import { findFacts } from "../../src/machine/exact-facts.js";
import type { Reading } from "../../src/machine/machine.js";
import { rfcReading } from "../../src/machine/machine.js";
import { RunState } from "../../src/machine/run.js";
import { type Arrival, SetValues } from "../../src/machine/set-values.js";
import type { Declaration } from "../../src/pack/artifact-use.js";
import { promptkit } from "../../src/runtimes/promptkit.js";
import { readingOf } from "../../src/runtimes/runtime.js";
import { isFull, runs } from "../runs.js";
import { workflowOf } from "../simulate/open-text.js";
import { type Flow, machineOf, packTextOf, randomFlow, Walker } from "./flow.js";

/** Follows what is set along every run. */
function arrivals(flow: Flow, reading: Reading, declaring: readonly string[]) {
  const walker = new Walker(flow, reading);
  const found = new Map<string, { arrivals: Set<boolean>; shortest: number | undefined }>();
  const seen = new Map<string, number>();
  const todo = flow.roots.map((root) => ({ at: walker.start(root), isSet: false, length: 0 }));
  for (const { at, isSet, length } of todo) {
    const key = `${at} ${isSet}`;
    if (seen.has(key)) continue;
    seen.set(key, length);
    const state = walker.stateAt(at);
    const entry = found.get(state) ?? { arrivals: new Set(), shortest: undefined };
    entry.arrivals.add(isSet);
    if (!isSet) entry.shortest ??= length;
    found.set(state, entry);
    for (const { to } of walker.next(at))
      if (to.includes(" "))
        todo.push({ at: to, isSet: isSet || declaring.includes(state), length: length + 1 });
  }
  return found;
}

it.each([
  ["the RFC", rfcReading],
  ["PromptKit", readingOf(promptkit) ?? expect.unreachable()],
])(
  "tells what each run has set in the machine of %s, as brute force that follows every run",
  (_, reading) => {
    const seen = new Map<Arrival | undefined, number>();
    const flowAndDeclaring = randomFlow(6, 0).chain((flow) =>
      fc.tuple(
        fc.constant(flow),
        fc.subarray(
          flow.states.map(({ name }) => name),
          { maxLength: Math.min(3, flow.states.length) },
        ),
      ),
    );
    fc.assert(
      fc.property(flowAndDeclaring, ([flow, names]) => {
        const machine = machineOf(flow, reading);
        const { workflow } = workflowOf(packTextOf(flow));
        const values = new SetValues(workflow, findFacts(machine));
        const declaring = workflow.states.filter(({ name }) => names.includes(name.text));
        const artifact = { ...({} as Declaration["artifact"]) };
        const declarations = declaring.map((state) => ({ state, artifact }));
        const truth = arrivals(flow, reading, names);
        for (const state of workflow.states) {
          const there = truth.get(state.name.text);
          if (there === undefined) continue;
          const expected =
            there.arrivals.size === 2 ? "sometimes" : there.arrivals.has(true) ? "always" : "never";
          const set = values.artifact(declarations, state);
          const way = values.runWithout(declarations, [state]);
          const run = way?.run();
          expect(way?.steps).toBe(run?.steps.length);
          seen.set(set, (seen.get(set) ?? 0) + 1);
          expect([state.name.text, set, run?.steps.length]).toEqual([
            state.name.text,
            expected,
            there.shortest,
          ]);
          if (run === undefined) continue;
          const root = machine.states.findIndex(({ name }) => name === (run.steps[0]?.from ?? run.root));
          const replayed = new RunState(machine).enter(root);
          for (const step of run.steps) {
            expect(names).not.toContain(step.from);
            expect(replayed.advance(replayed.eventsByName.get(step.event) ?? -1)).toEqual(step);
          }
          expect(replayed.current.name).toBe(state.name.text);
        }
      }),
      { numRuns: runs(3_000) },
    );
    if (!isFull) return;
    for (const set of ["always", "sometimes", "never"] as const) expect(seen.get(set)).toBeGreaterThan(100);
  },
);
