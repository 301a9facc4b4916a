import fc from "fast-check";
import { it } from "vitest";
import { randomChange } from "./brute-force.js";
import { checkChange } from "./check.js";

it("agrees with brute force", () => {
  fc.assert(
    fc.property(randomChange(4), (flows) => void checkChange(flows)),
    { numRuns: 100 },
  );
});
