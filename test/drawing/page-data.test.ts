import { describe, expect, test } from "vitest";
import { isFull } from "../runs.js";
import { drawText, packOf } from "./drawn.js";

interface PageData {
  readonly states: readonly { readonly name: string; readonly findings: readonly number[] }[];
  readonly findings: readonly { readonly rule: string; readonly message: string; readonly run?: number }[];
  readonly unlisted: number;
  readonly runs: readonly { readonly title: string }[];
}

async function pageDataOf(pack: string): Promise<PageData> {
  const { text } = await drawText("html", pack);
  return JSON.parse(/id="data">(.*?)<\/script>/s.exec(text)?.[1] ?? "") as PageData;
}

type Events = Readonly<Record<string, string>>;

/** A chain whose every state waits for an event that its prompt does not mention. */
function chain(length: number, events: (index: number) => Events): Record<string, { on_event: Events }> {
  return Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `s${index}`,
      { on_event: { Next: index + 1 < length ? `s${index + 1}` : "end", ...events(index) } },
    ]),
  );
}

describe("with more findings than the page lists", () => {
  test.runIf(isFull)("the most severe are kept, and those of drawn states", async () => {
    const states = chain(2_100, (index) => (index === 2_090 ? { Lost: "nowhere" } : {}));
    const data = await pageDataOf(packOf({ ...states, end: { terminal: true } }));
    expect(data.findings).toHaveLength(2_000);
    expect(data.unlisted).toBe(101);
    const rulesOf = (name: string): readonly string[] => {
      const shown = data.states.find((state) => state.name === name)?.findings ?? [];
      return shown.map((index) => data.findings[index]?.rule ?? "");
    };
    expect(rulesOf("s2090")).toEqual(["event-not-in-prompt", "unknown-event-target"]);
    const bare = data.states.filter((state) => state.name !== "end" && state.findings.length === 0);
    expect(bare).toEqual([]);
  });

  test("each run belongs to its finding, and the shortest complete run is kept", async () => {
    const states = chain(60, (index) => ({ Again: `s${index}` }));
    const data = await pageDataOf(packOf({ ...states, end: { terminal: true } }));
    expect(data.runs).toHaveLength(50);
    expect(data.runs.at(-1)?.title).toBe("shortest complete run");
    const played = data.findings.flatMap(({ rule, run }) => (run === undefined ? [] : { rule, run }));
    expect(played).toHaveLength(49);
    for (const { rule, run } of played) expect(data.runs[run]?.title).toMatch(new RegExp(`^${rule}, line `));
  });
});
