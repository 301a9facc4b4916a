import { afterEach, describe, expect, it, vi } from "vitest";
import { readAll } from "../../src/cli/terminal/io.js";
import { Progress } from "../../src/cli/terminal/progress.js";

describe("reading standard input", () => {
  async function* endless(given: { chunks: number }): AsyncGenerator<Uint8Array> {
    for (;;) {
      given.chunks++;
      await Promise.resolve();
      yield Buffer.from("ab");
    }
  }

  it("stops after the limit", async () => {
    const given = { chunks: 0 };
    expect((await readAll(endless(given), 3)).toString()).toBe("abab");
    expect(given.chunks).toBe(2);
  });

  it("passes on what exceeds the limit until told to stop", async () => {
    const given = { chunks: 0 };
    const passed: string[] = [];
    const passOn = (bytes: Uint8Array) => Promise.resolve(passed.push(bytes.toString()) < 3);
    expect((await readAll(endless(given), 3, passOn)).toString()).toBe("abab");
    expect({ passed, ...given }).toEqual({ passed: ["abab", "ab", "ab"], chunks: 4 });
  });
});

describe("progress", () => {
  const clearLine = "\r\u001b[2K";
  const terminal = { isTTY: true, columns: 33 };

  afterEach(() => void vi.useRealTimers());

  /** What is written while each file takes this many milliseconds. */
  function written(times: readonly number[], stderr: object, env: Record<string, string> = {}): string {
    vi.useFakeTimers({ toFake: ["hrtime"] });
    let text = "";
    const output = { write: (more: string) => (text += more), ...stderr };
    const progress = new Progress({ stderr: output, env });
    times.forEach((time, index) => {
      progress.show(index, times.length, `packs/${index}\u001b.pack.json`);
      vi.advanceTimersByTime(time);
    });
    progress.hide();
    progress.hide();
    return text;
  }

  it("shows how far a long run is, and disappears at its end", () => {
    expect(written([900, 100, 50, 50, 0], terminal)).toBe(
      `${clearLine}2 of 5 files: packs/2\\u001b.pac…${clearLine}4 of 5 files: packs/4\\u001b.pac…${clearLine}`,
    );
  });

  it("shows nothing for a short run", () => {
    expect(written([900, 99, 0, 0, 500], terminal)).toBe("");
  });

  it.each([
    [{}, {}],
    [terminal, { TERM: "dumb" }],
    [terminal, { CI: "true" }],
  ])("shows nothing if nobody watches: %j %j", (stderr, env) => {
    expect(written([2000, 2000], stderr, env)).toBe("");
  });
});
