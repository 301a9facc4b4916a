import { expect, it, vi } from "vitest";
import { LineMap } from "../../src/document/scan-text.js";
import { excerpt } from "../../src/reporters/pretty.js";
import type * as TextWidth from "../../src/text/terminal-text.js";

const seen = vi.hoisted(() => ({ cells: 0 }));
vi.mock("../../src/text/terminal-text.js", async (original) => {
  const real = await original<typeof TextWidth>();
  return {
    ...real,
    *cells(text: string) {
      for (const cell of real.cells(text)) {
        seen.cells++;
        yield cell;
      }
    },
  };
});

it.each([
  ["letters", "a", 300],
  ["letters of other scripts", "é字", 300],
  ["marks that take no room", "a\u0301\u0301\u0301", 1_300],
])("an excerpt of a long line of %s looks at little more than it shows", (_, text, most) => {
  seen.cells = 0;
  const lines = new LineMap(text.repeat(100_000));
  const place = (column: number) => ({ line: 1, column });
  const shown = excerpt(lines, { start: place(5_001), end: place(5_004) }, 100);
  expect(shown?.cut).toBe(true);
  expect(seen.cells).toBeLessThanOrEqual(most);
});

it("an excerpt shows what cannot be seen, but no joiner or mark that its neighbours need", () => {
  const seen = "👩\u200d🚀 ❤\ufe0f می\u200cخواهم";
  const lines = new LineMap(`${seen} or\u200dder 1\ufe0f a\u2800b`);
  const shown = excerpt(lines, { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } }, 100);
  expect(shown?.text).toBe(`${seen} or\\u200dder 1\\ufe0f a\\u2800b`);
});
