import { describe, expect, it } from "vitest";
import { renamedEitherWay, renamingGuesser } from "../../src/words/renamed-name.js";

describe("renamedEitherWay", () => {
  it.each([
    ["company", ["company_name", "city"], "company_name"],
    ["company_name", ["company", "city"], "company"],
    ["company_name", ["company", "name"], undefined],
    ["company", ["company_name", "company_seat"], undefined],
    ["company", ["city"], undefined],
    ["order_id", ["id"], undefined],
    ["escalation", ["human_escalation"], "human_escalation"],
    ["humanEscalation", ["human-escalation-desk"], "human-escalation-desk"],
    ["legal", ["legal_notice", "illegal"], "legal_notice"],
    ["legal", ["legal_notice", "legal_notice"], "legal_notice"],
    ["legal", ["paralegal", "legally"], undefined],
    ["first_second", ["first_other_second"], undefined],
    ["a", ["a_state"], undefined],
    ["closing", ["closing"], undefined],
    ["", ["closing"], undefined],
    ["___", ["closing"], undefined],
    ["closing", ["___"], undefined],
  ])("%s among %j is %s", (name, candidates, expected) => {
    expect(renamedEitherWay(name, candidates)).toBe(expected);
  });

  it("does not know where there are too many names, or too long ones", () => {
    const many = Array.from({ length: 50 }, (_, index) => `other_${index}`);
    expect(renamedEitherWay("company_name", ["company", ...many.slice(1)])).toBe("company");
    expect(renamedEitherWay("company_name", ["company", ...many])).toBeUndefined();
    expect(renamedEitherWay("plan", [`plan_${"x".repeat(1_000_000)}`])).toBeUndefined();
  });
});

describe("renamingGuesser", () => {
  it("knows only what is longer now", () => {
    expect(renamingGuesser()("closing", ["closing_state", "open"])).toBe("closing_state");
    expect(renamingGuesser()("closing_state", ["closing", "open"])).toBeUndefined();
  });

  it("does not know where there are too many names", () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `other_${index}`);
    expect(renamingGuesser()("plan", ["plan_it", ...many])).toBeUndefined();
  });
});
