import { expect, it } from "vitest";
import { durationSeconds } from "../../src/routes/routes.js";

it.each<[string | number, number | undefined]>([
  [90, 90],
  ["90", 90],
  ["1.5", 1.5],
  [" 120s ", 120],
  ["250ms", 0.25],
  ["1m30s", 90],
  ["1.5m", 90],
  ["2h", 7_200],
  ["1d", 86_400],
  ["", undefined],
  ["s", undefined],
  ["5 m", undefined],
  ["in 5m", undefined],
  ["5m.", undefined],
  ["1.m", undefined],
])("a duration of %j is %j seconds", (written, seconds) => {
  expect(durationSeconds(written)).toBe(seconds);
});
