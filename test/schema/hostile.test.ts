import { describe, expect, it } from "vitest";
import { isFull } from "../runs.js";
import { findingsOf, linesOf, linesOfValue } from "./findings-of.js";
import { validPack } from "./valid-pack.js";

describe("hostile packs", () => {
  it("takes __proto__ and constructor for names like any other", () => {
    const text = `${JSON.stringify(validPack()).slice(0, -1)},"__proto__":{"id":"x"},"constructor":1}`;
    expect(linesOf(text, "json")).toEqual([
      '/__proto__ | "__proto__" | additionalProperties | "__proto__" is not a property of a pack.',
      '/constructor | "constructor" | additionalProperties | "constructor" is not a property of a pack.',
    ]);
    expect(linesOf('{"__proto__":{"id":"a","name":"b"}}', "json")[0]).toContain(
      'The pack has no "id", "name", "version", "template_engine" or "prompts".',
    );
  });

  it.runIf(isFull)(
    "answers 100,000 errors of each kind",
    () => {
      const many = Array.from({ length: 100_000 }, (_, index) => index);
      const unknown = Object.fromEntries(many.map((index) => [`prompt_${index}`, 1]));
      expect(findingsOf(JSON.stringify({ ...validPack(), ...unknown }), "json")).toHaveLength(100_000);
      expect(findingsOf(JSON.stringify({ ...validPack(), skills: many }), "json")).toHaveLength(100_000);
      const missing = { ...validPack(), evals: many.map(() => ({ id: "x", type: "y" })) };
      expect(findingsOf(JSON.stringify(missing), "json")).toHaveLength(100_000);
    },
    60_000,
  );

  it.runIf(isFull)(
    "answers as many that may belong in as many other things",
    () => {
      const names = Array.from({ length: 20_000 }, (_, index) => `p${index}`);
      const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
      const prompts = all({ id: "x", name: "X", version: "1.0.0" });
      const pack = {
        ...validPack(),
        prompts,
        agents: { entry: "p0", members: all({ system_template: "Hi" }) },
      };
      expect(findingsOf(JSON.stringify(pack), "json")).toHaveLength(40_000);
    },
    20_000,
  );

  it("shows long and unprintable texts shortly and safely", () => {
    const pack = {
      ...validPack(),
      id: `${"A".repeat(38)}😀${"B".repeat(1_000_000)}`,
      "a\u001b[31m\u202e\u0085": 1,
    };
    expect(linesOfValue(pack).map((line) => line.slice(line.lastIndexOf(" | ") + 3))).toEqual([
      '"a\\u001b[31m\\u202e\\u0085" is not a property of a pack.',
      `"id" must be lowercase letters, digits and hyphens, starting with a letter; found "${"A".repeat(38)}😀B…".`,
    ]);
  });
});
