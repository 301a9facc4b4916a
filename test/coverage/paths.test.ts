import fc from "fast-check";
import { it } from "vitest";
import { randomFlow } from "../machine/flow.js";
import { checkPaths } from "./check.js";

it("take everything that some run does, in few events", () => {
  fc.assert(
    fc.property(randomFlow(5), fc.integer(), (flow, seed) => void checkPaths(flow, seed, 20)),
    { numRuns: 100 },
  );
});
