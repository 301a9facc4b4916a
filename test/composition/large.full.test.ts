import { expect, it } from "vitest";
import { defaultLimits } from "../../src/document/file-format.js";
import { lint } from "../../src/index.js";

const prompt = { kind: "prompt", prompt_task: "p" };
const asks = (path: string) => ({ path, op: "equals", value: 1 });

/** How often each rule reports something in a pack with this composition, but for what else a pack needs. */
function counts(composition: object): Readonly<Record<string, number>> {
  const pack = { compositions: { main: { version: 1, ...composition } } };
  const { diagnostics } = lint(JSON.stringify(pack), { file: "pack.json", rules: { schema: "off" } });
  const found: Record<string, number> = {};
  for (const { rule } of diagnostics) found[rule] = (found[rule] ?? 0) + 1;
  return found;
}

it.each(["not", "all_of", "any_of"])("reads %s nested to the depth limit", (keyword) => {
  // The root, compositions, main, steps, the step and the predicate; a list adds a level of its own.
  const depth = Math.floor((defaultLimits.maxDepth - 7) / (keyword === "not" ? 1 : 2));
  let predicate: unknown = asks("${input.a}");
  let other: unknown = asks("${clasify.output}");
  for (let level = 0; level < depth; level++) {
    predicate = keyword === "not" ? { not: predicate } : { [keyword]: [predicate, asks("${input.b}")] };
    other = keyword === "not" ? { not: other } : { [keyword]: [other] };
  }
  const steps = [
    { id: "one", kind: "branch", predicate, then: "end" },
    { id: "two", kind: "branch", predicate: other, then: "end" },
    { id: "end", ...prompt },
    { id: "classify", ...prompt },
  ];
  expect(counts({ steps })).toEqual({ "unknown-reference": 1 });
});

it("reads 5,000 steps with 200 branches and 10,000 references", () => {
  const steps = Array.from({ length: 5_000 }, (_, index) => {
    const id = `s${index}`;
    if (index % 25 === 24 && index < 4_990)
      return {
        id,
        kind: "branch",
        predicate: asks(`\${input.f${index}}`),
        then: `s${index + 2}`,
        else: `s${index + 5}`,
      };
    const before = index % 25 === 0 ? index - 2 : index - 1;
    const reads = index === 0 ? "${input}" : `\${s${before}.output} \${s${before}.output}`;
    return { id, ...prompt, input: reads };
  });
  expect(counts({ steps })).toEqual({ "arm-runs-on": 2 * 199 });
});

it("tries every outcome of twelve branches in 5,000 steps", () => {
  const branches = Array.from({ length: 12 }, (_, index) => {
    return { id: `b${index}`, kind: "branch", predicate: asks(`\${input.f${index}}`), then: `s${index}` };
  });
  const steps = Array.from({ length: 5_000 }, (_, index) => {
    return { id: `s${index}`, ...prompt, input: index === 0 ? "" : `\${s${index - 1}.output}` };
  });
  // Each of the first twelve is read by the next step.
  expect(counts({ steps: [...branches, ...steps] })).toEqual({ "reference-may-be-skipped": 12 });
});

it("reads 200 compositions of twelve branches", () => {
  const steps = [
    ...Array.from({ length: 12 }, (_, index) => {
      return { id: `b${index}`, kind: "branch", predicate: asks(`\${input.f${index}}`), then: "end" };
    }),
    { id: "end", ...prompt },
  ];
  const compositions = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`c${index}`, { version: 1, steps }]),
  );
  const { diagnostics } = lint(JSON.stringify({ compositions }), { file: "pack.json" });
  expect(diagnostics.filter(({ rule }) => rule === "composition-without-output")).toHaveLength(200);
});

it("reads predicates with 50,000 values and parts", () => {
  const value = Array.from({ length: 50_000 }, (_, index) => index);
  const parts = value.map((number) => ({ path: "${input.a}", op: "equals", value: number }));
  const steps = [
    { id: "list", kind: "branch", predicate: { path: "${input.a}", op: "in", value }, then: "end" },
    { id: "parts", kind: "branch", predicate: { any_of: parts }, then: "end" },
    { id: "none", kind: "branch", predicate: { all_of: [...parts, { any_of: [] }] }, then: "other" },
    { id: "end", ...prompt },
    { id: "other", kind: "tool", tool: "t" },
    { id: "last", ...prompt, input: "${end.output}", depends_on: ["end"] },
  ];
  expect(counts({ steps })).toEqual({ "composition-without-output": 1, "predicate-constant": 1 });
});

it("reads strings of 200,000 references, closed or not", () => {
  const steps = [
    { id: "closed", ...prompt, input: "${input.a}".repeat(200_000) },
    { id: "open", ...prompt, input: { text: "${".repeat(20_000), closed: "${closed.output}" } },
    { id: "end", ...prompt, input: { list: Array.from({ length: 200_000 }, () => "${open.output}") } },
  ];
  expect(counts({ steps })).toEqual({ "reference-syntax": 20_000 });
});
