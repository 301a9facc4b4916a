import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/document/document.js";
import { Key, type Node } from "../../src/document/node.js";
import { placeJson } from "../../src/document/json/place-json.js";
import { JsonReader } from "../../src/document/json/read-json.js";
import { isFull, runs } from "../runs.js";

const placed = (text: string, maxDepth = 200) => placeJson(text, JSON.parse(text), maxDepth);
const read = (text: string) => new JsonReader(text, defaultLimits).read();

/** Everything a tree knows, a line for each node. */
function linesOf(root: Node): readonly string[] {
  const nodes = [root];
  for (const node of nodes) {
    if (node.kind === "mapping") nodes.push(...node.entries.map(({ value }) => value));
    if (node.kind === "sequence") nodes.push(...node.items);
  }
  return nodes.map((node) => {
    const { key, kind, start, end, pointer } = node;
    const own = key instanceof Key ? `${key.text}@${key.start}-${key.end}` : String(key);
    return `${own} ${kind} ${start}-${end} ${pointer} ${kind === "scalar" ? JSON.stringify(node.value) : ""}`;
  });
}

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
const simple = fc.constantFrom("a", "b", "key", "é😀", "", "a b", "__proto__", "x1");
const odd = fc.constantFrom("0", "7", "10", "\\u0061", '\\"', "\\\\", "\\n");
const word = fc.constantFrom(
  '""',
  '"x"',
  '"\\""',
  '"\\\\"',
  '"a\\\\\\"b"',
  '"\\u0041"',
  "0",
  "-1.5e+3",
  "null",
);

/** JSON texts as people and programs write them: any white space, escapes, and keys that occur twice. */
function texts(name: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      word,
      fc.constantFrom("true", "false"),
      fc
        .array(fc.tuple(space, tie("value"), space), { maxLength: 4 })
        .map((items) => `[${items.map((parts) => parts.join("")).join(",")}]`),
      fc
        .array(fc.tuple(space, name, space, space, tie("value"), space), { maxLength: 4 })
        .map(
          (entries) =>
            `{${entries.map(([a, key, b, c, v, d]) => `${a}"${key}"${b}:${c}${v}${d}`).join(",")}}`,
        ),
      fc.tuple(space, space).map(([a, b]) => (a.length > 1 ? `{${b}}` : `[${b}]`)),
    ),
  }));
  return fc.tuple(space, value, space).map((parts) => parts.join(""));
}

describe("placeJson", { timeout: 60_000 }, () => {
  it("finds the places that the reader finds, or leaves the text to it", () => {
    let found = 0;
    fc.assert(
      fc.property(texts(fc.oneof(simple, odd)), (text) => {
        const root = placed(text);
        if (root === undefined) return;
        found++;
        expect(linesOf(root)).toEqual(linesOf(read(text)));
      }),
      { numRuns: runs(5000) },
    );
    if (isFull) expect(found).toBeGreaterThan(2000);
  });

  it("leaves nothing to the reader where no key is odd", () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.boolean(), fc.constant(null)),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(simple, tie("value"), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 3 }), (data, indent) => {
        expect(placed(JSON.stringify(data, null, indent))).toBeDefined();
      }),
      { numRuns: runs(1000) },
    );
  });

  const left = {
    "a key that occurs twice": '{"a":1,"b":2,"a":3}',
    "a key that occurs twice, before one that reads like the end": '{"a":1,"a":2,":1}xx":3}',
    "a key that occurs twice, with a value that reads like the end": '{"a":"x","a":"}234567"}',
    "a key that occurs twice, once with nothing in it": '{"k":{},"x":5,"k":{"x":5,"k":{}}}',
    "keys that are numbers, which an object sorts": '{"b":1,"1":2}',
    "a key with an escape": '{"\\u0061":1}',
    "a key with an escaped quote": '{"\\"":1}',
    "a key whose escapes look like its end": '{"\\u0061\\":1}zz":1,"\\u0061\\":1}zz":1}',
  };
  it.each(Object.entries(left))("leaves %s to the reader", (_, text) => {
    expect(placed(text)).toBeUndefined();
  });

  it("leaves deep trees to the reader, which does not recurse", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(placed(nested(3), 3)).toBeDefined();
    expect(placed(nested(4), 3)).toBeUndefined();
    expect(placed(nested(400), 100_000)).toBeDefined();
    expect(placed(nested(50_000), 100_000)).toBeUndefined();
  });
});
