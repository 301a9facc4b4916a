import { rfcReading } from "../../src/machine/machine.js";
import { describe, expect, it } from "vitest";
import { lapAnalyzer } from "../../src/machine/laps.js";

const ring = (size: number): number[] => Array.from({ length: size }, (_, node) => node);

describe("the states on every lap", () => {
  it("are all states of a ring", () => {
    const { onEveryLap } = lapAnalyzer(
      { states: [], roots: [], reading: rfcReading },
      (node) => [(node + 1) % 5],
      (node) => node,
    )(ring(5));
    expect(onEveryLap([0, 2, 4])).toEqual([0, 2, 4]);
  });

  it("are no longer looked for once enough was looked at, in small loops more often than in large ones", () => {
    const laps = lapAnalyzer(
      { states: [], roots: [], reading: rfcReading },
      (node) => [node + 1, 0],
      () => 0,
    );
    const large = laps(ring(15_000));
    const small = laps(ring(5));
    expect(large.onEveryLap([0])).toEqual([0]);
    expect(large.onEveryLap([0])).toEqual([]);
    expect(small.onEveryLap([0])).toEqual([0]);
  });
});
