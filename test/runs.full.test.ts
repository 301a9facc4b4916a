import { expect, it } from "vitest";
import { isFull, runs } from "./runs.js";

it("makes all runs in the full tests", () => {
  expect({ isFull, runs: runs(1000) }).toEqual({ isFull: true, runs: 1000 });
});
