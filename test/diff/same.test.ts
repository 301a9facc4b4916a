import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { comparePacks } from "../../src/diff/compare.js";
import { toValue } from "../../src/document/node.js";
import { everythingPack } from "../everything-pack.js";
import { isFull, runs } from "../runs.js";
import { compareTexts, analysisOf } from "./compare-texts.js";

const folder = "fixtures/packs";
const packs = [
  ...readdirSync(folder)
    .filter((file) => /\.pack\.(?:json|yaml)$/.test(file))
    .map((file) => [file, readFileSync(`${folder}/${file}`, "utf8")] as const),
  ["everything", JSON.stringify(everythingPack)] as const,
];

const unchanged = { changes: [], requiredBump: "none", versionFaults: [] };

/** Lists of a pack in which the order means nothing. */
const sets = new Set([
  "tools",
  "required",
  "enum",
  "validators",
  "variables",
  "evals",
  "tags",
  "providers",
  "depends_on",
]);

/** The same value, its keys and sets in an order that the numbers decide. */
function reordered(value: unknown, next: () => number, isSet = false): unknown {
  if (typeof value !== "object" || value === null) return value;
  const shuffle = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => [next(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  if (Array.isArray(value)) {
    const items = value.map((item) => reordered(item, next));
    return isSet ? shuffle(items) : items;
  }
  const entries = shuffle(Object.entries(value));
  return Object.fromEntries(entries.map(([key, item]) => [key, reordered(item, next, sets.has(key))]));
}

describe.each(packs)("%s", (_, text) => {
  const value = toValue(analysisOf(text).pack.root);

  it("does not differ from itself", () => {
    expect(compareTexts(text, text)).toMatchObject(unchanged);
    const pack = analysisOf(text);
    expect(comparePacks(pack, pack)).toMatchObject(unchanged);
  });

  it("does not differ when it is indented differently, or turned into JSON or YAML", () => {
    for (const other of [JSON.stringify(value, null, 7), stringify(value, { indent: 4 })]) {
      expect(compareTexts(text, other)).toMatchObject(unchanged);
      expect(compareTexts(other, text)).toMatchObject(unchanged);
    }
  });

  it("does not differ when keys and sets are in another order", () => {
    const property = fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const next = () => Number(numbers.next().value);
      expect(compareTexts(text, JSON.stringify(reordered(value, next)))).toMatchObject(unchanged);
    });
    fc.assert(property, { numRuns: runs(100, 50) });
  });
});

type Path = readonly (string | number)[];

/** Every value of a pack that is neither a list nor an object. */
function* leaves(value: unknown, path: Path = []): Iterable<Path> {
  if (typeof value !== "object" || value === null) yield path;
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* leaves(item, [...path, index]);
  else for (const [key, item] of Object.entries(value)) yield* leaves(item, [...path, key]);
}

function changed(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) {
    if (typeof value === "string") return `${value}x`;
    return typeof value === "boolean" ? !value : Number(value) + 1;
  }
  const copy: unknown = structuredClone(value);
  Reflect.set(copy as object, first, changed(Reflect.get(copy as object, first), rest));
  return copy;
}

describe("a change of any value", () => {
  const text = JSON.stringify(everythingPack);
  const all = [...leaves(everythingPack)].filter(([first]) => first !== "version" && first !== "compilation");
  const paths = all.filter((_, index) => isFull || index % 25 === 0);

  it.each(paths.map((path) => [path.join("/"), path] as const))("asks for a version: %s", (_, path) => {
    const other = JSON.stringify(changed(everythingPack, path));
    for (const [before, after] of [
      [text, other],
      [other, text],
    ] as const) {
      const { requiredBump, versionFaults, changes } = compareTexts(before, after);
      expect(requiredBump).not.toBe("none");
      expect(versionFaults.filter(({ rule }) => rule === "version-not-raised")).toHaveLength(1);
      const texts = { old: before, new: after };
      for (const { at, side } of changes) {
        expect(at.end).toBeGreaterThan(at.start);
        expect(at.end).toBeLessThanOrEqual(texts[side].length);
      }
    }
  });
});
