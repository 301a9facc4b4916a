import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { changeCatalogue } from "../../src/diff/change.js";
import { rules } from "../../src/rules/index.js";
import { promptpack } from "../cli/harness.js";

const ids = changeCatalogue.map(({ id }) => id);

/** Found by comparing runs, not values. */
const behavioural = new Set([
  "state-renamed",
  "state-removed",
  "event-refused",
  "event-added",
  "leads-elsewhere",
  "ends-differently",
  "no-longer-completes",
  "worst-case-grew",
]);

it("has every id once, and none that is a rule's", () => {
  expect(new Set([...ids, ...rules.map(({ id }) => id)]).size).toBe(ids.length + rules.length);
  for (const { text, level } of changeCatalogue) {
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(level).toMatch(/^(?:breaking|behaviour|compatible|error|warning)\b/);
  }
});

it("has every id that the code reports", () => {
  const elsewhere = new Set(["behaviour.ts", "change.ts", "paired-runs.ts"]);
  const sources = readdirSync("src/diff").filter((file) => !elsewhere.has(file));
  const reported = sources.flatMap((file) => [
    ...readFileSync(`src/diff/${file}`, "utf8").matchAll(/"([a-z]+(?:-[a-z]+)+)"/g),
  ]);
  const named = new Set(reported.map(([, id = ""]) => id));
  expect([...named].sort()).toEqual(ids.filter((id) => !behavioural.has(id)).sort());
});

it.each(ids.filter((id) => !behavioural.has(id)))("has fixtures for %s", (id) => {
  expect(existsSync(`fixtures/diff/${id}`)).toBe(true);
});

it("explains what diff reports", async () => {
  const stdout = `variable-required

Callers of a prompt must give a variable that they could leave out before.

Level: breaking.

See docs/diff.md.
`;
  for (const written of ["variable-required", "[Variable-Required]"])
    expect(await promptpack(["explain", written])).toEqual({ code: 0, stdout, stderr: "" });
});

it("suggests the id of a change", async () => {
  const { code, stderr } = await promptpack(["explain", "tool-aded"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('No rule is called "tool-aded". Did you mean "tool-added"?') as string,
  });
});
