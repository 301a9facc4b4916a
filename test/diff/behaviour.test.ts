import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomChange } from "./brute-force.js";
import { checkChange } from "./check.js";
import { compareTexts } from "./compare-texts.js";

it("agrees with brute force", () => {
  fc.assert(
    fc.property(randomChange(4), (flows) => void checkChange(flows)),
    { numRuns: 100 },
  );
});

describe("a run that differs", () => {
  const flow = (budget: number, end: string) => `
workflow:
  entry: a
  engine: { budget: { max_total_visits: ${budget} } }
  states:
    a: { on_event: { Go: b } }
    b: { on_event: { Go: c } }
    c: { on_event: { Done: ${end} } }
    d: { terminal: true }
    e: { terminal: true }
`;
  const messages = (before: string, after: string) =>
    compareTexts(before, after).changes.map(({ message }) => message);

  it.each([
    [9, 9, ""],
    [9, 3, " The budget would end the new run earlier."],
    [3, 9, " The budget would end the old run earlier."],
    [3, 3, " The budget would end both runs earlier."],
  ])("may be longer than budgets of %i and %i allow", (old, now, note) => {
    expect(messages(flow(old, "d"), flow(now, "e"))).toContain(
      `"Done" in "c" leads to "e" now, not to "d".${note}`,
    );
  });

  it("is not looked for from an entry that is not a state", () => {
    const dangling = flow(9, "e").replace("entry: a", "entry: nowhere");
    expect(messages(flow(9, "d"), dangling).filter((message) => message.includes("Done"))).toEqual([]);
    expect(messages(dangling, flow(9, "d")).filter((message) => message.includes("Done"))).toEqual([]);
  });
});
