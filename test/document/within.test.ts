import type { Format } from "../../src/document/file-format.js";
import fc from "fast-check";
import { load } from "js-yaml";
import { parseDocument, stringify } from "yaml";
import { describe, expect, it } from "vitest";
import type { Document } from "../../src/document/document.js";
import type { ScalarNode } from "../../src/document/node.js";
import { readDocument } from "../../src/document/read.js";
import { runs } from "../runs.js";
import { nodeAt, scalarsOf, where } from "./nodes-of.js";

function scalarAt(document: Document, pointer: string): ScalarNode {
  const node = nodeAt(document, pointer);
  if (node.kind !== "scalar") throw new Error(`no scalar at ${pointer}`);
  return node;
}

/** Where `part` of the value at `/t` stands. */
function find(format: Format, text: string, part: string): string {
  const document = readDocument(text, format);
  expect(document.faults).toEqual([]);
  const scalar = scalarAt(document, "/t");
  const from = String(scalar.value).indexOf(part);
  expect(from).toBeGreaterThanOrEqual(0);
  return where(document, document.placeWithin(scalar, from, from + part.length));
}

describe("placeWithin", () => {
  const cases: [string, Format, string, string, string][] = [
    ["a JSON string", "json", '{"t": "ab {{x}}"}', "{{x}}", "1:11-1:16"],
    [
      "a JSON string with escapes",
      "json",
      '{"t": "\\"\\u00e9\\n\\ud83d\\ude00 {{x}}\\t"}',
      "{{x}}",
      "1:31-1:36",
    ],
    ["one half of an escaped pair", "json", '{"t": "a\\ud83d\\ude00"}', "\ude00", "1:15-1:21"],
    ["an escape itself", "json", '{"t": "a\\u00e9b"}', "é", "1:9-1:15"],
    ["a plain scalar", "yaml", "t: ab {{x}}\n", "{{x}}", "1:7-1:12"],
    ["a plain scalar on lines", "yaml", "t: ab\n   cd  \n\n  {{x}}\n", "{{x}}", "4:3-4:8"],
    ["the break in a plain scalar", "yaml", "t: ab \r\n   cd\r\n", "b c", "1:5-2:5"],
    ["single quotes", "yaml", "t: 'it''s {{x}}'", "{{x}}", "1:11-1:16"],
    ["a doubled quote", "yaml", "t: 'it''s'", "'", "1:7-1:9"],
    ["single quotes on lines", "yaml", "t: 'ab  \n\n\n  {{x}}'", "\n\n{{x}}", "2:1-4:8"],
    ["double quotes with escapes", "yaml", 't: "\\x41\\u00e9\\U0001F600\\t{{x}}"', "{{x}}", "1:27-1:32"],
    ["double quotes on lines", "yaml", 't: "ab\\\n   \\  cd\n  {{x}}"', "{{x}}", "3:3-3:8"],
    ["an escaped astral character", "yaml", 't: "\\U0001F600"', "😀", "1:5-1:15"],
    ["a literal block", "yaml", "t: |\n  one\n\n    two {{x}}\n", "{{x}}", "4:9-4:14"],
    ["a literal block over lines", "yaml", "t: |\n  one\n  two\n", "e\ntw", "2:5-3:5"],
    ["a literal block with CRLF", "yaml", "t: |\r\n  one\r\n  {{x}}\r\n", "\n{{x}}", "2:6-3:8"],
    ["a literal block with lone CR", "yaml", "t: |\r  one\r  {{x}}\r", "{{x}}", "3:3-3:8"],
    ["a block with its indentation given", "yaml", "t: |2\n    a\n  {{x}}", "{{x}}", "3:3-3:8"],
    ["a block whose end is kept", "yaml", "t: |+\n  a\n\n\n", "\n\n\n", "2:4-5:1"],
    ["a folded block", "yaml", "t: >\n  one\n  two\n\n  {{x}}\n", "{{x}}", "5:3-5:8"],
    ["a fold", "yaml", "t: >\n  one\n  two\n", "e t", "2:5-3:4"],
    ["deeper lines in a folded block", "yaml", "t: >-\n  one\n    two\n  {{x}}", "two\n{{x}}", "3:5-4:8"],
    ["tabs and wide characters", "yaml", "t: |\n  \té😀{{x}}\n", "{{x}}", "2:7-2:12"],
  ];
  it.each(cases)("finds the place in %s", (_, format, text, part, place) => {
    expect(find(format, text, part)).toBe(place);
  });

  it("gives an empty range a place", () => {
    const document = readDocument('{"t": "a\\nb", "e": ""}', "json");
    const places = [0, 1, 2, 3].map((at) =>
      where(document, document.placeWithin(scalarAt(document, "/t"), at, at)),
    );
    expect(places).toEqual(["1:8-1:8", "1:9-1:9", "1:11-1:11", "1:12-1:12"]);
    expect(where(document, document.placeWithin(scalarAt(document, "/e"), 0, 0))).toBe("1:21-1:21");
  });

  it("gives the whole place of a value that is not a string", () => {
    const document = readDocument("t: 12\n", "yaml");
    expect(document.placeWithin(scalarAt(document, "/t"), 1, 2)).toEqual({ pointer: "/t", start: 3, end: 5 });
  });
});

