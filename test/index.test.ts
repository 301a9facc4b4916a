import { describe, expect, it } from "vitest";
import { LineMap } from "../src/document/line-map.js";
import { lint, rules, type TextEdit } from "../src/index.js";
import { badEntry, clean, oddEvent, yamlPack } from "./cli/packs.js";
import { folderOf, promptpack } from "./cli/harness.js";

const found = (...args: Parameters<typeof lint>) =>
  lint(...args).diagnostics.map(({ rule, severity }) => `${severity} ${rule}`);

describe("lint", () => {
  it("gives the findings that the command gives", async () => {
    const cwd = folderOf({ "a.pack.yaml": yamlPack });
    const { stdout } = await promptpack(["lint", "-f", "json"], { cwd });
    const { files } = JSON.parse(stdout) as { files: unknown[] };
    // A program edits by offset, a reader by line and column.
    const lines = new LineMap(yamlPack);
    const placed = (key: string, value: unknown): unknown =>
      key === "edits"
        ? (value as TextEdit[]).map(({ start, end, text }) => ({ range: lines.range(start, end), text }))
        : value;
    const own = lint(yamlPack, { file: "a.pack.yaml" });
    expect(JSON.parse(JSON.stringify(own, placed))).toEqual(files[0]);
  });

  it("reads strings and bytes, and tells the format by name or content", () => {
    expect(found(badEntry)).toEqual(["error unknown-entry"]);
    expect(found(Buffer.from(badEntry))).toEqual(["error unknown-entry"]);
    expect(found(yamlPack)).toEqual(["error unknown-entry", "warning event-name-case"]);
    expect(new Set(found(yamlPack, { format: "json" }))).toEqual(new Set(["error parse-error"]));
    expect(new Set(found(yamlPack, { file: "a.json" }))).toEqual(new Set(["error parse-error"]));
  });

  it("takes severities, a spec version and limits", () => {
    expect(found(oddEvent, { rules: { "event-name-case": "error" } })).toEqual(["error event-name-case"]);
    expect(found(oddEvent, { rules: { "event-name-case": "off" } })).toEqual([]);
    expect(lint(clean, { specVersion: "1.3" }).specVersion).toBe("1.3.1");
    expect(found(clean, { limits: { maxDepth: 1 } })).toEqual(["error parse-error"]);
    expect(() => lint(clean, { specVersion: "nonsense" })).toThrow(
      new TypeError(
        'There is no spec version "nonsense". Known are 1.0.0, 1.1.0, 1.2.0, 1.3.0, 1.3.1, 1.4.0, 1.4.1 and latest.',
      ),
    );
    expect(() => lint(clean, { rules: { "event-name-cas": "off" } })).toThrow(
      new TypeError('No rule is called "event-name-cas". Did you mean "event-name-case"?'),
    );
  });

  it("heeds comments, unless told not to", () => {
    const text = yamlPack.replace("# the door", "# promptpack-disable-next-line unknown-entry");
    expect(found(text)).toEqual(["warning event-name-case"]);
    expect(found(text, { inlineConfig: false })).toEqual(["error unknown-entry", "warning event-name-case"]);
  });
});

it("describes the rules", () => {
  expect(rules.find(({ id }) => id === "unknown-entry")).toEqual({
    id: "unknown-entry",
    summary: expect.any(String) as string,
    severity: "error",
    source: expect.stringMatching(/^RFC 0005/) as string,
  });
});
