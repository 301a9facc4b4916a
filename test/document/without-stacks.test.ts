import { describe, expect, it } from "vitest";
import { withoutStackTraces } from "../../src/document/yaml/yaml-faults.js";

const callsIn = (error: Error): number => (error.stack ?? "").split("\n").length - 1;

describe("withoutStacks", () => {
  it("makes errors that note no calls, and leaves later ones as they were", () => {
    expect(withoutStackTraces(() => callsIn(new Error("a")))).toBe(0);
    expect(callsIn(new Error("b"))).toBeGreaterThan(0);
  });

  it("ends also where the work throws", () => {
    const limit = Error.stackTraceLimit;
    expect(() =>
      withoutStackTraces(() => {
        throw new RangeError("too deep");
      }),
    ).toThrow("too deep");
    expect(Error.stackTraceLimit).toBe(limit);
  });
});
