import { expect } from "vitest";
import type { Trace } from "../../src/diagnostic.js";
import { findFacts } from "../../src/machine/exact-facts.js";
import type { Facts } from "../../src/machine/facts.js";
import { checkProperty, type Verdict } from "../../src/properties/check-property.js";
import type { Property } from "../../src/properties/property.js";
import { rfcReading } from "../../src/machine/machine.js";
import { ends, type Flow, machineOf, Walker } from "../machine/flow.js";
import { breaks, isStep, judge, replay, type Truth } from "./brute-force.js";

/** Holds a verdict against the truth, and the run that is shown against the definition. */
export function checkAgainstTruth(flow: Flow, property: Property, reading = rfcReading): Truth {
  const walker = new Walker(flow, reading);
  const truth = judge(walker, property);
  const verdict = verdictOf(findFacts(machineOf(flow, reading)), property);
  expect(verdict.kind).toBe(truth.kind);
  if (verdict.kind !== "broken" || truth.kind !== "broken") return truth;
  const { run } = verdict;
  if (property.pattern.kind === "possible") {
    expect(run).toBeUndefined();
    return truth;
  }
  if (run === undefined) expect.unreachable("a broken property without a run");
  checkRun(walker, property, run);
  expect({ endless: run.loopFrom !== undefined }).toEqual({ endless: truth.endless });
  // No loop is the shortest by contract, and what asks may be a part of it.
  if (truth.endless !== true)
    expect({ length: run.steps.length, root: run.root }).toEqual({ length: truth.length, root: truth.root });
  return truth;
}

/** The run is one of the flow, it breaks the property, and no shorter part of it does. */
export function checkRun(walker: Walker, { pattern }: Property, run: Trace): void {
  const root = run.root ?? "";
  const taken = replay(
    walker,
    root,
    run.steps.map(({ event }) => event),
  );
  if (taken === undefined) expect.unreachable("not a run");
  let from = root;
  const steps = taken.map(({ event, forced, to }) => {
    const hasEnded = ends.includes(to);
    const step = {
      from,
      event,
      to: hasEnded ? null : walker.stateAt(to),
      ...(hasEnded && { end: to }),
      ...(forced.length > 0 && { forced }),
    };
    from = walker.stateAt(to);
    return step;
  });
  expect(run.steps).toEqual(steps);
  const historyOf = (length: number) => ({
    moments: [`enters ${root}`, ...taken.slice(0, length).flatMap(({ moments }) => moments)],
    at: taken[length - 1]?.to ?? walker.start(root),
  });
  if (run.loopFrom === undefined) {
    expect(breaks(walker, pattern, historyOf(taken.length))).toBe(true);
    for (let length = 0; length < taken.length; length++)
      expect(breaks(walker, pattern, historyOf(length))).toBe(false);
    return;
  }
  if (pattern.kind !== "eventually") expect.unreachable("only waiting goes on for ever");
  expect(run.loopFrom).toBeLessThan(taken.length);
  expect(historyOf(run.loopFrom).at).toBe(historyOf(taken.length).at);
  const once = historyOf(taken.length).moments;
  const twice = [...once, ...taken.slice(run.loopFrom).flatMap(({ moments }) => moments)];
  const asked =
    pattern.after === undefined
      ? [-1]
      : once.flatMap((moment, index) => (isStep(pattern.after, moment) ? index : []));
  expect(asked.some((y) => !twice.slice(y + 1).some((moment) => isStep(pattern.of, moment)))).toBe(true);
}

/** As the linter asks: whether every name of a state that runs may enter is known is read off the machine here. */
export function verdictOf(facts: Facts, property: Property): Verdict {
  const isLost = (target: number | undefined): boolean => target === -1;
  const targetsKnown = !facts.machine.states.some(
    ({ index, edges, maxVisits, forcedExit }) =>
      facts.entered.has(index) &&
      ((maxVisits !== undefined && isLost(forcedExit)) || edges.some(({ target }) => isLost(target))),
  );
  return checkProperty(facts, property, targetsKnown);
}
