import { expect, it } from "vitest";
import { shortName } from "../../src/drawing/labels.js";

const common = "customer_onboarding_verification_of";

it("keeps names with the same start distinguishable", () => {
  expect([`${common}_identity`, `${common}_address`].map((name) => shortName(name))).toEqual([
    "customer_onboardin…ation_of_identity",
    "customer_onboardin…cation_of_address",
  ]);
});

it.each([
  ["of megabytes", `begin${"x".repeat(3_000_000)}end`, "begin…xxend"],
  ["of characters that take two", "🦊".repeat(12), "🦊🦊🦊🦊🦊…🦊🦊🦊🦊🦊"],
  ["of wide characters while they are few", "確認確認確認確認確認確", "確認確認確認確認確認確"],
  ["of characters that are not seen", "\u200b".repeat(3), "\\u200…u200b"],
])("keeps both ends of a name %s", (_, name, expected) => {
  expect(shortName(name, 11)).toBe(expected);
});

it("never splits a character", () => {
  for (const name of ["👩‍👩‍👧‍👦".repeat(30), `x${"👩‍👩‍👧‍👦".repeat(30)}`, `${"👩‍👩‍👧‍👦".repeat(30)}x`])
    expect(shortName(name)).not.toMatch(/\\ud8/);
});
