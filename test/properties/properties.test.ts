import fc from "fast-check";
import { expect, it } from "vitest";
import { randomFlow, Walker } from "../machine/flow.js";
import { breaks, histories, isJudged, judge, randomProperty } from "./brute-force.js";
import { checkAgainstTruth } from "./check.js";

const flowAndProperty = (largest: number) =>
  randomFlow(largest).chain((flow) => fc.tuple(fc.constant(flow), randomProperty(flow)));

it("agrees with brute force", () => {
  fc.assert(
    fc.property(flowAndProperty(5), ([flow, property]) => void checkAgainstTruth(flow, property)),
    { numRuns: 300 },
  );
});

it("is held against guesses that agree with the literal definition on short runs", () => {
  const events = 4;
  let broken = 0;
  fc.assert(
    fc.property(flowAndProperty(3), ([flow, property]) => {
      const walker = new Walker(flow);
      const { pattern } = property;
      fc.pre(isJudged(walker, pattern) && pattern.kind !== "possible");
      const truth = judge(walker, { ...property, from: [] });
      const lengths = flow.roots.map((root) =>
        Math.min(
          ...[...histories(walker, root, events)].flatMap((run) =>
            breaks(walker, pattern, run) ? run.length : [],
          ),
        ),
      );
      const shortest = Math.min(...lengths);
      if (shortest < Infinity) broken++;
      const found = truth.kind === "broken" && truth.endless !== true ? (truth.length ?? 0) : Infinity;
      expect(found <= events ? found : Infinity).toBe(shortest);
      if (shortest < Infinity) expect(truth).toMatchObject({ root: flow.roots[lengths.indexOf(shortest)] });
    }),
    { numRuns: 300 },
  );
  expect(broken).toBeGreaterThan(50);
});
