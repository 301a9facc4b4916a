import { expect, it } from "vitest";
import { Progress } from "../../src/cli/terminal/progress.js";

const wipe = "\r\u001b[2K";

/** What is written while five files take these milliseconds each. */
function written(times: readonly number[], stderr: object, env: Record<string, string> = {}): string {
  let text = "";
  let time = 5000;
  const output = { write: (more: string) => (text += more), ...stderr };
  const progress = new Progress({ stderr: output, env }, () => time);
  times.forEach((each, index) => {
    progress.show(index, times.length, `packs/${index}\u001b.pack.json`);
    time += each;
  });
  progress.hide();
  progress.hide();
  return text;
}

const terminal = { isTTY: true, columns: 33 };

it("shows how far a long run is, and is gone at its end", () => {
  expect(written([900, 100, 50, 50, 0], terminal)).toBe(
    `${wipe}2 of 5 files: packs/2\\u001b.pac…${wipe}4 of 5 files: packs/4\\u001b.pac…${wipe}`,
  );
});

it("shows nothing for a short run", () => {
  expect(written([900, 99, 0, 0, 500], terminal)).toBe("");
});

it.each([
  [{}, {}],
  [terminal, { TERM: "dumb" }],
  [terminal, { CI: "true" }],
])("shows nothing where nobody watches: %j %j", (stderr, env) => {
  expect(written([2000, 2000], stderr, env)).toBe("");
});
