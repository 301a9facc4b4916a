import { expect, it } from "vitest";
import { resolveSpec, unknownVersionMessage } from "../../src/schema/spec-version.js";

it.each<[string, string, string?]>([
  ["latest", "1.9.0"],
  ["1", "1.9.0"],
  ["v1.3", "1.3.1"],
  ["1.3.0", "1.3.0"],
  ["1.4.1", "1.4.1"],
  ["1.3.5", "1.3.1", "unknown"],
  ["1.0.9", "1.0.0", "unknown"],
  ["0.9", "1.9.0", "unknown"],
  ["1.4.2", "1.4.1", "unknown"],
  ["1.9.1", "1.9.0", "newer"],
  ["1.10", "1.9.0", "newer"],
  ["2", "1.9.0", "newer"],
  ["3", "1.9.0", "unknown"],
  ["2025.1", "1.9.0", "unknown"],
  ["soon", "1.9.0", "unknown"],
  ["", "1.9.0", "unknown"],
])("version %j is read as %s", (name, version, problem) => {
  expect(resolveSpec(undefined, name)).toEqual({ version, declared: undefined, pinned: undefined, problem });
  expect(unknownVersionMessage(name) === undefined).toBe(problem === undefined);
});