/** Demands that every part of the source that `within` gives spells just the characters for which it is given. */
function checkSpelling(document: Document): void {
  for (const scalar of scalarsOf(document)) {
    const { value } = scalar;
    if (typeof value !== "string") continue;
    let last = 0;
    for (let i = 0, next = 0; i < value.length; i = next) {
      const { start, end } = document.placeWithin(scalar, i, i + 1);
      // One escape may spell both halves of a pair.
      do next++;
      while (next < value.length && document.placeWithin(scalar, next, next + 1).start === start);
      const [source, characters] = [document.text.slice(start, end), value.slice(i, next)];
      if (source === "") expect([start, characters]).toEqual([document.text.length, "\n"]);
      else if (!isSpelling(source, characters, document.format))
        expect.unreachable(`${JSON.stringify(source)} does not spell ${JSON.stringify(characters)}`);
      if (start < last) expect.unreachable(`${start} comes before ${last}`);
      last = end;
    }
  }
}

function isSpelling(source: string, characters: string, format: Format): boolean {
  if (source === characters) return true;
  if (/^(?:\r\n|\r|\n)$/.test(source)) return characters === " " || characters === "\n";
  if (source === "''") return characters === "'";
  if (!source.startsWith("\\")) return false;
  return characters === (format === "json" ? JSON.parse(`"${source}"`) : load(`"${source}"`));
}

const line = fc.string({
  unit: fc.constantFrom(
    "a",
    "b",
    " ",
    " ",
    "\t",
    "'",
    '"',
    "\\",
    "#",
    "é",
    "😀",
    ":",
    "-",
    "{",
    "}",
    "\n",
    "\n",
  ),
  maxLength: 24,
});
const breaks = fc.constantFrom("\n", "\r\n", "\r");

describe("placeWithin finds every character of a string", { timeout: 60_000 }, () => {
  it("in JSON", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(line, fc.string({ unit: "binary" }))),
        fc.boolean(),
        (pack, escape) => {
          const json = JSON.stringify(pack);
          const text = escape
            ? json.replace(/[^\0-~]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"))
            : json;
          checkSpelling(readDocument(text, "json"));
        },
      ),
      { numRuns: runs(100, 5) },
    );
  });

  it("in YAML of every style", () => {
    const styles = fc.constantFrom("PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE", "BLOCK_LITERAL", "BLOCK_FOLDED");
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1 }),
        styles,
        breaks,
        fc.integer({ min: 20, max: 60 }),
        (texts, style, eol, width) => {
          const yaml = stringify(
            { t: texts },
            { defaultStringType: style, lineWidth: width, minContentWidth: 0 },
          );
          // The writer itself writes blocks that its own reader refuses: blank first lines that are indented deeper.
          fc.pre(parseDocument(yaml).errors.length === 0);
          const document = readDocument(yaml.replaceAll("\n", eol), "yaml");
          expect(document.faults).toEqual([]);
          expect(scalarsOf(document).map((scalar) => scalar.value)).toEqual(
            (load(yaml) as { t: string[] }).t,
          );
          checkSpelling(document);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it("in blocks of any shape", () => {
    const header = fc.constantFrom("|", ">", "|-", ">-", "|+", ">+", "|2", ">2-", "> # note");
    const row = fc.tuple(
      fc.constantFrom("", "  ", "  ", "  ", "   ", "    "),
      fc.constantFrom("", "a", "b c", "\td", "e ", "#f"),
    );
    fc.assert(
      fc.property(
        header,
        fc.array(row, { maxLength: 8 }),
        breaks,
        fc.constantFrom("", "\nz: 1"),
        (head, rows, eol, rest) => {
          const text = [`t: ${head}`, ...rows.map((parts) => parts.join(""))].join("\n") + rest;
          checkSpelling(readDocument(text.replaceAll("\n", eol), "yaml"));
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it("in quotes and plain text on several lines", () => {
    const piece = fc.constantFrom("a", "b", " ", "  ", "\n ", "\n  ", "\t", "''", "c d", "é😀");
    const escaped = fc.constantFrom(
      "\\n",
      "\\x41",
      "\\u00e9",
      "\\U0001F600",
      "\\U00000041",
      "\\_",
      "\\\n ",
      "\\ ",
      "\\\t",
      "\\\\",
      '\\"',
      "\\/",
    );
    const body = (part: fc.Arbitrary<string>) =>
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
    const quoted = fc.oneof(
      body(piece).map((text) => `'${text}'`),
      body(fc.oneof(piece, escaped)).map((text) => `"${text}"`),
      body(piece).map((text) => `x${text}`),
    );
    fc.assert(
      fc.property(quoted, breaks, (text, eol) => {
        checkSpelling(readDocument(`t: ${text}\n`.replaceAll("\n", eol), "yaml"));
      }),
      { numRuns: runs(400) },
    );
  });
});
