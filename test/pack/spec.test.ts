import { expect, it } from "vitest";
import { resolveSpec, unknownVersionMessage } from "../../src/schema/spec-version.js";
import { newestSpecVersion } from "../../src/text/tool-info.js";

it.each<[string, string, string?]>([
  ["latest", newestSpecVersion],
  ["1", newestSpecVersion],
  ["v1.3", "1.3.1"],
  ["1.3.0", "1.3.0"],
  ["1.4.1", "1.4.1"],
  ["1.3.5", "1.3.1", "unknown"],
  ["1.0.9", "1.0.0", "unknown"],
  ["0.9", newestSpecVersion, "unknown"],
  ["1.4.2", "1.4.1", "unknown"],
  [`${newestSpecVersion}9`, newestSpecVersion, "newer"],
  ["1.99", newestSpecVersion, "newer"],
  ["2", newestSpecVersion, "newer"],
  ["3", newestSpecVersion, "unknown"],
  ["2025.1", newestSpecVersion, "unknown"],
  ["soon", newestSpecVersion, "unknown"],
  ["", newestSpecVersion, "unknown"],
])("version %j is read as %s", (name, version, problem) => {
  expect(resolveSpec(undefined, name)).toEqual({ version, declared: undefined, pinned: undefined, problem });
  expect(unknownVersionMessage(name) === undefined).toBe(problem === undefined);
});
