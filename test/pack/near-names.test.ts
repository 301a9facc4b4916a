import { expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { head } from "./pack-head.js";

/** How many findings has a pack whose fragments are left blank: a name may be one of theirs, unless it is nearly a variable's. */
function undeclaredIn(template: string): number {
  const pack = `${head}fragments:
prompts:
  a:
    id: a
    name: A
    version: 1.0.0
    variables: [{ name: customer_name, type: string }]
    system_template: "${template}"
`;
  return lint(pack, { file: "pack.yaml" }).diagnostics.filter(({ rule }) => rule === "undeclared-variable")
    .length;
}

it("finds a misspelt variable wherever it is read, and nothing else", () => {
  expect(undeclaredIn("{{custmer_name}} {{tone}} ".repeat(210))).toBe(210);
});

it("finds all or none of many names, so that mending some brings no others to light", () => {
  const names = (count: number): string =>
    Array.from({ length: count }, (_, i) => `{{customer_name${i}}}`).join(" ");
  expect(undeclaredIn(names(200))).toBe(200);
  expect(undeclaredIn(names(201))).toBe(0);
});
