import { describe, expect, it } from "vitest";
import { clipCell, clipMiddle, headOf, tailOf, textWidth } from "../../src/text/terminal-text.js";
import { isFull } from "../runs.js";

describe("a text cut in its middle", () => {
  it.each([
    ["as it is where there is room", "identity", 8, "identity"],
    ["both ends", "verification_of_identity", 11, "verif…ntity"],
    ["the beginning longer by one", "verification_of_identity", 12, "verifi…ntity"],
    ["wide characters whole", "確認確認確認確認", 8, "確認…認"],
    ["marks with what they stand on", "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301…e\u0301"],
    ["joined emoji and flags whole", "👩‍👩‍👧🇩🇪abcdefgh👩‍👩‍👧🇩🇪", 9, "👩‍👩‍👧🇩🇪…👩‍👩‍👧🇩🇪"],
    ["nothing but the sign", "identity", 1, "…"],
    ["not even room for it", "identity", 0, "…"],
    ["a cut one again", "verif…ntity", 10, "verif…tity"],
  ])("keeps %s", (_, text, most, expected) => {
    expect(clipMiddle(text, most)).toBe(expected);
  });

  it.runIf(isFull)("takes no more columns than there are, however long it is", () => {
    const long = `${"確e\u0301".repeat(1_000_000)}end`;
    for (const most of [1, 2, 3, 7, 36]) expect(textWidth(clipMiddle(long, most))).toBeLessThanOrEqual(most);
  });
});

it("the ends of a text hold no half of a character", () => {
  expect([headOf("a🦊", 2), tailOf("🦊a", 2)]).toEqual(["a", "a"]);
  expect([headOf("a🦊", 3), tailOf("🦊a", 3)]).toEqual(["a🦊", "🦊a"]);
});

describe("a cell of a table", () => {
  it("keeps both ends of a name, and of a list the first names", () => {
    expect(clipCell("verification_of_identity", 12)).toBe("verifi…ntity");
    expect(clipCell("verification, identity", 15)).toBe("verification, …");
  });
});
