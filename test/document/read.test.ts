import { defaultLimits, detectFormat, type Format } from "../../src/document/file-format.js";
import { describe, expect, it } from "vitest";
import { readDocumentLazily } from "../../src/document/read-lazily.js";
import { readDocument } from "../../src/document/read.js";
import { faultsOf, nodeAt, where } from "./nodes-of.js";

const notAPack = "The file holds";

describe("readDocument", () => {
  const roots: [Format, string, string][] = [
    ["json", ' [{"a":1}]', `1:2-1:3 ${notAPack} a list.`],
    ["json", '"x"', `1:1-1:4 ${notAPack} a string.`],
    ["json", "12", `1:1-1:3 ${notAPack} a number.`],
    ["json", "true", `1:1-1:5 ${notAPack} true or false.`],
    ["json", "null", `1:1-1:5 ${notAPack} null.`],
    ["yaml", "# c\n- a\n", `2:1-2:2 ${notAPack} a list.`],
    ["yaml", "text", `1:1-1:5 ${notAPack} a string.`],
    ["yaml", "--- |\n  x\n", `1:5-2:4 ${notAPack} a string.`],
    ["yaml", "~", `1:1-1:2 ${notAPack} null.`],
  ];
  it.each(roots)("refuses the %s root %j", (format, text, fault) => {
    const document = readDocument(text, format);
    expect(faultsOf(document)).toEqual([fault]);
    expect(document.root).toBeUndefined();
  });

  it.each(["json", "yaml"] as const)("counts no column for a byte order mark in %s", (format) => {
    for (const source of ['\ufeff{"a": 1}', new TextEncoder().encode('\ufeff{"a": 1}')]) {
      const document = readDocument(source, format);
      expect(where(document, nodeAt(document, "/a"))).toBe("1:7-1:8");
    }
  });

  it("refuses what is larger than the limit", () => {
    const limits = { ...defaultLimits, maxBytes: 9 };
    expect(faultsOf(readDocument('{"a":"é"}', "json", limits))).toEqual([
      "1:1-1:1 The file has more than 9 bytes.",
    ]);
    expect(faultsOf(readDocument(new Uint8Array(10), "json", limits))).toEqual([
      "1:1-1:1 The file has more than 9 bytes.",
    ]);
    expect(faultsOf(readDocument('{"a":"e"}', "json", limits))).toEqual([]);
  });

  it("refuses what is nested deeper than the limit", () => {
    const limits = { ...defaultLimits, maxDepth: 3 };
    const message = "The values are nested more than 3 levels deep.";
    for (const format of ["json", "yaml"] as const) {
      expect(faultsOf(readDocument('{"a": [[1, []]]}', format, limits))).toEqual([`1:12-1:13 ${message}`]);
      expect(faultsOf(readDocument('{"a": [[1]]}', format, limits))).toEqual([]);
    }
    expect(faultsOf(readDocument("a:\n b:\n  c:\n   d: 1\n", "yaml", limits))).toEqual([
      `4:4-4:5 ${message}`,
    ]);
  });
});

describe("readDocumentLazily", () => {
  const sources: [Format, string][] = [
    ["json", '{"a":{"b":1,"b":2}}'],
    ["json", '{"a":1,}'],
    ["json", "[]"],
    ["yaml", "a: &x 1\nb: *x # promptpack-disable y\na: 2"],
    ["yaml", "a: @\nb: @"],
    ["yaml", ""],
  ];
  it.each(sources)("reads %s %j as readDocument does", async (format, text) => {
    const { faults, duplicateKeys, comments } = readDocument(text, format);
    expect(await readDocumentLazily(text, format, defaultLimits)).toMatchObject({ faults, comments });
    expect((await readDocumentLazily(text, format, defaultLimits)).duplicateKeys).toHaveLength(
      duplicateKeys.length,
    );
  });
});

describe("detectFormat", () => {
  const cases: [string | undefined, string, Format][] = [
    ["a.pack.json", "id: x", "json"],
    ["a.YAML", "{}", "yaml"],
    ["dir.json/a.yml", "{}", "yaml"],
    ["dir.json/pack", "id: x", "yaml"],
    [undefined, " \n{", "json"],
    [undefined, "\ufeff{", "json"],
    [undefined, "id: x", "yaml"],
    ["pack.txt", "- {}", "yaml"],
  ];
  it.each(cases)("of %s with %j is %s", (name, text, format) => {
    expect(detectFormat(name, text)).toBe(format);
  });
});
