import { expect, it } from "vitest";
import { alignColumns, besideLabel, wrapSegments } from "../../src/text/terminal-text.js";
import { commaSeparated } from "../../src/text/wording.js";

it("aligns columns and counts what a terminal shows", () => {
  const rows = [
    ["State", "Visits", ""],
    ["計画", "3", ""],
    ["implement", "12", "spent"],
  ];
  expect(alignColumns(rows)).toEqual(["State      Visits", "計画       3", "implement  12      spent"]);
});

it("clips the widest column first, none below its heading, and every cell to what is allowed", () => {
  const rows = [
    ["Name", "Runs"],
    ["a-very-long-name", "classify"],
  ];
  expect(alignColumns(rows, 18)).toEqual(["Name      Runs", "a-ve…ame  classify"]);
  expect(alignColumns(rows, 1)).toEqual(["Name  Runs", "a-…e  cl…y"]);
  expect(alignColumns(rows, Infinity, { maxCellWidth: 5 })).toEqual(["Name   Runs", "a-…me  cl…fy"]);
});

it("puts lines beside a label", () => {
  expect(besideLabel("計: ", ["one", "two"])).toEqual(["計: one", "    two"]);
  expect(besideLabel("↻ ", [])).toEqual([]);
});

it("keeps pieces whole if they fit, and breaks others between words first", () => {
  expect(wrapSegments(["a b", "cc dd", "ee ff gg hh"], 6)).toEqual(["a b", "cc dd", "ee ff", "gg hh"]);
});

it("separates names by commas, and counts those that it leaves out", () => {
  expect(commaSeparated(["a", "b", "c"], 3)).toEqual(["a,", "b,", "c"]);
  expect(commaSeparated(["a", "b", "c", "d"], 3)).toEqual(["a,", "b,", "2 more"]);
  expect(commaSeparated([], 3)).toEqual([]);
});
