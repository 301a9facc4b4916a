import { expect, it } from "vitest";
import { LineMap } from "../../src/document/scan-text.js";

it("knows the file of each offset of a project of two texts", () => {
  const [own, other] = ["id: a\n", "name: B\nversion: 1.0.0\n"];
  const lines = new LineMap(own, [{ file: "b.yaml", start: own.length, lines: new LineMap(other) }]);
  const find = (part: string) => {
    const start = `${own}${other}`.indexOf(part);
    return lines.locate({ start, end: start + part.length });
  };
  const range = (line: number, column: number, length: number) => {
    return { start: { line, column }, end: { line, column: column + length } };
  };
  expect(find("a")).toEqual({ range: range(1, 5, 1) });
  expect(find("name")).toEqual({ file: "b.yaml", range: range(1, 1, 4) });
  expect(find("1.0.0")).toEqual({ file: "b.yaml", range: range(2, 10, 5) });
});
