import { describe, expect, it } from "vitest";
import { renamedEitherWay, renamedName } from "../../src/words/renamed-name.js";

describe("renamedName", () => {
  it.each([
    ["closing", ["closing_state", "open"], "closing_state"],
    ["closing_state", ["closing", "open"], undefined],
    ["escalation", ["human_escalation"], "human_escalation"],
    ["humanEscalation", ["human-escalation-desk"], "human-escalation-desk"],
    ["legal", ["legal_notice", "illegal"], "legal_notice"],
    ["legal", ["legal_notice", "legal_terms"], undefined],
    ["legal", ["legal_notice", "legal_notice"], "legal_notice"],
    ["legal", ["paralegal", "legally"], undefined],
    ["first_second", ["first_other_second"], undefined],
    ["a", ["a_state"], undefined],
    ["state_1", ["1"], undefined],
    ["closing", ["closing"], undefined],
    ["", ["closing"], undefined],
    ["___", ["closing"], undefined],
    ["closing", ["___"], undefined],
  ])("%s among %j is %s", (name, candidates, expected) => {
    expect(renamedName(name, candidates)).toBe(expected);
  });

  it("does not know where there are too many names, or too long ones", () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `other_${index}`);
    expect(renamedName("plan", ["plan_it", ...many])).toBeUndefined();
    expect(renamedName("plan", [`plan_${"x".repeat(1_000_000)}`])).toBeUndefined();
  });
});

describe("renamedEitherWay", () => {
  it.each([
    ["company", ["company_name", "city"], "company_name"],
    ["company_name", ["company", "city"], "company"],
    ["company_name", ["company", "name"], undefined],
    ["company", ["company_name", "company_seat"], undefined],
    ["company", ["city"], undefined],
    ["order_id", ["id"], undefined],
  ])("%s among %j is %s", (name, candidates, expected) => {
    expect(renamedEitherWay(name, candidates)).toBe(expected);
  });

  it("does not know where there are too many names", () => {
    const many = Array.from({ length: 50 }, (_, index) => `other_${index}`);
    expect(renamedEitherWay("company_name", ["company", ...many.slice(1)])).toBe("company");
    expect(renamedEitherWay("company_name", ["company", ...many])).toBeUndefined();
  });
});
