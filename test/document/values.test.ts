import { defaultLimits } from "../../src/document/file-format.js";
import fc from "fast-check";
import { CORE_SCHEMA, dump, load, mergeTag } from "js-yaml";
import { parse, stringify } from "yaml";
import { describe, expect, it } from "vitest";
import { type Document } from "../../src/document/document.js";
import { Key, toValue } from "../../src/document/node.js";
import { readDocument } from "../../src/document/read.js";
import { readJson } from "../../src/document/json/read-json.js";
import { readYaml } from "../../src/document/yaml/read-yaml.js";
import { isFull, runs } from "../runs.js";
import { nodesOf } from "./nodes-of.js";

const valueOf = (document: Document): unknown =>
  document.root === undefined ? undefined : toValue(document.root);

/** Objects of any prototype, compared as data. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "number" && !Number.isFinite(part)
      ? String(part)
      : part !== null && typeof part === "object" && !Array.isArray(part)
        ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
        : part,
  );

const schema = CORE_SCHEMA.withTags(mergeTag);

describe("values", { timeout: 60_000 }, () => {
  it("of JSON are those of JSON.parse", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 3 }), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(plain(valueOf(readJson(text, defaultLimits)))).toBe(plain(JSON.parse(text)));
      }),
      { numRuns: runs(500) },
    );
  });

  it("of damaged JSON are those of JSON.parse, or both refuse it", () => {
    const mark = fc.constantFrom(
      '"',
      "\\",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "1",
      "-",
      ".",
      "e",
      "t",
      "\n",
      "\0",
      "\u00a0",
      "\\u12",
    );
    fc.assert(
      fc.property(fc.json(), fc.nat(), mark, fc.boolean(), (json, seed, char, isInserted) => {
        const at = seed % (json.length + 1);
        const text = json.slice(0, at) + char + json.slice(isInserted ? at : at + 1);
        const document = readJson(text, defaultLimits);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(document.root).toBeUndefined();
          expect(document.faults.length).toBeGreaterThanOrEqual(1);
          expect(readDocument(text, "json").faults).toEqual(document.faults);
          return;
        }
        expect(plain(valueOf(document))).toBe(plain(expected));
      }),
      { numRuns: runs(1000) },
    );
  });

  const data = fc.dictionary(
    fc.string({ minLength: 1, unit: "grapheme" }).map((key) => "k" + key),
    fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" }),
  );

  it("of YAML are those that js-yaml wrote", () => {
    const options = fc.record({
      flowLevel: fc.integer({ min: -1, max: 3 }),
      indent: fc.integer({ min: 1, max: 4 }),
      lineWidth: fc.constantFrom(-1, 20, 80),
      forceQuotes: fc.boolean(),
      seqNoIndent: fc.boolean(),
    });
    fc.assert(
      fc.property(data, options, (pack, how) => {
        const text = dump(pack, { ...how, noRefs: true });
        expect(plain(valueOf(readYaml(text, defaultLimits)))).toBe(plain(load(text, { schema })));
      }),
      { numRuns: runs(300) },
    );
  });

  it("of YAML are those that yaml wrote", () => {
    fc.assert(
      fc.property(data, fc.constantFrom("\n", "\r\n"), (pack, eol) => {
        const text = stringify(pack, { aliasDuplicateObjects: false }).replaceAll("\n", eol);
        expect(plain(valueOf(readYaml(text, defaultLimits)))).toBe(plain(parse(text)));
      }),
      { numRuns: runs(300) },
    );
  });

  const pick = (...all: string[]) => fc.constantFrom(...all);
  const yamlLine = fc
    .tuple(
      pick("", "", "", "  ", "  ", "    "),
      pick("a:", "b:", "c:", "d:", "e:", "f:", "g:", "- a:", "- b:", "-", "<<:", "? e"),
      pick(
        ..." x| y z| 'q'| \"r\\n\"| &n x| &m {p: 1}| [x, *n]| {a: x, b: [y]}| {<<: *m, z: 1}| 1| ~| !!str 1|\t2".split(
          "|",
        ),
        ...["", "", "", "", " &n", " &n", " *n", " *n", " *m", " *m"],
        ...[" |\n      t\n      u", " >-\n      t\n\n      u", " # c"],
      ),
      pick("\n", "\n", "\r\n", "\n\n", " # d\n"),
    )
    .map((parts) => parts.join(""));

  const anchors = pick("", "--- # first\n", "n: &n x\nm: &m {p: 1}\n", "n: &n [x]\nm: &m {p: *n}\n");

  it("of YAML lines are those of js-yaml, where it reads them", () => {
    let compared = 0;
    fc.assert(
      fc.property(anchors, fc.array(yamlLine, { minLength: 1, maxLength: 6 }), (start, lines) => {
        const text = start + lines.join("");
        const document = readYaml(text, defaultLimits);
        let expected: unknown;
        try {
          expected = load(text, { schema, json: true });
        } catch {
          return;
        }
        if (document.faults.length > 0 || document.duplicateKeys.length > 0) return;
        // Our keys are the text that was written, those of js-yaml what it means.
        if (nodesOf(document).some(({ key }) => key instanceof Key && key.text === "")) return;
        expect(plain(valueOf(document)), JSON.stringify(text)).toBe(plain(expected));
        if (nodesOf(document).length > 3) compared++;
      }),
      { numRuns: runs(5000) },
    );
    if (isFull) expect(compared).toBeGreaterThan(300);
  });
});

/** Invariants of every document. */
function checkTree(document: Document): void {
  expect(document.faults.length === 0).toBe(document.root !== undefined);
  for (const { start, end } of document.faults) expectInside(document, start, end);
  for (const node of nodesOf(document)) {
    expectInside(document, node.start, node.end);
    if (node.kind === "scalar") continue;
    expectInside(document, node.head.start, node.head.end);
    const children = node.kind === "mapping" ? node.entries.map((entry) => entry.value) : node.items;
    expect(children.every((child) => child.parent === node)).toBe(true);
    if (node.kind === "mapping") {
      expect(node.entries.every(({ key, value }) => key.value === value && value.key === key)).toBe(true);
    }
  }
}

function expectInside(document: Document, start: number, end: number): void {
  expect(start >= 0 && end >= start && end <= document.text.length).toBe(true);
}

describe("nothing throws", { timeout: 60_000 }, () => {
  const format = fc.constantFrom("json", "yaml");
  const scraps = fc.constantFrom(
    ..."abc:-?[]{},'\"\\|>&*!%@#<~ \n\r\t01.e\0\u0085\ufeff😀".split(""),
    "<<: ",
    "---\n",
    "\ud800",
    "&a ",
    "*a",
  );

  it("on scraps of text", () => {
    fc.assert(
      fc.property(fc.array(scraps, { maxLength: 30 }), format, (parts, how) =>
        checkTree(readDocument(parts.join(""), how)),
      ),
      { numRuns: runs(3000) },
    );
  });

  it("on random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), format, (bytes, how) =>
        checkTree(readDocument(bytes, how)),
      ),
    );
  });

  it("on damaged packs", () => {
    const pack =
      "id: p\nprompts:\n  a: &a\n    system_template: |\n      Hi {{x}}\n    tags: [b, 'c', \"d\\n\"]\n  e:\n    <<: *a\n    f: >-\n      g\n      h\n";
    fc.assert(
      fc.property(fc.nat(pack.length), fc.nat(6), fc.array(scraps, { maxLength: 3 }), (at, length, parts) => {
        checkTree(readDocument(pack.slice(0, at) + parts.join("") + pack.slice(at + length), "yaml"));
      }),
      { numRuns: runs(500) },
    );
  });
});
