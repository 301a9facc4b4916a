import { expect, it } from "vitest";
import { allRuntimes } from "../../src/runtimes/index.js";
import { runtimeNames, workflowRuntimeNames } from "../../src/runtimes/names.js";
import { readingOf } from "../../src/runtimes/runtime.js";

it("names the runtimes, and those that run workflows, as the tables have them", () => {
  expect(allRuntimes.map(({ name }) => name)).toEqual(runtimeNames);
  const running = allRuntimes.filter((runtime) => readingOf(runtime) !== undefined);
  expect(running.map(({ name }) => name)).toEqual(workflowRuntimeNames);
});
