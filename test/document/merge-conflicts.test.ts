import { defaultLimits } from "../../src/document/file-format.js";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import { readDocumentLazily } from "../../src/document/read-lazily.js";
import { faultsOf } from "./nodes-of.js";

const conflict =
  'A merge conflict starts here; choose what to keep, and remove the lines that start with "<<<<<<<", "=======" and ">>>>>>>".';
const comma = "JSON allows no comma after the last entry; remove it.";

describe("merge conflicts", () => {
  it.each<[string, "json" | "yaml", string, string[]]>([
    [
      "YAML",
      "yaml",
      "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> topic\nc: 4\n",
      [`2:1-2:13 ${conflict}`],
    ],
    [
      "a block of text",
      "yaml",
      "a: |\n  one\n<<<<<<< HEAD\n  two\n=======\n  three\n>>>>>>> topic\n  four\n",
      [`3:1-3:13 ${conflict}`],
    ],
    [
      "JSON, with the common ancestor and CR LF",
      "json",
      '{\r\n<<<<<<< HEAD\r\n"a": 1\r\n||||||| base\r\n"a": 0\r\n=======\r\n"a": 2\r\n>>>>>>> topic\r\n}\r\n',
      [`2:1-2:13 ${conflict}`],
    ],
    [
      "two of them",
      "yaml",
      "<<<<<<< A\na: 1\n=======\na: 2\n>>>>>>> B\nb: 1\n<<<<<<< A\n=======\nc: 1\n>>>>>>> B\n",
      [`1:1-1:10 ${conflict}`, `7:1-7:10 ${conflict}`],
    ],
    [
      "another fault in the side that is named first",
      "json",
      '{\n<<<<<<< HEAD\n"a": [1,]\n=======\n"a": [2,]\n>>>>>>> topic\n}',
      [`2:1-2:13 ${conflict}`, `3:8-3:9 ${comma}`],
    ],
    [
      "a line that was forgotten",
      "yaml",
      "a: 1\nb: 2\n>>>>>>> topic\n",
      ['3:1-3:14 ">>>>>>> topic" is left over from a merge conflict; remove the line.'],
    ],
    [
      "a line between the sides, by itself",
      "yaml",
      "a: 1\n=======\nb: 2\n",
      ['2:1-2:8 "=======" is left over from a merge conflict; remove the line.'],
    ],
    [
      "the same in JSON",
      "json",
      '{\r\n"a": 1,\r\n=======\r\n"b": 2\r\n}',
      ['3:1-3:8 "=======" is left over from a merge conflict; remove the line.'],
    ],
    ["an end that was removed", "json", '{\n<<<<<<< HEAD\n"a": 1\n}', [`2:1-2:13 ${conflict}`]],
  ])("are one fault each: %s", async (_, format, text, faults) => {
    expect(faultsOf(readDocument(text, format))).toEqual(faults);
    expect(faultsOf(await readDocumentLazily(text, format, defaultLimits))).toEqual(faults);
  });

  it.each([
    ["a heading that is underlined", "a: |\nTitle\n=======\nb: 1\n"],
    ["a text in quotes", 'a: "Big\n=======\n title"\nb: 1\n'],
    ["a longer line", "a: 1\n========\nb: 1\n"],
    ["a line with more on it", "a: 1\n======= b\nc: 1\n"],
  ])("are not seen in %s", (_, text) => {
    expect(faultsOf(readDocument(text, "yaml")).filter((fault) => fault.includes("merge"))).toEqual([]);
  });

  it("are not seen in what can be read", () => {
    expect(faultsOf(readDocument("a: |\n  Title\n  =======\n  <<<<<<< x\n", "yaml"))).toEqual([]);
  });
});
