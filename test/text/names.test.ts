import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createGuesser,
  didYouMean,
  misspelledAsAdvice,
  nearestName,
  uniqueNearestName,
} from "../../src/text/names.js";
import { runs } from "../runs.js";

describe("nearestName", () => {
  it.each([
    ["promts", ["prompts", "tools"], "prompts"],
    ["implemnt", ["implement", "review"], "implement"],
    ["maxVisits", ["max_visit", "max_visits"], "max_visits"],
    ["max-visits", ["on_max_visits", "max_visits"], "max_visits"],
    ["PLAN", ["plane", "plan"], "plan"],
    ["reveiw", ["revie", "review"], "review"],
    ["tset", ["test", "rest"], "test"],
    ["ab", ["ba"], undefined],
    ["cat", ["car", "bat"], "car"],
    ["done", ["gone", "dine"], "gone"],
    ["same", ["same"], undefined],
    ["", ["a"], undefined],
    ["---", ["___"], undefined],
    ["summary", ["review"], undefined],
    ["x", [], undefined],
    ["closing_state", ["billing_state"], undefined],
    ["PlanReady", ["PlanDone"], undefined],
    ["start_date", ["start_time"], undefined],
    ["step_1", ["step_2", "step_12"], undefined],
    ["prompt_v1", ["prompt_v2"], undefined],
    ["NeedPlan", ["NeedsPlan"], "NeedsPlan"],
    ["review_stat", ["review_state"], "review_state"],
    ["no_event", ["on_event"], "on_event"],
    ["review2", ["review"], "review"],
    ["prmpt_tsk", ["prompt_task"], "prompt_task"],
    ["cafe\u0301", ["Cafe\u0301", "caf\u00e9"], "caf\u00e9"],
    ["\u00e9", ["e\u0301"], "e\u0301"],
    ["\u1112\u1161\u11ab", ["\ud55c"], "\ud55c"],
    ["a b", ["a\u00a0b"], "a\u00a0b"],
    ["\u043e", ["a", "o"], "o"],
    ["order", ["Order", "orders", "\u043erder"], "Order"],
    ["\u043erder", ["\u043erders", "order"], "order"],
    ["\u0421\u041e\u0420\u0423", ["COPE", "COPY"], "COPY"],
    ["on\u2011hold", ["on_hold", "on-hold"], "on-hold"],
    ["a\u200d\u200d\u200d\u200d", ["a"], "a"],
    ["a\u2800", ["b", "a"], "a"],
  ])("%s among %j is %s", (name, candidates, expected) => {
    expect(nearestName(name, candidates)).toBe(expected);
  });

  it("agrees with the plain definition of the distance", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 6, maxLength: 9 });
    fc.assert(
      fc.property(word, word, (name, candidate) => {
        const allowed = Math.floor(Math.max(name.length, candidate.length) / 3);
        const near = name !== candidate && plainDistance(name, candidate) <= allowed;
        expect(nearestName(name, [candidate])).toBe(near ? candidate : undefined);
      }),
      { numRuns: runs(2000) },
    );
  });

  it("answers hostile questions", () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `state_${index}`);
    expect(nearestName("stat_0", many)).toBe("state_0");
    const huge = "a".repeat(1_000_000);
    expect(nearestName(huge, [huge + "b"])).toBeUndefined();
    expect(nearestName("a", [huge])).toBeUndefined();
    expect(nearestName("__proto__", ["proto"])).toBe("proto");
  });

  it("reads no more candidates than it compares", () => {
    let read = 0;
    function* endless(): Iterable<string> {
      for (;;) yield `name${read++}`;
    }
    expect(nearestName("nothing-like-it", endless())).toBeUndefined();
    expect(read).toBe(2_001);
  });
});

describe("onlyNearName", () => {
  it.each([
    ["implemnt", ["implement", "implements"], "implement"],
    ["max-visits", ["max_visit", "max_visits"], "max_visits"],
    ["max-visits", ["maxVisits", "max_visits"], undefined],
    ["cat", ["car", "bat"], undefined],
    ["cat", ["car", "car"], "car"],
    ["summary", ["review"], undefined],
    ["order\u200b", ["orders", "order"], "order"],
    ["order\u200b", ["order", "\u043erder"], undefined],
  ])("%s among %j is %s", (name, candidates, expected) => {
    expect(uniqueNearestName(name, candidates)).toBe(expected);
  });

  it("does not know where not all could be compared", () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `other_${index}`);
    expect(uniqueNearestName("plan", ["plan_", ...many])).toBeUndefined();
  });
});

describe("didYouMean", () => {
  it("gives a sentence or nothing", () => {
    expect(didYouMean("promts", ["prompts"])).toBe(' Did you mean "prompts"?');
    expect(didYouMean("zzz", ["prompts"])).toBe("");
  });

  it.each([
    ["\u043erder", "order", " (U+043E)"],
    ["order", "\u043erder", " (U+043E)"],
    ["or\u200dder\ufe0f", "order", " (U+200D, U+FE0F)"],
    ["cafe\u0301", "caf\u00e9", " (U+0301, U+00E9)"],
    ["\u0451lan", "\u00eblan", " (U+0451, U+00EB)"],
    ["\uff41b\u{1d41c}", "abc", " (U+FF41, U+1D41C)"],
    ["\u0430\u0435\u043e\u0440", "aeop", " (U+0430, U+0435, U+043E, …)"],
    ["o\u043e", "\u043eo", ""],
  ])("says that %j and %j look alike", (name, near, codes) => {
    expect(didYouMean(name, [near])).toBe(
      ` Did you mean "${near}"? The two look alike, but are written with different characters${codes}.`,
    );
    expect(misspelledAsAdvice(near, [name])).toContain("The two look alike");
  });

  it.each([
    ["Order", "order"],
    ["modern", "rnodern"],
    ["l0g", "log"],
    ["\u0436\u0436\u0436", "\u0436\u0436"],
  ])("does not say so of %j and %j", (name, near) => {
    expect(didYouMean(name, [near])).not.toContain("look alike");
  });
});

function plainDistance(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    rows.push([]);
    for (let j = 0; j <= b.length; j++) {
      const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
      let cost = i === 0 ? j : j === 0 ? i : Infinity;
      if (i > 0 && j > 0) {
        cost = Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        );
      }
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(i - 2, j - 2) + 1);
      rows[i]?.push(cost);
    }
  }
  return rows[a.length]?.[b.length] ?? Infinity;
}

describe("guesser", () => {
  it("guesses for as many names as it was told to", () => {
    const guess = createGuesser(2);
    const asked = ["revew", "reviw", "revie"].map((name) => didYouMean(name, ["review"], guess));
    expect(asked).toEqual([' Did you mean "review"?', ' Did you mean "review"?', ""]);
  });
});
