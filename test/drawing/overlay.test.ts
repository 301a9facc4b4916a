import { describe, expect, test } from "vitest";
import { drawOverlay } from "../../src/drawing/overlay.js";
import { hostileNames, legendOf, packOf, subjectOf } from "./drawn.js";

const before = packOf({
  triage: { on_event: { Refund: "refund", Ask: "triage" }, max_visits: 3, on_max_visits: "human" },
  refund: { on_event: { Done: "closed", Failed: "human", Late: "closed" } },
  human: { terminal: true },
  closed: { terminal: true },
});
const after = packOf({
  triage: {
    on_event: { Refund: "refund", Ask: "triage", Again: "triage" },
    max_visits: 5,
    on_max_visits: "human",
  },
  refund: { on_event: { Approve: "approval", Failed: "triage" } },
  approval: { on_event: { Done: "human" } },
  human: { terminal: true },
});

interface PageData {
  readonly noun: string;
  readonly states: readonly {
    readonly id: string;
    readonly name: string;
    readonly isOld?: true;
    readonly events: readonly { readonly event: string; readonly to: string; readonly id?: string }[];
    readonly findings: readonly number[];
  }[];
  readonly findings: readonly {
    readonly rule: string;
    readonly isOld?: true;
    readonly nodes: readonly string[];
  }[];
  readonly runs: readonly {
    readonly title: string;
    readonly start: string;
    readonly steps: readonly { readonly to: string; readonly edges: readonly string[] }[];
  }[];
}

/** What the page draws: states and edges by name, each with its mark. */
async function overlaid(old: string, now: string, withFindings = false) {
  const plain = (text: string) => ({ ...subjectOf(text), ...(withFindings ? {} : { diagnostics: [] }) });
  const page = await drawOverlay(plain(old), plain(now));
  const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? "") as PageData;
  const states = [...page.matchAll(/class="node state ?(\w*)" data-id="(\w+)"[^]*?<title>(.*?)<\/title>/g)];
  const edges = [...page.matchAll(/class="edge (event|forced|start) ?(\w*)" data-id="(\w+)"/g)];
  const labels = new Map(
    [...page.matchAll(/data-label="(\w+)">(.*?)<\/g>/g)].map(([, id = "", body = ""]) => [
      id,
      [...body.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text).join(", "),
    ]),
  );
  return {
    data,
    legend: legendOf(page),
    ids: new Set([...states.map(([, , id]) => id), ...edges.map(([, , , id]) => id)]),
    states: states.map(([, mark, , name]) => `${name}: ${mark === "" ? "same" : mark}`),
    edges: edges.map(
      ([, kind, mark, id = ""]) => `${kind} ${labels.get(id) ?? ""}: ${mark === "" ? "same" : mark}`,
    ),
  };
}

describe("two versions of a workflow, drawn over each other", () => {
  test("what is gone, new and changed is marked", async () => {
    const { data, legend, states, edges } = await overlaid(before, after);
    expect(states.sort()).toEqual([
      "approval: new",
      "closed: gone",
      "human: same",
      "refund: same",
      "triage: changed",
    ]);
    expect(edges.sort()).toEqual([
      "event + Approve: new",
      "event + Done: new",
      "event + Failed: new",
      "event Ask, + Again: changed",
      "event Refund: same",
      "event − Done, − Late: gone",
      "event − Failed: gone",
      "forced : same",
      "start : same",
    ]);
    expect(legend.slice(-3)).toEqual([
      "− gone: only in the old version",
      "+ new: only in the new version",
      "± in both, but not the same",
    ]);
    expect(data.noun).toBe("change");
    expect(data.states.filter(({ isOld }) => isOld).map(({ name }) => name)).toEqual(["closed"]);
  });

  test("the other way round, the marks are, too", async () => {
    const forth = await overlaid(before, after);
    const back = await overlaid(after, before);
    const swapped = (text: string): string =>
      text.replace(
        /gone|new|[+−]/g,
        (word) => ({ gone: "new", new: "gone", "+": "−", "−": "+" })[word] ?? word,
      );
    expect(back.states.sort()).toEqual(forth.states.map(swapped).sort());
    expect(back.edges.sort()).toEqual(forth.edges.map(swapped).sort());
  });

  test("nothing is marked where nothing changed", async () => {
    const { states, edges, legend } = await overlaid(before, before);
    expect([...states, ...edges].filter((text) => !text.endsWith(": same"))).toEqual([]);
    expect(legend.at(-1)).toBe("the most visits, and what follows");
  });

  test("runs and findings of both versions lead to what is drawn", async () => {
    const trapped = packOf({
      triage: { on_event: { Loop: "a", Lost: "nowhere" } },
      a: { on_event: { Next: "b" } },
      b: { on_event: { Next: "a" } },
      gone: { on_event: { Next: "a" } },
    });
    for (const [old, now] of [
      [trapped, after],
      [after, trapped],
    ] as const) {
      const { data, ids } = await overlaid(old, now, true);
      const used = data.runs.flatMap(({ start, steps }) => [
        start,
        ...steps.flatMap(({ to, edges }) => [to, ...edges]),
      ]);
      expect(used.length).toBeGreaterThan(5);
      expect(used.filter((id) => !ids.has(id))).toEqual([]);
      expect(data.findings.flatMap(({ nodes }) => nodes).filter((id) => !ids.has(id))).toEqual([]);
      expect(data.findings.some(({ isOld }) => isOld)).toBe(true);
      for (const { id, findings } of data.states)
        for (const index of findings) expect(data.findings[index]?.nodes).toContain(id);
    }
  });

  test("the events of a state that is gone lead to the states that are drawn", async () => {
    const { data } = await overlaid(after, before);
    const approval = data.states.find(({ name }) => name === "approval");
    const human = data.states.find(({ name }) => name === "human");
    expect(approval?.events).toMatchObject([{ event: "Done", to: "human", id: human?.id }]);
  });

  test("names of any kind are only names", async () => {
    const named = (names: readonly string[]) =>
      packOf(Object.fromEntries(names.map((name) => [name, { on_event: { [name]: names[0] ?? "" } }])));
    const { states } = await overlaid(named(hostileNames), named([...hostileNames].reverse().slice(1)));
    expect(states).toHaveLength(hostileNames.length);
  });
});
