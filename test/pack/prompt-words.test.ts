import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import { createMentionSearch, type MentionSearch } from "../../src/pack/mentions.js";
import { readPack } from "../../src/pack/pack.js";
import { resolveSpec } from "../../src/schema/spec-version.js";

function mentions(template: string): (name: string) => ReturnType<MentionSearch> {
  const document = readDocument(JSON.stringify({ prompts: { p: { system_template: template } } }), "json");
  if (document.root?.kind !== "mapping") throw new Error("no pack");
  const pack = readPack(document, document.root, resolveSpec(document.root));
  const prompt = pack.prompts.get("p");
  if (prompt === undefined) throw new Error("no prompt");
  const ask = createMentionSearch(pack);
  return (name) => ask(prompt, name);
}

const text = "Emit Done, order-placed or GRÖSSE. Not: Undone, reorder-placed, x1.";
const answers: readonly [string, ReturnType<MentionSearch>][] = [
  ["done", "other case"],
  ["Done", "exact"],
  ["größe", "other case"],
  ["order-placed", "exact"],
  ["order", "exact"],
  ["und", "none"],
  ["ord-placed", "none"],
  ["x", "none"],
  ["placed or", "exact"],
  ["", "exact"],
];

describe("whether a prompt mentions a name", () => {
  it.each(answers)("%j: %s", (name, how) => {
    expect(mentions(text)(name)).toBe(how);
  });

  it("does not depend on the number of earlier questions", () => {
    const asked = mentions(text);
    for (let i = 0; i < 40; i++) asked(`name-${i}`);
    for (const [name, how] of answers) expect([name, asked(name)]).toEqual([name, how]);
  });

  it("is unknown for long names of several words", () => {
    const long = Array.from({ length: 30 }, (_, i) => `order-${i}-placed`).join("-");
    const asked = mentions(`${text} ${long}`);
    for (let i = 0; i < 20; i++) expect(asked(long)).toBeUndefined();
    expect(asked("a".repeat(200))).toBe("none");
  });
});
