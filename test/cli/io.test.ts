import { expect, it } from "vitest";
import { readAll } from "../../src/cli/terminal/io.js";

async function* endless(given: { chunks: number }): AsyncGenerator<Uint8Array> {
  for (;;) {
    given.chunks++;
    await Promise.resolve();
    yield Buffer.from("ab");
  }
}

it("an endless input is read until more than the limit is there", async () => {
  const given = { chunks: 0 };
  expect((await readAll(endless(given), 3)).toString()).toBe("abab");
  expect(given.chunks).toBe(2);
});

it("what is beyond the limit is passed on for as long as it is wanted", async () => {
  const given = { chunks: 0 };
  const passed: string[] = [];
  const passOn = (bytes: Uint8Array) => Promise.resolve(passed.push(bytes.toString()) < 3);
  expect((await readAll(endless(given), 3, passOn)).toString()).toBe("abab");
  expect({ passed, ...given }).toEqual({ passed: ["abab", "ab", "ab"], chunks: 4 });
});
