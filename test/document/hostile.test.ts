import { defaultLimits } from "../../src/document/file-format.js";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import { toValue } from "../../src/document/node.js";
import { isFull } from "../runs.js";
import { nodeAt } from "./nodes-of.js";

const many = 200_000;
const tooDeep = "The values are nested more than 200 levels deep.";
const messages = (text: string, format: "json" | "yaml", limits = defaultLimits): string[] =>
  readDocument(text, format, limits).faults.map((fault) => fault.message);

describe("deep nesting", { timeout: 60_000 }, () => {
  const deep: ["json" | "yaml", string, string][] = [
    ["json", "lists", `{"a":${"[".repeat(many)}${"]".repeat(many)}}`],
    ["json", "objects", '{"a":'.repeat(many)],
    ["yaml", "flow lists", `a: ${"[".repeat(many)}`],
    ["yaml", "flow mappings", "{a: ".repeat(many)],
    ["yaml", "dashes", "- ".repeat(many)],
    ["yaml", "question marks", "? ".repeat(many)],
    ["yaml", "indented blocks", Array.from({ length: 2000 }, (_, i) => `${" ".repeat(i)}a:\n`).join("")],
  ];
  it.each(deep)("of %s %s ends in one fault", (format, _, text) => {
    expect(messages(text, format)).toEqual([tooDeep]);
  });

  it("of YAML that exhausts the stack ends in one fault, even with a higher limit", () => {
    const limits = { ...defaultLimits, maxDepth: 1_000_000 };
    const { faults } = readDocument(`a: ${"[".repeat(many)}`, "yaml", limits);
    // No limit is named, since raising it would not help.
    expect(faults.map(({ message, kind }) => [message, kind])).toEqual([
      ["The values are nested too deeply to be read.", undefined],
    ]);
  });

  it("of JSON is read when the limit is raised", () => {
    // Building the values takes longer than reading them.
    const levels = isFull ? many : many / 10;
    const text = `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    const document = readDocument(text, "json", { ...defaultLimits, maxDepth: 1_000_000 });
    expect(document.faults).toEqual([]);
    let depth = 0;
    for (
      let value = (toValue(nodeRoot(document)) as { a: unknown }).a;
      Array.isArray(value);
      value = value[0]
    )
      depth++;
    expect(depth).toBe(levels);
  });

  it.runIf(isFull)("after a syntax error does not stop the list of faults", () => {
    expect(messages(`{"b":@,"a":${"[".repeat(many)}`, "json")).toEqual([
      '"@" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
      tooDeep,
    ]);
    expect(messages(`b: @\na: ${"[".repeat(many)}`, "yaml")[0]).toBe(
      'Text cannot start with "@" unless it is in quotes.',
    );
  });
});

function nodeRoot(document: ReturnType<typeof readDocument>): NonNullable<typeof document.root> {
  if (document.root === undefined) throw new Error("no root");
  return document.root;
}

describe("large input", { timeout: 120_000 }, () => {
  it.runIf(isFull)("of a million keys is read in both formats", () => {
    const keys = Array.from({ length: 1_000_000 }, (_, i) => `"k${i}": ${i}`);
    for (const [format, text] of [
      ["json", `{${keys.join()}, "k7": 0}`],
      ["yaml", `${keys.join("\n")}\n"k7": 0\n`],
    ] as const) {
      const document = readDocument(text, format);
      expect(document.faults).toEqual([]);
      expect(document.duplicateKeys.map(({ first, second }) => [first.text, second.text])).toEqual([
        ["k7", "k7"],
      ]);
      const root = nodeRoot(document);
      expect(root.kind === "mapping" && root.entries.length).toBe(1_000_000);
    }
  });

  it("of garbage gives its first fault", () => {
    expect(messages(`{${",".repeat(1_000_000)}`, "json")).toEqual([
      'Expected a key in double quotes, found ",".',
    ]);
    expect(messages("a: @\n".repeat(300_000), "yaml")).toHaveLength(1);
  });
});

describe("aliases", () => {
  it("that multiply end in one fault", () => {
    const names = [..."abcdefghij"];
    const lines = names.map(
      (name, i) =>
        `${name}: &${name} [${Array(9)
          .fill(i === 0 ? "x" : `*${names[i - 1]}`)
          .join()}]`,
    );
    expect(messages(lines.join("\n"), "yaml")).toEqual([
      "Aliases and merge keys add more than 100000 values.",
    ]);
  });

  it("that nest ever deeper end in one fault", () => {
    const lines = Array.from({ length: 300 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}]`);
    expect(messages(["a0: &a0 x", ...lines].join("\n"), "yaml")).toEqual([tooDeep]);
  });

  it("that merge many times end in one fault", () => {
    const keys = Array.from({ length: 1000 }, (_, i) => `k${i}: 1`).join(", ");
    const lines = Array.from({ length: 200 }, (_, i) => `m${i}: {<<: *b}`);
    expect(messages([`b: &b {${keys}}`, ...lines].join("\n"), "yaml")).toEqual([
      "Aliases and merge keys add more than 100000 values.",
    ]);
  });
});

describe("names that mean something to JavaScript", () => {
  it.each(["json", "yaml"] as const)("are data in %s", (format) => {
    const document = readDocument(
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}',
      format,
    );
    const value = toValue(nodeAt(document, "")) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
